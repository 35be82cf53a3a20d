import Foundation
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayCore

@Suite struct TokenCacheTests {
    let fixture: SessionFixture
    let path = "/v1/test"

    init() throws {
        fixture = try SessionFixture()
        fixture.server.always("/v1/test", .status(200))
    }

    @Test func `the provider's token is the bearer token of every request`() async throws {
        let token = fixture.provider.token()
        fixture.provider.next(token)
        let session = try await fixture.session()
        _ = try await session.api.get(path)
        #expect(fixture.server.requests.first?.headers["Authorization"] == "Bearer \(token)")
    }

    @Test func `a provider without a token fails the request and nothing is sent`() async throws {
        fixture.provider.next(nil)
        let session = try await fixture.session()
        await #expect(throws: APIError(.noToken(.none))) { try await session.api.get(path) }
        #expect(fixture.server.requests.isEmpty)
    }

    @Test func `a provider that takes longer than 5 seconds fails the request`() async throws {
        fixture.provider.hold()
        let session = try await fixture.session()
        let call = Task { try await session.api.get(path) }
        try await fixture.clock.untilSleeping(for: .seconds(5))
        fixture.clock.advance(by: .seconds(5))
        await #expect(throws: APIError(.noToken(.timedOut))) { try await call.value }
        #expect(fixture.server.requests.isEmpty)
        fixture.provider.release()
    }

    @Test func `a token that comes after 4 seconds is used`() async throws {
        fixture.provider.hold()
        let session = try await fixture.session()
        async let call = session.api.get(path)
        try await fixture.provider.untilHeld()
        try await fixture.clock.untilSleeping(for: .seconds(5))
        fixture.clock.advance(by: .seconds(4))
        fixture.provider.release()
        #expect(try await call.status == 200)
    }

    @Test func `a token that comes after the limit does no harm and is not used`() async throws {
        let late = fixture.provider.token(subject: "user-1", lasting: .seconds(7200))
        fixture.provider.next(late)
        fixture.provider.hold()
        let session = try await fixture.session()
        let call = Task { try await session.api.get(path) }
        try await fixture.provider.untilHeld()
        try await fixture.clock.untilSleeping(for: .seconds(5))
        fixture.clock.advance(by: .seconds(5))
        await #expect(throws: APIError(.noToken(.timedOut))) { try await call.value }
        fixture.provider.release()
        _ = try await session.api.get(path)
        #expect(fixture.provider.calls == 2)
        #expect(fixture.server.requests.count == 1)
        #expect(fixture.server.requests.first?.headers["Authorization"] != "Bearer \(late)")
    }

    @Test(arguments: [(59, 2), (60, 1), (61, 1), (120, 1)])
    func `a token with less than 60 seconds left counts as expired`(left: Int, calls: Int) async throws {
        fixture.provider.next(fixture.provider.token(lasting: .seconds(left)))
        let session = try await fixture.session()
        _ = try await session.api.get(path)
        _ = try await session.api.get(path)
        #expect(fixture.provider.calls == calls)
    }

    @Test func `a token is reused until it has less life than the expiry interval`() async throws {
        fixture.provider.next(fixture.provider.token(lasting: .seconds(100)))
        let session = try await fixture.session { $0.tokenExpiryInterval = .seconds(30) }
        _ = try await session.api.get(path)
        fixture.clock.advance(by: .seconds(70))
        _ = try await session.api.get(path)
        #expect(fixture.provider.calls == 1)
        fixture.clock.advance(by: .seconds(1))
        _ = try await session.api.get(path)
        #expect(fixture.provider.calls == 2)
    }

    @Test func `a negative expiry interval becomes 0, so an ended token is never used`() async throws {
        fixture.provider.next(fixture.provider.token(lasting: .seconds(-1)))
        let session = try await fixture.session { $0.tokenExpiryInterval = .seconds(-100) }
        await #expect(throws: APIError(.noToken(.expired))) { try await session.api.get(path) }
        #expect(fixture.server.requests.isEmpty)
    }

    @Test func `after a failure the provider is not called during the retry interval`() async throws {
        fixture.provider.next(nil)
        let session = try await fixture.session { $0.tokenRetryInterval = .seconds(10) }
        await #expect(throws: APIError.self) { try await session.api.get(path) }
        let until = fixture.clock.now() + .seconds(10)
        fixture.clock.advance(by: .seconds(9))
        await #expect(throws: APIError(.noToken(.waiting(until: until)))) { try await session.api.get(path) }
        #expect(fixture.provider.calls == 1)
        fixture.clock.advance(by: .seconds(1))
        _ = try await session.api.get(path)
        #expect(fixture.provider.calls == 2)
    }

    @Test func `a device clock that is set back does not prolong the retry interval`() async throws {
        fixture.provider.next(nil)
        let session = try await fixture.session { $0.tokenRetryInterval = .seconds(10) }
        await #expect(throws: APIError.self) { try await session.api.get(path) }
        fixture.clock.set(to: fixture.clock.now() + .seconds(-86_400))
        #expect(try await session.api.get(path).status == 200)
    }

    @Test(arguments: [Duration.zero, .seconds(-5)])
    func `without a positive retry interval the provider is asked again at once`(
        interval: Duration
    ) async throws {
        fixture.provider.next(nil)
        let session = try await fixture.session { $0.tokenRetryInterval = interval }
        await #expect(throws: APIError.self) { try await session.api.get(path) }
        #expect(try await session.api.get(path).status == 200)
        #expect(fixture.provider.calls == 2)
    }

    @Test func `the intervals are read once`() async throws {
        var configuration = fixture.configuration
        let rules = TokenCache.Rules(configuration)
        configuration.tokenExpiryInterval = .seconds(1)
        configuration.tokenRetryInterval = .seconds(2)
        #expect(rules.expiryInterval == .seconds(60))
        #expect(rules.retryInterval == .zero)
    }

    @Test func `many requests at once ask the provider once`() async throws {
        fixture.provider.hold()
        let session = try await fixture.session()
        async let first = session.api.get(path)
        async let second = session.api.get(path)
        async let third = session.api.get(path)
        try await fixture.provider.untilHeld()
        fixture.provider.release()
        _ = try await (first, second, third)
        #expect(fixture.provider.calls == 1)
        #expect(fixture.server.requests.count == 3)
    }

    @Test func `a 401 leads to one new token and one more try`() async throws {
        let refused = fixture.provider.token(lasting: .seconds(1000))
        let accepted = fixture.provider.token(lasting: .seconds(2000))
        fixture.provider.next(refused, accepted)
        fixture.server.next(path, .status(401), .status(200))
        let session = try await fixture.session()
        #expect(try await session.api.get(path).status == 200)
        #expect(
            fixture.server.requests.map { $0.headers["Authorization"] } == [
                "Bearer \(refused)", "Bearer \(accepted)",
            ])
    }

    @Test func `a second 401 ends the request`() async throws {
        fixture.server.always(path, .status(401))
        let session = try await fixture.session()
        await #expect(throws: APIError.self) { try await session.api.get(path) }
        #expect(fixture.server.requests.count == 2)
        #expect(fixture.provider.calls == 2)
    }

    @Test func `requests that were refused together share one new token`() async throws {
        fixture.server.next(path, .status(401), .status(401))
        fixture.server.hold(path)
        let session = try await fixture.session()
        async let first = session.api.get(path)
        async let second = session.api.get(path)
        try await fixture.server.untilHeld(path, 2)
        fixture.provider.next(
            fixture.provider.token(lasting: .seconds(4000)), fixture.provider.token(lasting: .seconds(5000)))
        fixture.server.release(path)
        _ = try await (first, second)
        #expect(fixture.provider.calls == 2)
    }

    @Test func `a token of another user is never used in the same session`() async throws {
        fixture.provider.next(fixture.provider.token(lasting: .seconds(61)))
        let session = try await fixture.session()
        _ = try await session.api.get(path)
        fixture.clock.advance(by: .seconds(10))
        fixture.provider.next(fixture.provider.token(subject: "user-2"))
        await #expect(throws: APIError(.noToken(.otherUser))) { try await session.api.get(path) }
        #expect(fixture.server.requests.count == 1)
    }

    @Test(
        arguments: [
            (4711, "4711"), (9_007_199_254_740_993, "9007199254740993"), ("4711", "4711"),
            (.number(1e3), "1000"),
            ("zoë", "zoë"),
        ] as [(JSONValue, String)])
    func `a token's user may be a whole number, in the claim that the server reads`(
        claim: JSONValue, subject: String
    ) async throws {
        let token = TestToken.unsigned(expires: nil, claims: ["sub": "other", "customer": claim])
        #expect(try AppToken(token, userClaim: "customer").subject == subject)
        fixture.provider.next(TestToken.unsigned(expires: nil, claims: ["sub": claim]))
        let session = try await fixture.session()
        #expect(try await session.api.get(path).status == 200)
    }

    @Test(
        arguments: [
            true, .null, "", .number(4711.5), .number(1e19), ["4711"], "a\u{0}b", "account:1",
            .string(String(repeating: "x", count: 129)),
        ] as [JSONValue])
    func `a user claim that the server would refuse is refused before it is sent, with the rule`(
        claim: JSONValue
    )
        async throws
    {
        fixture.provider.next(TestToken.unsigned(expires: nil, claims: ["sub": claim]))
        let session = try await fixture.session()
        await #expect { try await session.api.get(path) } throws: { error in
            guard case .noToken(.malformed(let reason)) = (error as? APIError)?.kind else { return false }
            return reason.hasPrefix("the claim `sub` names no user: a text of 1 to 128 characters")
        }
        #expect(fixture.server.requests.isEmpty)
    }

    @Test func `a token with an invalid expiry, with padding or above 16 KiB is refused`()
        throws
    {
        let good = TestToken.unsigned(expires: nil)
        #expect(throws: TokenError.malformed("the claim `exp` is no number of seconds")) {
            try AppToken(TestToken.unsigned(expires: nil, claims: ["exp": "soon"]), userClaim: "sub")
        }
        for text in [good.replacing(".", with: "=."), good + String(repeating: "a", count: 16_384)] {
            #expect(throws: TokenError.self) { try AppToken(text, userClaim: "sub") }
        }
        #expect(try AppToken(good, userClaim: "sub").subject == "user-1")
    }

    @Test(arguments: ["", "x", "a.b.c", "a.e30.c", "a.e30.c\r\nEvil: 1", "ä.e30.c"])
    func `a text that is not a token with a user is refused before it is sent`(text: String) async throws {
        fixture.provider.next(text)
        let session = try await fixture.session()
        await #expect { try await session.api.get(path) } throws: { error in
            guard case .noToken(.malformed) = (error as? APIError)?.kind else { return false }
            return true
        }
        #expect(fixture.server.requests.isEmpty)
    }

    @Test func `the life of a token is measured by the server's clock`() async throws {
        fixture.provider.next(fixture.provider.token(lasting: .seconds(120)))
        let ahead = fixture.clock.now() + .seconds(100)
        fixture.server.next(path, .status(200, headers: [InlayHeader.serverTime: "\(ahead.microseconds)"]))
        let session = try await fixture.session()
        _ = try await session.api.get(path)
        _ = try await session.api.get(path)
        #expect(fixture.provider.calls == 2)
    }

    @Test func `a refreshed token is reported to the app, the first one is not`() async throws {
        fixture.provider.next(fixture.provider.token(lasting: .seconds(61)))
        let session = try await fixture.session()
        let events = StreamRecorder(session.events.observe())
        _ = try await session.api.get(path)
        fixture.clock.advance(by: .seconds(10))
        _ = try await session.api.get(path)
        try await events.until(count: 2)
        #expect(events.elements.map(\.name) == [.sdkInitialized, .tokenRefreshed])
    }
}
