import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayDevicesServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// Tokens of accounts: which requests they authenticate, how they are renewed, when they end.
@Suite(.timeLimit(.minutes(5))) struct SessionTests {
    @Test(arguments: SQLEngine.allCases)
    func `a refresh token works once, and its second use ends the whole session`(
        _ engine: SQLEngine
    ) async throws {
        try await DeviceSite.run(engine) { site in
            let first = try await site.proven("ada@example.com").session
            let second = try await site.refresh(first.refreshToken).as(AccountOpening.self).session
            #expect(second.refreshToken != first.refreshToken && second.accessToken != first.accessToken)
            let third = try await site.refresh(second.refreshToken).as(AccountOpening.self).session
            #expect(try await opens(site, third))
            // A thief kept a copy of the first refresh token.
            let copy = try await site.refresh(first.refreshToken)
            #expect(copy.status == 401)
            #expect(try copy.code == "account.session-ended")
            for session in [first, second, third] { #expect(try await !opens(site, session)) }
            #expect(try await site.refresh(third.refreshToken).status == 401)
            #expect(try await site.logIn("ada@example.com").status == 200)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a refresh whose answer was lost may be asked again within a minute`(_ engine: SQLEngine)
        async throws
    {
        try await DeviceSite.run(engine) { site in
            let first = try await site.proven("ada@example.com").session
            let lost = try await site.refresh(first.refreshToken).as(AccountOpening.self).session
            site.app.clock.advance(by: .seconds(50))
            let again = try await site.refresh(first.refreshToken).as(AccountOpening.self).session
            #expect(try await opens(site, again))
            let next = try await site.refresh(again.refreshToken).as(AccountOpening.self).session
            #expect(try await opens(site, next))
            // The refresh token of the lost response is used after all: it counts as a copy now.
            #expect(try await site.refresh(lost.refreshToken).status == 401)
            #expect(try await !opens(site, next))
        }
    }

    @Test func `a refresh token that is used again after a minute ends the session`() async throws {
        try await DeviceSite.run { site in
            let first = try await site.proven("ada@example.com").session
            let second = try await site.refresh(first.refreshToken).as(AccountOpening.self).session
            site.app.clock.advance(by: .seconds(61))
            #expect(try await site.refresh(first.refreshToken).status == 401)
            #expect(try await site.refresh(second.refreshToken).status == 401)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `of many concurrent refreshes only one chain of tokens stays valid`(_ engine: SQLEngine) async throws
    {
        try await DeviceSite.run(engine) { site in
            let first = try await site.proven("ada@example.com").session
            let answers = try await withThrowingTaskGroup(of: TestAppResponse.self) { group in
                for _ in 0..<4 { group.addTask { try await site.refresh(first.refreshToken) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let sessions = try answers.map { try $0.as(AccountOpening.self).session }
            #expect(Set(sessions.map(\.refreshToken)).count == 4)
            #expect(try await site.refresh(sessions[2].refreshToken).status == 200)
            #expect(try await site.refresh(sessions[1].refreshToken).status == 401)
        }
    }

    @Test func `tokens live half an hour, sessions ninety days unused and a year at most`() async throws {
        try await DeviceSite.run { site in
            var session = try await site.proven("ada@example.com").session
            site.app.clock.advance(by: .seconds(1799))
            #expect(try await opens(site, session))
            site.app.clock.advance(by: .seconds(1))
            #expect(try await !opens(site, session))
            for _ in 0..<4 {
                site.app.clock.advance(by: .seconds(89 * 86_400))
                session = try await site.refresh(session.refreshToken).as(AccountOpening.self).session
            }
            site.app.clock.advance(by: .seconds(10 * 86_400))
            #expect(try await site.refresh(session.refreshToken).status == 401)
            let other = try await site.logIn("ada@example.com").as(AccountOpening.self).session
            site.app.clock.advance(by: .seconds(90 * 86_400))
            #expect(try await site.refresh(other.refreshToken).status == 401)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `logging out ends one session, and logging out everywhere all of them`(_ engine: SQLEngine)
        async throws
    {
        try await DeviceSite.run(engine) { site in
            let phone = try await site.proven("ada@example.com").session
            let tablet = try await site.logIn("ada@example.com").as(AccountOpening.self).session
            let desktop = try await site.logIn("ada@example.com").as(AccountOpening.self).session
            let eve = try await site.proven("eve@example.com").session
            #expect(try await opens(site, phone))
            #expect(
                try await site.send("DELETE", "/v1/devices/sessions", token: phone.accessToken).status == 204)
            #expect(try await !opens(site, phone))
            #expect(try await site.refresh(phone.refreshToken).status == 401)
            #expect(try await opens(site, tablet))
            #expect(
                try await site.send("DELETE", "/v1/devices/sessions/all", token: tablet.accessToken).status
                    == 204)
            for session in [tablet, desktop] {
                #expect(try await !opens(site, session))
                #expect(try await site.refresh(session.refreshToken).status == 401)
            }
            #expect(try await opens(site, eve))
        }
    }

    @Test func `an account's token speaks for its user on every client route and on the socket`() async throws
    {
        try await DeviceSite.run { site in
            let tenant = try await makeTenant(site, DeviceSite.environmentID)
            let opening = try await site.proven("ada@example.com")
            let headers = tenant.headers(token: opening.session.accessToken)
            let seen = try await site.app.send("GET", "/test/whoami", headers: headers)
                .as(EchoFeature.Identity.self)
            #expect(seen.user == "account:\(opening.account.id)" && seen.environment == "harbor")
            #expect(try await site.app.services.users.user("harbor", seen.user) != nil)
            try await TestSocket.open(site.app, headers) { socket in
                guard case .message(.hello) = try await socket.nextMessage() else {
                    throw TestFailure("No hello.")
                }
                _ = try await site.send(
                    "DELETE", "/v1/devices/sessions", token: opening.session.accessToken)
                #expect(try await socket.nextMessage() == .closed(4001))
            }
            let ended = try await site.app.send("GET", "/test/whoami", headers: headers)
            #expect(ended.status == 401)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a revoked application's sockets end at once, and nobody else's`(_ engine: SQLEngine) async throws {
        try await DeviceSite.run(engine) { site in
            let tenant = try await makeTenant(site, DeviceSite.environmentID)
            let other = try await DeviceSite.make(site.app)
            let ada = try await site.proven("ada@example.com").session.accessToken
            let eve = try await other.proven("eve@example.com").session.accessToken
            try await TestSocket.open(site.app, tenant.headers(token: eve)) { kept in
                _ = try await kept.nextMessage()
                try await TestSocket.open(site.app, tenant.headers(token: ada)) { socket in
                    guard case .message(.hello) = try await socket.nextMessage() else {
                        throw TestFailure("No hello.")
                    }
                    try await site.feature.applications.revoke(DeviceSite.environmentID, site.application.id)
                    #expect(try await socket.nextMessage() == .closed(4001))
                }
                try await kept.subscribe(["test/kept"])
                guard case .message(.changed) = try await kept.nextMessage() else {
                    throw TestFailure("Another application's socket ended with it.")
                }
            }
            let refused = try await site.app.send("GET", "/test/whoami", headers: tenant.headers(token: ada))
            #expect(refused.status == 401)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `sockets are closed even if the notification of a revocation was lost`(_ engine: SQLEngine)
        async throws
    {
        try await DeviceSite.run(engine) { site in
            let tenant = try await makeTenant(site, DeviceSite.environmentID)
            let (old, other) = (try await DeviceSite.make(site.app), try await DeviceSite.make(site.app))
            let (ada, eve) = (
                try await site.proven("ada@example.com").session.accessToken,
                try await other.proven("eve@example.com").session.accessToken
            )
            try await TestSocket.open(site.app, tenant.headers(token: eve)) { kept in
                _ = try await kept.nextMessage()
                try await TestSocket.open(site.app, tenant.headers(token: ada)) { socket in
                    guard case .message(.hello) = try await socket.nextMessage() else {
                        throw TestFailure("No hello.")
                    }
                    // Another node revokes it, and its message does not arrive.
                    try await revokeSilently(site)
                    try await site.feature.endRevoked("")
                    #expect(try await socket.nextMessage() == .closed(4001))
                }
                try await kept.subscribe(["test/kept"])
                guard case .message(.changed) = try await kept.nextMessage() else {
                    throw TestFailure("Another application's socket ended with it.")
                }
            }
            // An application revoked long ago has no valid token left, so its accounts are not looked up.
            try await revokeSilently(old)
            site.app.clock.advance(by: AccountTokenStore.accessTokenLifetime)
            #expect(
                try await site.feature.applications.revoked(within: AccountTokenStore.accessTokenLifetime)
                    .isEmpty)
        }
    }

    private func revokeSilently(_ site: DeviceSite) async throws {
        let moment = site.app.clock.now
        try await site.app.services.database.write {
            try $0.execute(
                "UPDATE device_applications SET revoked_at = ? WHERE id = ?",
                [.moment(moment), .id(site.application.id)])
        }
    }

    @Test func `an account's token opens nothing in another environment or application`() async throws {
        try await DeviceSite.run { site in
            let other = try await makeTenant(site, "other")
            let next = try await DeviceSite.make(site.app)
            let opening = try await site.proven("ada@example.com")
            let token = opening.session.accessToken
            #expect(
                try await site.app.send("GET", "/test/whoami", headers: other.headers(token: token)).status
                    == 401)
            #expect(try await next.send("GET", "/v1/devices", token: token).status == 401)
            #expect(try await next.refresh(opening.session.refreshToken).status == 401)
            #expect(try await opens(site, opening.session))
        }
    }

    @Test func `no token of the app's own backend can name an account's user`() async throws {
        try await DeviceSite.run { site in
            let tenant = try await makeTenant(site, DeviceSite.environmentID)
            let opening = try await site.proven("ada@example.com")
            let headers = try tenant.headers(site.app, user: "account:\(opening.account.id)")
            #expect(try await site.app.send("GET", "/test/whoami", headers: headers).status == 401)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an application token names user and app to the backend until the log-out`(
        _ engine: SQLEngine
    ) async throws {
        try await DeviceSite.run(engine) { site in
            let tenant = try await makeTenant(site, DeviceSite.environmentID)
            let stranger = try await makeTenant(site, "other")
            let opening = try await site.proven("ada@example.com")
            func give() async throws -> String {
                try await site.send(
                    "POST", "/v1/devices/application-token", token: opening.session.accessToken
                ).as(ApplicationToken.self).token
            }
            func holder(_ token: String, _ headers: [String: String]) async throws -> TestAppResponse {
                try await site.app.sendJSON(
                    "POST", "/v1/devices/application-token/holder", headers: headers,
                    #"{"token":"\#(token)"}"#)
            }
            let first = try await give()
            let found = try await holder(first, tenant.backend).as(ApplicationTokenHolder.self)
            #expect(found.account == opening.account && found.applicationID == site.application.id)
            #expect(try await holder(first, stranger.backend).status == 404)
            let second = try await give()
            #expect(try await holder(first, tenant.backend).status == 404)
            #expect(try await holder(second, tenant.backend).status == 200)
            // Neither token is accepted in place of the other.
            #expect(try await site.send("GET", "/v1/devices", token: second).status == 401)
            #expect(try await holder(opening.session.accessToken, tenant.backend).status == 404)
            _ = try await site.send("DELETE", "/v1/devices/sessions", token: opening.session.accessToken)
            #expect(try await holder(second, tenant.backend).status == 404)
        }
    }

    @Test func `a token has a prefix, 256 bits, and letters that reveal a typing error`() {
        let tokens = (0..<100).map { _ in OpaqueToken.make(OpaqueToken.access) }
        #expect(Set(tokens).count == 100)
        #expect(tokens.allSatisfy { $0.wholeMatch(of: /ina_[A-Za-z0-9_-]{49}/) != nil })
        #expect(tokens.allSatisfy { OpaqueToken.isWellFormed($0, OpaqueToken.access) })
        #expect(tokens.allSatisfy { !OpaqueToken.isWellFormed($0, OpaqueToken.refresh) })
        let wrong = tokens.map { token in
            var letters = Array(token)
            letters[20] = letters[20] == "A" ? "B" : "A"
            return String(letters)
        }
        #expect(wrong.allSatisfy { !OpaqueToken.isWellFormed($0, OpaqueToken.access) })
    }

    private func opens(_ site: DeviceSite, _ session: AccountSession) async throws -> Bool {
        try await site.send("GET", "/v1/devices", token: session.accessToken).status == 200
    }

    private func makeTenant(_ site: DeviceSite, _ id: EnvironmentID) async throws -> TestTenant {
        if id != DeviceSite.environmentID { return try await TestTenant.make(site.app, id) }
        let environments = site.app.services.environments
        let signer = DevelopmentSigner()
        let key = try await environments.addApiKey(
            id, name: "app", rules: TokenRules(publicKey: signer.publicKeyPEM))
        let secret = try await environments.addSecretKey(id, name: "backend")
        return TestTenant(
            environmentID: id, apiKey: key, secret: secret.secret, secretKeyID: secret.key.id,
            signer: signer)
    }
}
