import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayDevicesServer
@testable import InlayServerTesting

/// A stranger with the app requests codes for a user's address and guesses them, without locking the user out.
@Suite(.timeLimit(.minutes(3))) struct StrangerTests {
    private static let address = "ada@example.com"

    /// Runs a body with two networks: Ada's and a stranger's.
    private static func run(
        _ engine: SQLEngine,
        _ body: @Sendable (_ ada: DeviceSite, _ stranger: DeviceSite) async throws -> Void
    ) async throws {
        try await DeviceSite.run(
            engine, settings: { $0.opensAtOnce = false }, configure: { $0.trustsProxy = true }
        ) { site in
            try await body(site.from("198.51.100.7"), site.from("203.0.113.9"))
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a stranger who asks for code after code and types wrong ones keeps nobody from proving an address`(
        _ engine: SQLEngine
    ) async throws {
        try await Self.run(engine) { ada, stranger in
            for _ in 0..<20 { #expect(try await stranger.create(Self.address, nil).status == 202) }
            ada.app.clock.advance(by: .seconds(299))
            // No mail is sent for this request; the code of the last mail is accepted.
            let mine = try await ada.create(Self.address).as(AccountNext.self)
            #expect(try await ada.feature.mails.mails(DeviceSite.environmentID).count == 4)
            for _ in 0..<20 {
                #expect(try await stranger.prove(Self.address, "AAAA-AAAA").status == 401)
            }
            let code = try await ada.code(Self.address)
            #expect(try await stranger.prove(Self.address, code).status == 429)
            #expect(try await ada.prove(Self.address, code).status == 401)
            ada.app.clock.advance(by: .seconds(290))
            #expect(try await ada.prove(Self.address, code, request: mine.request).status == 200)
            // The password is the one of Ada's request.
            #expect(try await ada.logIn(Self.address).status == 200)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a stranger who asks for resets and types wrong codes keeps nobody from a new password`(
        _ engine: SQLEngine
    ) async throws {
        try await Self.run(engine) { ada, stranger in
            let asked = try await ada.create(Self.address).as(AccountNext.self)
            _ = try await ada.prove(Self.address, try await ada.code(Self.address), request: asked.request)
            ada.app.clock.advance(by: .seconds(1))
            for _ in 0..<20 { _ = try await reset(stranger) }
            let mine = try await reset(ada)
            for _ in 0..<15 {
                #expect(try await set(stranger, "AAAA-AAAA", nil).status == 401)
            }
            let code = try await ada.code(Self.address)
            #expect(try await set(ada, code, mine.request).status == 204)
            #expect(try await ada.logIn(Self.address, "another good long one").status == 200)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a user who is logged in to an account proves it though strangers used up every try`(
        _ engine: SQLEngine
    ) async throws {
        try await DeviceSite.run(engine) { site in
            let mine = try await site.create(Self.address).as(AccountOpening.self).session.accessToken
            for _ in 0..<5 { _ = try await site.prove(Self.address, "AAAA-AAAA") }
            let code = try await site.code(Self.address)
            #expect(try await site.prove(Self.address, code).status == 401)
            #expect(try await site.prove(Self.address, code, token: mine).status == 200)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a session has five tries in the lifetime of a code, however often it sends one`(
        _ engine: SQLEngine
    ) async throws {
        try await DeviceSite.run(engine) { site in
            let mine = try await site.create(Self.address).as(AccountOpening.self).session.accessToken
            for _ in 0..<5 { _ = try await site.prove(Self.address, "AAAA-AAAA", token: mine) }
            let code = try await site.code(Self.address)
            #expect(try await site.prove(Self.address, code, token: mine).status == 401)
            site.app.clock.advance(by: .seconds(600))
            _ = try await site.create(Self.address)
            let next = try await site.code(Self.address)
            #expect(try await site.prove(Self.address, next, token: mine).status == 200)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a session's tries can be used although the request that is sent with them has expired`(
        _ engine: SQLEngine
    )
        async throws
    {
        try await DeviceSite.run(engine) { site in
            let mine = try await site.create(Self.address).as(AccountOpening.self).session.accessToken
            let old = try await site.create(Self.address).as(AccountNext.self).request
            site.app.clock.advance(by: MailCode.life + .seconds(1))
            _ = try await site.create(Self.address)
            for _ in 0..<5 { _ = try await site.prove(Self.address, "AAAA-AAAA") }
            let code = try await site.code(Self.address)
            #expect(try await site.prove(Self.address, code, request: old).status == 401)
            #expect(try await site.prove(Self.address, code, request: old, token: mine).status == 200)
        }
    }

    @Test func `one network tries twenty codes for an address in a quarter of an hour, known or not`()
        async throws
    {
        try await DeviceSite.run { site in
            _ = try await site.proven("known@example.com")
            for email in ["known@example.com", "nobody@example.com"] {
                var answers: [Int] = []
                for _ in 0..<21 { answers.append(try await set(site, "AAAA-AAAA", nil, email).status) }
                // The proof of the first address was one of its twenty.
                #expect(answers.last == 429 && answers.prefix(19).allSatisfy { $0 == 401 })
            }
            #expect(try await set(site, "AAAA-AAAA", nil, "other@example.com").status == 401)
            site.app.clock.advance(by: .seconds(900))
            #expect(try await set(site, "AAAA-AAAA", nil, "known@example.com").status == 401)
        }
    }

    private func reset(_ site: DeviceSite) async throws -> AccountNext {
        try await site.send("POST", "/v1/devices/password/reset", ["email": Self.address]).as()
    }

    private func set(
        _ site: DeviceSite, _ code: String, _ request: String?, _ email: String = StrangerTests.address
    ) async throws -> TestAppResponse {
        try await site.send(
            "POST", "/v1/devices/password",
            ["email": email, "code": code, "newPassword": "another good long one", "request": request])
    }
}
