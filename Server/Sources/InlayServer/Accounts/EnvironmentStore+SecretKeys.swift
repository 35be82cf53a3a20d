import Foundation
import InlaySQL
import InlayWire

extension EnvironmentStore {
    /// Makes a key for a backend; the secret is in the answer and nowhere else.
    package func addSecretKey(
        _ environmentID: String, name: String
    ) async throws -> (key: SecretKey, secret: String) {
        let key = SecretKey(
            id: Secret.id("sk_", length: 12), environmentID: environmentID, name: try Limits.name(name),
            createdAt: now(), revokedAt: nil)
        // The id travels inside the secret, so that it is found without comparing it with every hash.
        let secret = "\(key.id)_\(Secret.random(bytes: 32))"
        do {
            _ = try await database.write {
                try $0.execute(
                    "INSERT INTO secret_keys (environment_id, id, name, hash, created_at) VALUES (?, ?, ?, ?, ?)",
                    [
                        .text(environmentID), .text(key.id), .text(key.name), .text(Secret.hash(secret)),
                        .integer(key.createdAt.microseconds),
                    ])
            }
        } catch let error as SQLError where error.kind == .foreignKeyViolation {
            throw Problem.notFound("environment")
        }
        return (key, secret)
    }

    /// The keys for backends, newest first, revoked ones too.
    package func secretKeys(_ environmentID: String) async throws -> [SecretKey] {
        try await database.read {
            try $0.rows(
                "SELECT * FROM secret_keys WHERE environment_id = ? ORDER BY created_at DESC, id",
                [.text(environmentID)]
            ).map(SecretKey.init)
        }
    }

    /// Ends a key's life at once.
    package func revokeSecretKey(_ environmentID: String, _ id: String) async throws {
        try await revoke("secret_keys", environmentID, id)
    }

    /// Whose backend this secret belongs to, or `nil`; the environment must be the key's own.
    func backend(_ environmentID: String, secret: String) async throws -> BackendIdentity? {
        let parts = secret.split(separator: "_", maxSplits: 2)
        guard secret.utf8.count <= 256, parts.count == 3, parts[0] == "sk" else { return nil }
        let id = "sk_\(parts[1])"
        let name = KeyCache.Name(environmentID: environmentID, keyID: id)
        guard let hash = try await secretHash(name), Secret.equal(hash, Secret.hash(secret)) else {
            return nil
        }
        return BackendIdentity(environmentID: environmentID, secretKeyID: id)
    }

    private func secretHash(_ name: KeyCache.Name) async throws -> String? {
        if let known = cache.hash(name, at: now()) { return known }
        let generation = cache.generation
        let found = try await database.read {
            try $0.row(
                "SELECT hash FROM secret_keys WHERE environment_id = ? AND id = ? AND revoked_at IS NULL",
                [.text(name.environmentID), .text(name.keyID)]
            )?.text("hash")
        }
        guard let found else { return nil }
        cache.keep(hash: found, name, at: now(), ifStill: generation)
        return found
    }
}

extension SecretKey {
    fileprivate init(row: SQLRow) throws {
        self.init(
            id: try row.text("id"), environmentID: try row.text("environment_id"), name: try row.text("name"),
            createdAt: Timestamp(microseconds: try row.int64("created_at")),
            revokedAt: try row.optionalInt64("revoked_at").map(Timestamp.init(microseconds:)))
    }
}
