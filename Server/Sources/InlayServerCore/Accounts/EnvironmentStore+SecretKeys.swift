import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire

extension EnvironmentStore {
    /// Creates a key for a backend, and returns it with its secret, which is stored nowhere.
    package func addSecretKey(
        _ environmentID: EnvironmentID, id: String = SecretKey.newID(), name: String
    ) async throws -> (key: SecretKey, secret: String) {
        let key = SecretKey(
            id: id, environmentID: environmentID, name: try Limits.name(name), createdAt: now(),
            revokedAt: nil)
        // The id is a part of the secret, so that the key is found without a comparison with every hash.
        let secret = "\(key.id)_\(Secret.random(bytes: 32))"
        do {
            _ = try await database.write {
                try $0.execute(
                    "INSERT INTO secret_keys (environment_id, id, name, hash, created_at) VALUES (?, ?, ?, ?, ?)",
                    [
                        .id(environmentID), .text(key.id), .text(key.name), .text(Secret.hash(secret)),
                        .integer(key.createdAt.microseconds),
                    ])
            }
        } catch let error as SQLError where error.kind == .foreignKeyViolation {
            throw Problem.notFound("environment", named: environmentID.rawValue)
        }
        return (key, secret)
    }

    /// Returns the keys for backends, the newest first, including revoked ones.
    package func secretKeys(_ environmentID: EnvironmentID) async throws -> [SecretKey] {
        try await database.read {
            try $0.rows(
                "SELECT * FROM secret_keys WHERE environment_id = ? ORDER BY created_at DESC, id",
                [.id(environmentID)]
            ).map(SecretKey.init)
        }
    }

    /// Revokes a key at once.
    package func revokeSecretKey(_ environmentID: EnvironmentID, _ id: String) async throws {
        try await revoke("secret_keys", environmentID, id)
    }

    /// Returns the backend that owns the secret, or `nil`; the environment must be the key's own.
    func backend(_ environmentID: EnvironmentID, secret: String) async throws -> BackendIdentity? {
        let parts = secret.split(separator: "_", maxSplits: 2)
        guard secret.utf8.count <= 256, parts.count == 3, parts[0] == "sk" else { return nil }
        let id = "sk_\(parts[1])"
        let name = KeyName(environmentID: environmentID, id: id)
        guard let hash = try await secretHash(name), Secret.equal(hash, Secret.hash(secret)) else {
            return nil
        }
        return BackendIdentity(environmentID: environmentID, secretKeyID: id)
    }

    private func secretHash(_ name: KeyName) async throws -> String? {
        if case .backend(let known)? = cache.value(name, at: now()) { return known }
        let generation = cache.generation
        let found = try await database.read {
            try $0.row(
                "SELECT hash FROM secret_keys WHERE environment_id = ? AND id = ? AND revoked_at IS NULL",
                [.id(name.environmentID), .text(name.id)]
            )?.text("hash")
        }
        guard let found else { return nil }
        cache.keep(
            .backend(secretHash: found), name, of: name.environmentID, at: now(), ifStill: generation)
        return found
    }
}

extension SecretKey {
    package static func newID() -> String { Secret.id("sk_", length: 12) }

    fileprivate init(row: SQLRow) throws {
        self.init(
            id: try row.text("id"), environmentID: try row.id("environment_id"), name: try row.text("name"),
            createdAt: Timestamp(microseconds: try row.int64("created_at")),
            revokedAt: try row.optionalInt64("revoked_at").map(Timestamp.init(microseconds:)))
    }
}
