import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// No id, key or token of one environment opens anything of another.
@Suite(.timeLimit(.minutes(5))) struct TenancyTests {
    @Test func `an environment with another environment's API key is an unknown key`() async throws {
        try await TestApp.run { app in
            let harbor = try await TestTenant.make(app, "harbor"),
                rival = try await TestTenant.make(app, "rival")
            var headers = try harbor.headers(app)
            headers["Inlay-Api-Key"] = rival.apiKey.id
            #expect(try await app.send("GET", "/test/whoami", headers: headers).code == "unknown-key")
            headers["Inlay-Environment"] = "rival"
            #expect(try await app.send("GET", "/test/whoami", headers: headers).code == "token-wrong-key")
            headers["Inlay-Environment"] = "nowhere"
            #expect(try await app.send("GET", "/test/whoami", headers: headers).code == "unknown-key")
            headers["Inlay-Environment"] = nil
            #expect(try await app.send("GET", "/test/whoami", headers: headers).code == "unknown-key")
        }
    }

    @Test func `a token accepted in one environment is not remembered for another`() async throws {
        try await TestApp.run { app in
            let harbor = try await TestTenant.make(app, "harbor"),
                rival = try await TestTenant.make(app, "rival")
            let token = try harbor.signer.token(user: "alice", at: app.clock.now)
            #expect(
                try await app.send("GET", "/test/whoami", headers: harbor.headers(token: token)).status == 200
            )
            #expect(
                try await app.send("GET", "/test/whoami", headers: rival.headers(token: token)).code
                    == "token-wrong-key")
        }
    }

    @Test func `a secret key opens its own environment only`() async throws {
        try await TestApp.run { app in
            let harbor = try await TestTenant.make(app, "harbor"),
                rival = try await TestTenant.make(app, "rival")
            #expect(
                try await app.send("GET", "/test/backend", headers: harbor.backend).text.contains("harbor"))
            var mixed = harbor.backend
            mixed["Inlay-Environment"] = "rival"
            #expect(try await app.send("GET", "/test/backend", headers: mixed).code == "unknown-key")
            // A user's token is no secret key, and a secret key no user's token.
            #expect(
                try await app.send("GET", "/test/backend", headers: try rival.headers(app)).code
                    == "unknown-key")
            #expect(
                try await app.send("GET", "/test/whoami", headers: harbor.headers(token: harbor.secret)).code
                    == "token-malformed")
        }
    }

    @Test func `a secret key with one wrong letter is refused`() async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            let last = tenant.secret.last == "A" ? "B" : "A"
            for secret in [
                String(tenant.secret.dropLast()) + last, tenant.secret + "A", tenant.secretKeyID, "sk_",
                "sk__", "",
            ] {
                let headers = ["Inlay-Environment": "harbor", "Authorization": "Bearer \(secret)"]
                #expect(try await app.send("GET", "/test/backend", headers: headers).code == "unknown-key")
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a revoked key ends at once, an equal id in another environment lives on`(_ engine: SQLEngine)
        async throws
    {
        try await TestApp.run(engine) { app in
            let harbor = try await TestTenant.make(app, "harbor"),
                rival = try await TestTenant.make(app, "rival")
            let environments = app.services.environments
            let headers = try harbor.headers(app)
            #expect(try await app.send("GET", "/test/whoami", headers: headers).status == 200)
            #expect(try await app.send("GET", "/test/backend", headers: harbor.backend).status == 200)
            await #expect(throws: Problem.self) {
                try await environments.revokeApiKey("rival", harbor.apiKey.id)
            }
            await #expect(throws: Problem.self) {
                try await environments.revokeSecretKey("rival", harbor.secretKeyID)
            }
            #expect(try await app.send("GET", "/test/whoami", headers: headers).status == 200)
            try await environments.revokeApiKey("harbor", harbor.apiKey.id)
            try await environments.revokeSecretKey("harbor", harbor.secretKeyID)
            #expect(try await app.send("GET", "/test/whoami", headers: headers).code == "unknown-key")
            #expect(try await app.send("GET", "/test/backend", headers: harbor.backend).code == "unknown-key")
            #expect(try await app.send("GET", "/test/whoami", headers: try rival.headers(app)).status == 200)
            #expect(try await environments.apiKeys("rival").map(\.id) == [rival.apiKey.id])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `users of one environment are invisible to another, also under the same id`(_ engine: SQLEngine)
        async throws
    {
        try await TestApp.run(engine) { app in
            let harbor = try await TestTenant.make(app, "harbor"),
                rival = try await TestTenant.make(app, "rival")
            let put = try await app.sendJSON(
                "PUT", "/v1/users/alice", headers: harbor.backend, #"{"city":"Kiel"}"#)
            #expect(put.status == 204)
            #expect(try await app.send("GET", "/v1/users/alice", headers: rival.backend).code == "not-found")
            _ = try await app.sendJSON(
                "PUT", "/v1/users/alice", headers: rival.backend, #"{"city":"Bergen"}"#)
            let users = app.services.users
            #expect(try await users.user("harbor", "alice")?.profile.text("city") == "Kiel")
            #expect(try await users.user("rival", "alice")?.profile.text("city") == "Bergen")
            #expect(try await users.ids("harbor", .profile(field: "city", value: "Bergen")) == [])
            _ = try await app.sendJSON("PUT", "/v1/users/only", headers: rival.backend, "{}")
            #expect(try await users.ids("harbor", .all) == ["alice"])
            #expect(try await users.users("harbor").map(\.id) == ["alice"])
            #expect(try await users.count("rival") == 2)
        }
    }

    @Test func `a request cannot bring the id of an environment, only that of a user or record`() {
        let types: [Any.Type] = [EnvironmentID.self, UserID.self]
        #expect(types.map { $0 is any Decodable.Type } == [false, true])
    }
}
