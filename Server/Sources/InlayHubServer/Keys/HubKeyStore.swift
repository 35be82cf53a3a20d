import Foundation
import InlaySQL
package import InlayServerCore
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire

/// A store of the keys of content sources, with encrypted private halves.
package struct HubKeyStore: Sendable {
    let database: any SQLDatabase
    let box: SecretBox
    let now: @Sendable () -> Timestamp

    /// Returns all keys of a source, also removed ones, ordered by role, the newest first.
    package func keys(_ environmentID: EnvironmentID, _ sourceID: HubSourceID) async throws -> [HubKey] {
        try await database.read { connection in
            try connection.rows(
                """
                SELECT * FROM hub_keys WHERE environment_id = ? AND source_id = ?
                ORDER BY role, created_at DESC, key_id
                """, [.id(environmentID), .id(sourceID)]
            ).map(HubKey.init)
        }
    }

    /// Returns the private keys in use that the server stores, by role.
    func signers(_ environmentID: EnvironmentID, _ sourceID: HubSourceID) async throws -> [TopLevelRole:
        [TrustKeyPair]]
    {
        let rows = try await database.read { connection in
            try connection.rows(
                """
                SELECT * FROM hub_keys WHERE environment_id = ? AND source_id = ? AND retired_at IS NULL
                    AND sealed IS NOT NULL ORDER BY role, created_at, key_id
                """, [.id(environmentID), .id(sourceID)])
        }
        var signers: [TopLevelRole: [TrustKeyPair]] = [:]
        for row in rows {
            let key = try HubKey(row)
            let context = Self.sealingContext(environmentID, sourceID, key.id)
            signers[key.role, default: []].append(
                try TrustKeyPair(key.kind, rawPrivateKey: box.unseal(try row.blob("sealed"), for: context)))
        }
        return signers
    }

    /// Returns the row of a new key. It is stored in the transaction that publishes the root with the key.
    func entry(
        _ environmentID: EnvironmentID, _ sourceID: HubSourceID, _ role: TopLevelRole, _ pair: TrustKeyPair,
        name: String,
        isOnline: Bool
    ) throws -> HubKeyEntry {
        let context = Self.sealingContext(environmentID, sourceID, pair.key.id)
        return HubKeyEntry(
            environmentID: environmentID, sourceID: sourceID, role: role, keyID: pair.key.id, name: name,
            kind: pair.kind.rawValue, publicDER: try pair.publicDER.base64EncodedString(),
            sealed: isOnline ? try box.seal(pair.rawPrivateKey, for: context) : nil, createdAt: now())
    }

    /// Returns changes that replace the keys that ``SealedKeys`` gave up. Throws `not-found` when there are none.
    package func replacementsOfLost(
        _ environmentID: EnvironmentID, _ sourceID: HubSourceID
    ) async throws -> [HubKeyChange] {
        // Only root keys may be in files. Another key that the server does not have is lost.
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

    static func sealingContext(_ environmentID: EnvironmentID, _ sourceID: HubSourceID, _ keyID: String)
        -> String
    {
        "hub \(environmentID)/\(sourceID)/\(keyID)"
    }
}

/// A new row of `hub_keys`.
struct HubKeyEntry: Sendable {
    let environmentID: EnvironmentID
    let sourceID: HubSourceID
    let role: TopLevelRole
    let keyID: String
    let name: String
    let kind: String
    let publicDER: String
    let sealed: Data?
    let createdAt: Timestamp

    func insert(_ connection: any SQLConnection) throws {
        try Self.columns.insert(self, in: connection)
    }

    private static let columns = RecordColumns<HubKeyEntry>(
        of: "hub_keys",
        onConflict: .update(
            key: ["environment_id", "source_id", "role", "key_id"], columns: ["name", "sealed"],
            also: ["retired_at = NULL"]),
        [
            RecordColumn("environment_id") { .id($0.environmentID) },
            RecordColumn("source_id") { .id($0.sourceID) },
            RecordColumn("role") { .text($0.role.rawValue) },
            RecordColumn("key_id") { .text($0.keyID) },
            RecordColumn("name") { .text($0.name) },
            RecordColumn("kind") { .text($0.kind) },
            RecordColumn("public") { .text($0.publicDER) },
            RecordColumn("sealed") { SQLValue($0.sealed) },
            RecordColumn("created_at") { .moment($0.createdAt) },
        ])

    /// Marks a key as removed from a role, and deletes its private half from the database.
    static func retire(
        _ environmentID: EnvironmentID, _ sourceID: HubSourceID, _ role: TopLevelRole, _ keyID: String,
        at moment: Timestamp,
        _ connection: any SQLConnection
    ) throws {
        try connection.execute(
            """
            UPDATE hub_keys SET retired_at = ?, sealed = NULL
            WHERE environment_id = ? AND source_id = ? AND role = ? AND key_id = ? AND retired_at IS NULL
            """,
            [.moment(moment), .id(environmentID), .id(sourceID), .text(role.rawValue), .text(keyID)])
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
