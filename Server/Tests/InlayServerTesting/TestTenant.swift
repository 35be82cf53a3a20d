import Foundation
@_spi(Inlay) import InlayWire

@testable import InlayServerCore

/// An environment with a key of each kind, and the headers that its apps and its backend send.
struct TestTenant: Sendable {
    let environmentID: EnvironmentID
    let apiKey: ApiKey
    let secret: String
    let secretKeyID: String
    let signer: DevelopmentSigner

    static func make(
        _ app: TestApp, _ id: EnvironmentID = "harbor", rules: (inout TokenRules) -> Void = { _ in }
    ) async throws -> TestTenant {
        let signer = DevelopmentSigner()
        var tokens = TokenRules(publicKey: signer.publicKeyPEM)
        rules(&tokens)
        let environment = try await app.services.environments.create(id: id.rawValue, name: id.rawValue)
        let key = try await app.services.environments.addApiKey(id, name: "app", rules: tokens)
        let secret = try await app.services.environments.addSecretKey(id, name: "backend")
        return TestTenant(
            environmentID: environment.id, apiKey: key, secret: secret.secret, secretKeyID: secret.key.id,
            signer: signer)
    }

    /// Returns the headers that an app of this environment sends for a user.
    func headers(_ app: TestApp, user: String = "alice", life: Duration = .seconds(3600)) throws -> [String:
        String]
    {
        headers(token: try signer.token(user: user, life: life, at: app.clock.now))
    }

    /// Returns the headers that an app of this environment sends with any token.
    func headers(token: String) -> [String: String] {
        [
            "Inlay-Environment": environmentID.rawValue, "Inlay-Api-Key": apiKey.id,
            "Authorization": "Bearer \(token)",
            "Inlay-Client-Version": "1.2",
        ]
    }

    /// The headers that the backend sends.
    var backend: [String: String] {
        ["Inlay-Environment": environmentID.rawValue, "Authorization": "Bearer \(secret)"]
    }
}
