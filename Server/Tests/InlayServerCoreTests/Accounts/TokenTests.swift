import Crypto
import CryptoExtras
import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// The acceptance or refusal of every kind of token that an app may send.
@Suite(.timeLimit(.minutes(5))) struct TokenTests {
    /// Returns the claims of a valid token after the test's change.
    private func claims(_ app: TestApp, _ change: (inout [String: JSONValue]) -> Void = { _ in }) -> [String:
        JSONValue]
    {
        let now = Int64(app.clock.now.seconds)
        var claims: [String: JSONValue] = ["sub": "alice", "iat": .integer(now), "exp": .integer(now + 3600)]
        change(&claims)
        return claims
    }

    private func send(_ app: TestApp, _ tenant: TestTenant, _ token: String) async throws -> TestAppResponse {
        try await app.send("GET", "/test/whoami", headers: tenant.headers(token: token))
    }

    /// Returns `accepted`, or the code of the refusal.
    private func verdict(_ app: TestApp, _ tenant: TestTenant, _ token: String) async throws -> String {
        let answer = try await send(app, tenant, token)
        return answer.status == 200 ? "accepted" : try answer.code
    }

    @Test func `a valid token names the user and the environment`() async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            let answer = try await app.send(
                "GET", "/test/whoami", headers: try tenant.headers(app, user: "zoë"))
            let identity = try JSONDecoder().decode(EchoFeature.Identity.self, from: answer.body)
            #expect(identity == .init(environment: "harbor", user: "zoë", version: "1.2"))
        }
    }

    @Test func `an RS256 token and an EdDSA token are accepted with their own keys`() async throws {
        try await TestApp.run { app in
            let rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            let ed = Curve25519.Signing.PrivateKey()
            let rsaTenant = try await TestTenant.make(app, "rsa") {
                $0.publicKey = rsa.publicKey.pemRepresentation
            }
            let edTenant = try await TestTenant.make(app, "ed") {
                $0.publicKey = ForgedToken.pem(ed.publicKey)
            }
            let rsaToken = try ForgedToken.make("RS256", claims(app)) {
                try rsa.signature(for: SHA256.hash(data: $0), padding: .insecurePKCS1v1_5).rawRepresentation
            }
            let edToken = try ForgedToken.make("EdDSA", claims(app)) { try ed.signature(for: $0) }
            #expect(try await verdict(app, rsaTenant, rsaToken) == "accepted")
            #expect(try await verdict(app, edTenant, edToken) == "accepted")
            #expect(try await verdict(app, rsaTenant, edToken) == "token-wrong-key")
        }
    }

    @Test func `a stored key still verifies tokens, although it would be refused as a new one`() async throws
    {
        try await TestApp.run { app in
            let rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            // The RSA library accepts a block with any label, and earlier versions did not check it.
            let stored = rsa.publicKey.pemRepresentation.replacing("PUBLIC KEY", with: "RSA KEY")
            await #expect(throws: Problem.self) {
                try await TestTenant.make(app, "new") { $0.publicKey = stored }
            }
            let tenant = try await TestTenant.make(app, "old") {
                $0.publicKey = rsa.publicKey.pemRepresentation
            }
            try await app.services.database.write {
                _ = try $0.execute(
                    "UPDATE api_keys SET public_key = ? WHERE id = ?",
                    [.text(stored), .text(tenant.apiKey.id)])
            }
            let token = try ForgedToken.make("RS256", claims(app)) {
                try rsa.signature(for: SHA256.hash(data: $0), padding: .insecurePKCS1v1_5).rawRepresentation
            }
            #expect(try await verdict(app, tenant, token) == "accepted")
        }
    }

    @Test func `a token signed with another key is refused`() async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            let stranger = DevelopmentSigner()
            #expect(try await verdict(app, tenant, stranger.token(claims: claims(app))) == "token-wrong-key")
        }
    }

    @Test func `a token whose payload was changed after signing is refused`() async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            let parts = try tenant.signer.token(claims: claims(app)).split(separator: ".")
            let forged = Secret.base64URL(try JSONEncoder().encode(claims(app) { $0["sub"] = "admin" }))
            #expect(try await verdict(app, tenant, "\(parts[0]).\(forged).\(parts[2])") == "token-wrong-key")
        }
    }

    @Test func `a token without signature or with algorithm none is refused`() async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            for name in ["none", "None", "NONE", ""] {
                let token = try ForgedToken.make(name, claims(app)) { _ in Data() }
                #expect(try await verdict(app, tenant, token) == "token-wrong-algorithm")
            }
            let parts = try tenant.signer.token(claims: claims(app)).split(separator: ".")
            #expect(try await verdict(app, tenant, "\(parts[0]).\(parts[1]).") == "token-wrong-key")
        }
    }

    @Test func `a token signed with the public key as an HMAC secret is refused`() async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            let secret = SymmetricKey(data: Data(tenant.signer.publicKeyPEM.utf8))
            let token = try ForgedToken.make("HS256", claims(app)) {
                Data(HMAC<SHA256>.authenticationCode(for: $0, using: secret))
            }
            #expect(try await verdict(app, tenant, token) == "token-wrong-algorithm")
        }
    }

    @Test func `an algorithm that the API key does not list is refused`() async throws {
        try await TestApp.run { app in
            let ed = Curve25519.Signing.PrivateKey()
            let tenant = try await TestTenant.make(app) {
                $0.publicKey = ForgedToken.pem(ed.publicKey)
                $0.algorithms = [.eddsa]
            }
            let token = try DevelopmentSigner().token(claims: claims(app))
            #expect(try await verdict(app, tenant, token) == "token-wrong-algorithm")
        }
    }

    @Test(arguments: [
        ("exp", JSONValue.integer(-1), "token-expired"), ("exp", .integer(0), "token-expired"),
        ("exp", .string("soon"), "token-expired"), ("exp", .integer(8 * 24 * 3600), "token-expired"),
        ("nbf", .integer(31), "token-not-yet-valid"), ("iat", .integer(31), "token-not-yet-valid"),
    ])
    func `a token outside its time is refused`(_ claim: String, _ offset: JSONValue, _ code: String)
        async throws
    {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            let value: JSONValue =
                if case .integer(let seconds) = offset {
                    .integer(Int64(app.clock.now.seconds) + seconds)
                } else { offset }
            let token = try tenant.signer.token(claims: claims(app) { $0[claim] = value })
            #expect(try await verdict(app, tenant, token) == code)
        }
    }

    @Test func `a token without an end is refused`() async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            let token = try tenant.signer.token(claims: claims(app) { $0["exp"] = nil })
            #expect(try await verdict(app, tenant, token) == "token-expired")
        }
    }

    @Test func `clocks may differ by half a minute, and a token may live exactly as long as allowed`()
        async throws
    {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app) { $0.maximumLife = .seconds(600) }
            let now = Int64(app.clock.now.seconds)
            let ahead = try tenant.signer.token(
                claims: claims(app) {
                    $0["nbf"] = .integer(now + 30)
                    $0["exp"] = .integer(now + 600)
                })
            #expect(try await verdict(app, tenant, ahead) == "accepted")
            // For a token issued in the past, the limit is on the whole lifetime, not on the rest of it.
            let old = try tenant.signer.token(
                claims: claims(app) {
                    $0["iat"] = .integer(now - 100)
                    $0["exp"] = .integer(now + 501)
                })
            #expect(try await verdict(app, tenant, old) == "token-expired")
        }
    }

    @Test func `a token that was accepted ends at its end, to the second`() async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            let token = try tenant.signer.token(claims: claims(app))
            #expect(try await verdict(app, tenant, token) == "accepted")
            app.clock.advance(by: .seconds(3599))
            #expect(try await verdict(app, tenant, token) == "accepted")
            app.clock.advance(by: .seconds(1))
            #expect(try await verdict(app, tenant, token) == "token-expired")
        }
    }

    @Test func `a token for another audience or of another issuer is refused`() async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app) {
                $0.audience = "inlay"
                $0.issuer = "https://harbor.example"
            }
            let right = claims(app) {
                $0["aud"] = ["other", "inlay"]
                $0["iss"] = "https://harbor.example"
            }
            #expect(try await verdict(app, tenant, tenant.signer.token(claims: right)) == "accepted")
            for (claim, value) in [
                ("aud", "other"), ("aud", nil), ("iss", "https://evil.example"), ("iss", nil),
            ] {
                let token = try tenant.signer.token(
                    claims: right.merging([claim: value.map(JSONValue.string) ?? .null]) { $1 })
                #expect(try await verdict(app, tenant, token) == "token-wrong-audience")
            }
        }
    }

    @Test func `a token without a user is refused`() async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            let values: [JSONValue?] = [
                nil, "", .string(String(repeating: "x", count: 129)), ["alice"], "a\u{0}b", true,
            ]
            for value in values {
                let token = try tenant.signer.token(claims: claims(app) { $0["sub"] = value })
                #expect(try await verdict(app, tenant, token) == "token-no-user")
            }
        }
    }

    @Test func `the user's id may come from another claim, also as a number`() async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app) { $0.userClaim = "customer" }
            let token = try tenant.signer.token(claims: claims(app) { $0["customer"] = 4711 })
            let answer = try await send(app, tenant, token)
            #expect(try JSONDecoder().decode(EchoFeature.Identity.self, from: answer.body).user == "4711")
            #expect(
                try await verdict(app, tenant, tenant.signer.token(claims: claims(app))) == "token-no-user")
        }
    }

    @Test(
        arguments: [
            (4711, "4711"), (9_007_199_254_740_993, "9007199254740993"), (.number(1e3), "1000"), (-5, "-5"),
            ("4711", "4711"), ("007", "007"), (true, nil), (.null, nil), (.number(4711.5), nil),
            (.number(1e19), nil), ("account:1", nil), (["4711"], nil),
        ] as [(JSONValue, String?)])
    func `a user may be a whole number, and the SDK reads the same`(_ claim: JSONValue, _ user: String?)
        async throws
    {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            let token = try tenant.signer.token(claims: claims(app) { $0["sub"] = claim })
            let parts = token.split(separator: ".")
            #expect(TokenPart(base64URL: parts[1])?.userID("sub") == user)
            let answer = try await send(app, tenant, token)
            if let user {
                let identity = try JSONDecoder().decode(EchoFeature.Identity.self, from: answer.body)
                #expect(identity.user.rawValue == user)
            } else {
                #expect(try answer.code == "token-no-user")
                #expect(
                    answer.text.contains("a text of 1 to 128 characters") && answer.text.contains("64 bits"))
            }
        }
    }

    @Test(arguments: ["nbf", "iat"])
    func `a time claim that cannot be read is an error, not ignored`(_ claim: String) async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            for value: JSONValue in ["tomorrow", true, ["x"]] {
                let token = try tenant.signer.token(claims: claims(app) { $0[claim] = value })
                #expect(try await verdict(app, tenant, token) == "token-malformed")
            }
            let token = try tenant.signer.token(claims: claims(app) { $0[claim] = .null })
            #expect(try await verdict(app, tenant, token) == "accepted")
        }
    }

    @Test func `what is not a JWT is refused as malformed`() async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            let good = try tenant.signer.token(claims: claims(app))
            let parts = good.split(separator: ".")
            let list = Secret.base64URL(Data("[]".utf8))
            let bad = [
                "x", "a.b", "a.b.c.d", "..", "\(list).\(parts[1]).\(parts[2])",
                "\(parts[0])=.\(parts[1]).\(parts[2])",
                "\(parts[0]).\(parts[1]).%%%", String(repeating: "a", count: 17_000),
            ]
            for token in bad {
                #expect(try await verdict(app, tenant, token) == "token-malformed", "\(token.prefix(40))")
            }
            let extended = try tenant.signer.token(claims: claims(app), header: ["crit": ["x"]])
            #expect(try await verdict(app, tenant, extended) == "token-malformed")
        }
    }

    @Test func `a request without a token is refused with a code of its own`() async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            for value in [nil, "", "Bearer", "Bearer ", "Basic YTpi"] as [String?] {
                var headers = try tenant.headers(app)
                headers["Authorization"] = value
                let answer = try await app.send("GET", "/test/whoami", headers: headers)
                #expect(answer.status == 401)
                #expect(try answer.code == "token-missing")
            }
        }
    }

    @Test func `a JWKS document picks the key by its id and tries all of them without one`() async throws {
        try await TestApp.run { app in
            let first = P256.Signing.PrivateKey(), second = P256.Signing.PrivateKey()
            let tenant = try await TestTenant.make(app) {
                $0.publicKey = ForgedToken.jwks(["one": first, "two": second])
            }
            func token(_ kid: String?, _ key: P256.Signing.PrivateKey) throws -> String {
                try ForgedToken.make("ES256", claims(app), kid: kid) {
                    try key.signature(for: $0).rawRepresentation
                }
            }
            #expect(try await verdict(app, tenant, token("one", first)) == "accepted")
            #expect(try await verdict(app, tenant, token("two", second)) == "accepted")
            #expect(try await verdict(app, tenant, token(nil, second)) == "accepted")
            #expect(try await verdict(app, tenant, token("one", second)) == "token-wrong-key")
            #expect(try await verdict(app, tenant, token("three", first)) == "token-wrong-key")
        }
    }

    @Test func `an API key with a public key that verifies nothing cannot be made`() async throws {
        try await TestApp.run { app in
            _ = try await app.services.environments.create(id: "harbor", name: "Harbor")
            let symmetric =
                #"{"keys":[{"kty":"oct","k":"c2VjcmV0","alg":"HS256"},{"kty":"EC","crv":"P-256"}]}"#
            for text in [
                "", "not a key", symmetric, #"{"keys":[]}"#,
                P384.Signing.PrivateKey().publicKey.pemRepresentation,
            ] {
                await #expect(throws: Problem.self) {
                    try await app.services.environments.addApiKey(
                        "harbor", name: "x", rules: TokenRules(publicKey: text))
                }
            }
        }
    }
}
