import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire

extension EnvironmentStore {
    /// Adds a key for apps; throws `invalid-value` when its public key cannot verify any accepted algorithm.
    package func addApiKey(
        _ environmentID: EnvironmentID, id: String = ApiKey.newID(), name: String, rules: TokenRules
    ) async throws -> ApiKey {
        _ = try await VerificationKeys(new: rules)
        guard (60...(366 * 24 * 3600)).contains(rules.maximumLife.components.seconds) else {
            throw Problem.invalidValue("maximumLife", "From one minute to 366 days.")
        }
        let key = ApiKey(
            id: id, environmentID: environmentID, name: try Limits.name(name), rules: rules,
            createdAt: now(), revokedAt: nil)
        do {
            _ = try await database.write { try ApiKey.columns.insert(key, in: $0) }
        } catch let error as SQLError where error.kind == .foreignKeyViolation {
            throw Problem.notFound("environment", named: environmentID.rawValue)
        }
        return key
    }

    /// Returns the keys for apps, the newest first, including revoked ones.
    package func apiKeys(_ environmentID: EnvironmentID) async throws -> [ApiKey] {
        try await database.read {
            try $0.rows(
                "SELECT \(ApiKey.columns.list) FROM api_keys WHERE environment_id = ? ORDER BY created_at DESC, id",
                [.id(environmentID)]
            ).map(ApiKey.init)
        }
    }

    /// Revokes a key: from now on its apps are refused with `unknown-key`.
    package func revokeApiKey(_ environmentID: EnvironmentID, _ id: String) async throws {
        try await revoke("api_keys", environmentID, id)
    }

    /// Returns the keys that verify tokens of this key, or `nil` when the environment has no such key or it was
    /// revoked.
    func verificationKeys(_ environmentID: EnvironmentID, _ id: String) async throws -> VerificationKeys? {
        let name = KeyName(environmentID: environmentID, id: id)
        if case .app(let known)? = cache.value(name, at: now()) { return known }
        let generation = cache.generation
        let found = try await database.read {
            try $0.row(
                """
                SELECT \(ApiKey.columns.list) FROM api_keys
                WHERE environment_id = ? AND id = ? AND revoked_at IS NULL
                """,
                [.id(environmentID), .text(id)]
            ).map(ApiKey.init)
        }
        guard let found else { return nil }
        let keys = try await VerificationKeys(stored: found.rules)
        cache.keep(.app(keys), name, of: environmentID, at: now(), ifStill: generation)
        return keys
    }

    func revoke(_ table: String, _ environmentID: EnvironmentID, _ id: String) async throws {
        let moment = now().microseconds
        try await database.changeOne(
            "key",
            "UPDATE \(table) SET revoked_at = ? WHERE environment_id = ? AND id = ? AND revoked_at IS NULL",
            [.integer(moment), .id(environmentID), .text(id)])
        try await self.changed(environmentID)
    }
}

extension ApiKey {
    package static func newID() -> String { Secret.id("ak_") }

    fileprivate static let columns = RecordColumns<ApiKey>(
        of: "api_keys",
        [
            RecordColumn("environment_id") { .id($0.environmentID) },
            RecordColumn("id") { .text($0.id) },
            RecordColumn("name") { .text($0.name) },
            RecordColumn("public_key") { .text($0.rules.publicKey) },
            RecordColumn("algorithms") {
                .text($0.rules.algorithms.map(\.rawValue).sorted().joined(separator: " "))
            },
            RecordColumn("issuer") { SQLValue($0.rules.issuer) },
            RecordColumn("audience") { SQLValue($0.rules.audience) },
            RecordColumn("user_claim") { .text($0.rules.userClaim) },
            RecordColumn("max_life") { .integer($0.rules.maximumLife.components.seconds) },
            RecordColumn("created_at") { .moment($0.createdAt) },
            RecordColumn("revoked_at") { .moment($0.revokedAt) },
        ])

    fileprivate init(row: SQLRow) throws {
        let algorithms = try row.text("algorithms").split(separator: " ")
        self.init(
            id: try row.text("id"), environmentID: try row.id("environment_id"), name: try row.text("name"),
            rules: TokenRules(
                publicKey: try row.text("public_key"),
                algorithms: Set(algorithms.compactMap { TokenAlgorithm(rawValue: String($0)) }),
                issuer: try row.optionalText("issuer"), audience: try row.optionalText("audience"),
                userClaim: try row.text("user_claim"), maximumLife: .seconds(try row.int64("max_life"))),
            createdAt: Timestamp(microseconds: try row.int64("created_at")),
            revokedAt: try row.optionalInt64("revoked_at").map(Timestamp.init(microseconds:)))
    }
}
