package import InlaySQL
package import InlayServerCore

extension HubKeyStore: SealedKeyStore {
    package var keyOwner: String { "content" }

    package func sealedKeys(_ connection: any SQLConnection) throws -> [SealedKey] {
        try connection.rows(
            "SELECT environment_id, source_id, role, key_id, sealed FROM hub_keys WHERE sealed IS NOT NULL"
        ).map { row in
            let environmentID: EnvironmentID = try row.id("environment_id")
            let source: HubSourceID = try row.id("source_id")
            let id = try row.text("key_id")
            return SealedKey(
                names: [.id(environmentID), .id(source), .text(try row.text("role")), .text(id)],
                context: Self.sealingContext(environmentID, source, id), sealed: try row.blob("sealed"))
        }
    }

    /// Deletes the private halves of keys. Their rows then equal those of keys in files.
    package func discard(_ keys: [SealedKey], _ connection: any SQLConnection) throws {
        for key in keys {
            try connection.execute(
                """
                UPDATE hub_keys SET sealed = NULL
                WHERE environment_id = ? AND source_id = ? AND role = ? AND key_id = ?
                """, key.names)
        }
    }
}
