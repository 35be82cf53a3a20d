import Foundation
import InlaySQL
import InlayTrust
import InlayWire

/// The keys of content sources: public halves open, private halves sealed.
package struct HubKeyStore: Sendable {
    let database: any SQLDatabase
    let box: SecretBox
    let now: @Sendable () -> Timestamp

    /// Every key a source has or had, by role, the newest first.
    package func keys(_ environmentID: String, _ sourceID: String) async throws -> [HubKey] {
        try await database.read { connection in
            try connection.rows(
                """
                SELECT * FROM hub_keys WHERE environment_id = ? AND source_id = ?
                ORDER BY role, created_at DESC, key_id
                """, [.text(environmentID), .text(sourceID)]
            ).map(HubKey.init)
        }
    }

    /// The private keys that the server holds and that are in use, by role.
    func signers(_ environmentID: String, _ sourceID: String) async throws -> [TopLevelRole: [TrustKeyPair]] {
        let rows = try await database.read { connection in
            try connection.rows(
                """
                SELECT * FROM hub_keys WHERE environment_id = ? AND source_id = ? AND retired_at IS NULL
                    AND sealed IS NOT NULL ORDER BY role, created_at, key_id
                """, [.text(environmentID), .text(sourceID)])
        }
        var signers: [TopLevelRole: [TrustKeyPair]] = [:]
        for row in rows {
            let key = try HubKey(row)
            let place = Self.place(environmentID, sourceID, key.id)
            signers[key.role, default: []].append(
                try TrustKeyPair(key.kind, rawPrivateKey: box.unseal(try row.blob("sealed"), for: place)))
        }
        return signers
    }

    /// A row for a key, ready to be written in the commit that puts it to use.
    func entry(
        _ environmentID: String, _ sourceID: String, _ role: TopLevelRole, _ pair: TrustKeyPair, name: String,
        isOnline: Bool
    ) throws -> HubKeyEntry {
        let place = Self.place(environmentID, sourceID, pair.key.id)
        return HubKeyEntry(
            environmentID: environmentID, sourceID: sourceID, role: role, keyID: pair.key.id, name: name,
            kind: pair.kind.rawValue, publicDER: try pair.publicDER.base64EncodedString(),
            sealed: isOnline ? try box.seal(pair.rawPrivateKey, for: place) : nil, createdAt: now())
    }

    /// Fresh keys in the place of those that ``SealedKeys`` gave up. Throws `not-found` when there are none.
    package func replacementsOfLost(
        _ environmentID: String, _ sourceID: String
    ) async throws -> [HubKeyChange] {
        // Only root keys are ever kept in files: any other that the server does not hold is lost.
        let lost = try await keys(environmentID, sourceID).filter {
            $0.role != .root && $0.retiredAt == nil && !$0.isOnline
        }
        guard !lost.isEmpty else { throw Problem.notFound("lost key") }
        return lost.map { key in
            .replace(
                key.role, key.id, .generate(key.kind), name: "Replaced \(key.role.rawValue) key",
                isOnline: true)
        }
    }

    static func place(_ environmentID: String, _ sourceID: String, _ keyID: String) -> String {
        "hub \(environmentID)/\(sourceID)/\(keyID)"
    }
}

/// A key on its way into the database.
struct HubKeyEntry: Sendable {
    let environmentID: String
    let sourceID: String
    let role: TopLevelRole
    let keyID: String
    let name: String
    let kind: String
    let publicDER: String
    let sealed: Data?
    let createdAt: Timestamp

    func insert(_ connection: any SQLConnection) throws {
        try connection.execute(
            """
            INSERT INTO hub_keys (environment_id, source_id, role, key_id, name, kind, public, sealed, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (environment_id, source_id, role, key_id)
            DO UPDATE SET name = excluded.name, sealed = excluded.sealed, retired_at = NULL
            """,
            [
                .text(environmentID), .text(sourceID), .text(role.rawValue), .text(keyID), .text(name),
                .text(kind),
                .text(publicDER), SQLValue(sealed), .moment(createdAt),
            ])
    }

    /// Takes a key out of a role, and its private half out of the database.
    static func retire(
        _ environmentID: String, _ sourceID: String, _ role: TopLevelRole, _ keyID: String,
        at moment: Timestamp,
        _ connection: any SQLConnection
    ) throws {
        try connection.execute(
            """
            UPDATE hub_keys SET retired_at = ?, sealed = NULL
            WHERE environment_id = ? AND source_id = ? AND role = ? AND key_id = ? AND retired_at IS NULL
            """,
            [.moment(moment), .text(environmentID), .text(sourceID), .text(role.rawValue), .text(keyID)])
    }
}

extension HubKey {
    init(_ row: SQLRow) throws {
        let role = try row.text("role"), kind = try row.text("kind")
        guard let role = TopLevelRole(rawValue: role), let kind = TrustKeyPair.Kind(rawValue: kind) else {
            throw Problem.notFound("key")
        }
        self.init(
            role: role, id: try row.text("key_id"), name: try row.text("name"), kind: kind,
            publicDER: try row.text("public"), isOnline: try row.optionalBlob("sealed") != nil,
            createdAt: try row.moment("created_at"), retiredAt: try row.optionalMoment("retired_at"))
    }
}
