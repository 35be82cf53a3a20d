import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayBehaviorsServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// Tests of `/oauth/token` and of requests with its tokens.
@Suite struct OAuthTests {
    private struct Failure: Decodable { let error: String }

    private func error(_ answer: TestAppResponse) throws -> String {
        try JSONDecoder().decode(Failure.self, from: answer.body).error
    }

    @Test(arguments: SQLEngine.allCases)
    func `a refresh token gives an access token of four hours`(_ engine: SQLEngine) async throws {
        try await BehaviorSite.run(engine) { site in
            let answer = try await BehaviorSite.grant(site.app, site.credentials)
            #expect(answer.status == 200 && answer.headers["cache-control"] == "no-store")
            let granted = try JSONDecoder().decode(BehaviorSite.Granted.self, from: answer.body)
            #expect(granted.expires_in == 14_400 && granted.token_type == "bearer")
            let headers = ["Authorization": "Bearer \(granted.access_token)"]
            let body = BehaviorSite.body([BehaviorSite.event("e1")])
            #expect(try await site.submit(body, headers: headers).status == 200)
            site.app.clock.advance(by: .seconds(14_401))
            let late = try await site.submit(body, headers: headers)
            #expect(late.status == 401)
            #expect(try late.code == "token-expired")
        }
    }

    @Test func `wrong credentials are answered in the words of RFC 6749`() async throws {
        try await BehaviorSite.run { site in
            let good = site.credentials
            func ask(_ fields: [(String, String)]) async throws -> (Int, String) {
                let answer = try await BehaviorSite.form(site.app, "/oauth/token", fields)
                return (answer.status, try error(answer))
            }
            let base = [("client_id", good.clientID.rawValue), ("client_secret", good.clientSecret)]
            let token = [("refresh_token", good.refreshToken)]
            let kind = [("grant_type", "refresh_token")]
            #expect(try await ask(base + token) == (400, "invalid_request"))
            #expect(
                try await ask([("grant_type", "password")] + base + token) == (400, "unsupported_grant_type"))
            #expect(try await ask(kind + token) == (400, "invalid_request"))
            #expect(try await ask(kind + base) == (400, "invalid_request"))
            #expect(
                try await ask(
                    kind + token + [("client_id", good.clientID.rawValue), ("client_secret", "no")])
                    == (401, "invalid_client"))
            #expect(
                try await ask(
                    kind + token + [("client_id", "oc_nobody"), ("client_secret", good.clientSecret)])
                    == (401, "invalid_client"))
            #expect(try await ask(kind + base + [("refresh_token", "ort_no")]) == (400, "invalid_grant"))
            let json = try await site.app.sendJSON("POST", "/oauth/token", "{}")
            #expect(json.status == 415)
            #expect(try error(json) == "invalid_request")
        }
    }

    @Test func `a client may name itself in the header`() async throws {
        try await BehaviorSite.run { site in
            let pair = Data("\(site.credentials.clientID):\(site.credentials.clientSecret)".utf8)
            let answer = try await BehaviorSite.form(
                site.app, "/oauth/token",
                [("grant_type", "refresh_token"), ("refresh_token", site.credentials.refreshToken)],
                headers: ["Authorization": "Basic \(pair.base64EncodedString())"])
            #expect(answer.status == 200)
            let wrong = try await BehaviorSite.form(
                site.app, "/oauth/token",
                [("grant_type", "refresh_token"), ("refresh_token", site.credentials.refreshToken)],
                headers: ["Authorization": "Basic \(Data("oc_x:y".utf8).base64EncodedString())"])
            #expect(wrong.status == 401 && wrong.headers["www-authenticate"]?.hasPrefix("Basic") == true)
        }
    }

    @Test func `guessing is slowed down and a right client from the same address is not`() async throws {
        try await BehaviorSite.run { site in
            var wrong = [("grant_type", "refresh_token"), ("client_id", site.credentials.clientID.rawValue)]
            wrong += [("client_secret", "guess"), ("refresh_token", "guess")]
            for _ in 0..<10 {
                #expect(try await BehaviorSite.form(site.app, "/oauth/token", wrong).status == 401)
            }
            let held = try await BehaviorSite.form(site.app, "/oauth/token", wrong)
            #expect(held.status == 429 && held.headers["retry-after"] != nil)
            let other = try await site.behaviors.oauth.addClient(site.environmentID, name: "Other")
            #expect(try await BehaviorSite.grant(site.app, other.credentials).status == 200)
            site.app.clock.advance(by: .seconds(901))
            #expect(try await BehaviorSite.grant(site.app, site.credentials).status == 200)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a revoked client and its tokens end at once`(_ engine: SQLEngine) async throws {
        try await BehaviorSite.run(engine) { site in
            let body = BehaviorSite.body([BehaviorSite.event("e1")])
            #expect(try await site.submit(body).status == 200)
            try await site.behaviors.oauth.revokeClient(site.environmentID, site.credentials.clientID)
            #expect(try await site.submit(body).status == 401)
            #expect(try await BehaviorSite.grant(site.app, site.credentials).status == 401)
            let clients = try await site.behaviors.oauth.clients(site.environmentID)
            #expect(clients.map(\.name) == ["App"] && clients.first?.revokedAt != nil)
            #expect(clients.first?.usedAt != nil)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `no secret is stored as it is`(_ engine: SQLEngine) async throws {
        try await BehaviorSite.run(engine) { site in
            let rows = try await site.app.services.database.read {
                try $0.rows("SELECT * FROM oauth_clients") + $0.rows("SELECT * FROM oauth_tokens")
            }
            let text = "\(rows)"
            #expect(rows.count == 2)
            for secret in [site.credentials.clientSecret, site.credentials.refreshToken, site.token] {
                #expect(!text.contains(secret))
            }
        }
    }

    @Test func `a token of one environment opens nothing of another`() async throws {
        try await BehaviorSite.run { site in
            let other = try await BehaviorSite.make(site.app, "other")
            let headers = ["Authorization": "Bearer \(site.token)", "Inlay-Environment": "other"]
            _ = try await site.receipts(BehaviorSite.body([BehaviorSite.event("e1")]), headers: headers)
            #expect(try await site.rows().count == 1)
            #expect(try await other.rows().isEmpty)
            await #expect(throws: Problem.self) {
                try await site.behaviors.oauth.revokeClient("other", site.credentials.clientID)
            }
            #expect(try await site.submit(BehaviorSite.body([BehaviorSite.event("e2")])).status == 200)
        }
    }

    @Test func `old access tokens make room for new ones`() async throws {
        try await BehaviorSite.run { site in
            let store = site.behaviors.oauth
            for _ in 0..<3 {
                site.app.clock.advance(by: .seconds(60))
                _ = try await BehaviorSite.grant(site.app, site.credentials)
            }
            site.app.clock.advance(by: .seconds(14_400 - 90))
            try await store.purgeExpired()
            let left = try await site.app.services.database.read {
                try $0.row("SELECT COUNT(*) AS n FROM oauth_tokens")?.int("n")
            }
            #expect(left == 2)
        }
    }

    @Test func `a flood of invented clients clears no count of wrong credentials`() throws {
        let moment = TestClock().now
        let attempts = CallerLimiter(now: { moment })
        for _ in 0..<10 { attempts.countOAuthFailure("oc_x", from: "192.0.2.1") }
        for number in 0..<60_000 {
            attempts.countOAuthFailure("oc_\(number)", from: "198.51.100.\(number % 200)")
        }
        #expect(throws: Refusal.self) { try attempts.checkOAuth("oc_x", from: "192.0.2.1") }
        for number in 0..<100 { attempts.countOAuthFailure("a\(number)", from: "2001:db8::\(number)") }
        #expect(throws: Refusal.self) { try attempts.checkOAuth("oc_y", from: "2001:db8::ffff") }
    }
}
