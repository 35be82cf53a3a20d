import Foundation
import InlaySQL
import InlayWire

extension EnvironmentStore {
    /// Adds a key for apps; throws `invalid-value` when its public key cannot verify any accepted algorithm.
    package func addApiKey(
        _ environmentID: String, name: String, rules: TokenRules
    ) async throws -> ApiKey {
        _ = try await VerificationKeys(rules)
        guard (60...(366 * 24 * 3600)).contains(rules.maximumLife.components.seconds) else {
            throw Problem.invalidValue("maximumLife", "From one minute to 366 days.")
        }
        let key = ApiKey(
            id: Secret.id("ak_"), environmentID: environmentID, name: try Limits.name(name), rules: rules,
            createdAt: now(), revokedAt: nil)
        do {
            _ = try await database.write { try $0.execute(Self.insertApiKey, key.arguments) }
        } catch let error as SQLError where error.kind == .foreignKeyViolation {
            throw Problem.notFound("environment")
        }
        return key
    }

    /// The keys for apps, newest first, revoked ones too.
    package func apiKeys(_ environmentID: String) async throws -> [ApiKey] {
        try await database.read {
            try $0.rows(
                "SELECT * FROM api_keys WHERE environment_id = ? ORDER BY created_at DESC, id",
                [.text(environmentID)]
            ).map(ApiKey.init)
        }
    }

    /// Ends a key's life: from now on its apps are refused, with `unknown-key`.
    package func revokeApiKey(_ environmentID: String, _ id: String) async throws {
        try await revoke("api_keys", environmentID, id)
    }

    /// What verifies tokens of this key, or `nil` when the environment has no such key in force.
    func verificationKeys(_ environmentID: String, _ id: String) async throws -> VerificationKeys? {
        let name = KeyCache.Name(environmentID: environmentID, keyID: id)
        if let known = cache.keys(name, at: now()) { return known }
        let generation = cache.generation
        let found = try await database.read {
            try $0.row(
                "SELECT * FROM api_keys WHERE environment_id = ? AND id = ? AND revoked_at IS NULL",
                [.text(environmentID), .text(id)]
            ).map(ApiKey.init)
        }
        guard let found else { return nil }
        let keys = try await VerificationKeys(found.rules)
        cache.keep(keys, name, at: now(), ifStill: generation)
        return keys
    }

    func revoke(_ table: String, _ environmentID: String, _ id: String) async throws {
        let moment = now().microseconds
        let changed = try await database.write {
            try $0.execute(
                "UPDATE \(table) SET revoked_at = ? WHERE environment_id = ? AND id = ? AND revoked_at IS NULL",
                [.integer(moment), .text(environmentID), .text(id)])
        }
        guard changed == 1 else { throw Problem.notFound("key") }
        try await self.changed(environmentID)
    }

    private static let insertApiKey = """
        INSERT INTO api_keys (environment_id, id, name, public_key, algorithms, issuer, audience, user_claim,
            max_life, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
}

extension ApiKey {
    fileprivate var arguments: [SQLValue] {
        [
            .text(environmentID), .text(id), .text(name), .text(rules.publicKey),
            .text(rules.algorithms.map(\.rawValue).sorted().joined(separator: " ")), SQLValue(rules.issuer),
            SQLValue(rules.audience), .text(rules.userClaim), .integer(rules.maximumLife.components.seconds),
            .integer(createdAt.microseconds),
        ]
    }

    fileprivate init(row: SQLRow) throws {
        let algorithms = try row.text("algorithms").split(separator: " ")
        self.init(
            id: try row.text("id"), environmentID: try row.text("environment_id"), name: try row.text("name"),
            rules: TokenRules(
                publicKey: try row.text("public_key"),
                algorithms: Set(algorithms.compactMap { TokenAlgorithm(rawValue: String($0)) }),
                issuer: try row.optionalText("issuer"), audience: try row.optionalText("audience"),
                userClaim: try row.text("user_claim"), maximumLife: .seconds(try row.int64("max_life"))),
            createdAt: Timestamp(microseconds: try row.int64("created_at")),
            revokedAt: try row.optionalInt64("revoked_at").map(Timestamp.init(microseconds:)))
    }
}
