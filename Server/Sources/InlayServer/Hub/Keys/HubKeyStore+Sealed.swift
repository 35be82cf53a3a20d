import InlaySQL

extension HubKeyStore: SealedKeyStore {
    func sealedKeys(_ connection: any SQLConnection) throws -> [SealedKey] {
        try connection.rows(
            "SELECT environment_id, source_id, role, key_id, sealed FROM hub_keys WHERE sealed IS NOT NULL"
        ).map { row in
            let (environment, source) = (try row.text("environment_id"), try row.text("source_id"))
            let id = try row.text("key_id")
            return SealedKey(
                names: [.text(environment), .text(source), .text(try row.text("role")), .text(id)],
                place: Self.place(environment, source, id), sealed: try row.blob("sealed"))
        }
    }

    /// Leaves them as if they were kept in files.
    func giveUp(_ keys: [SealedKey], _ connection: any SQLConnection) throws {
        for key in keys {
            try connection.execute(
                """
                UPDATE hub_keys SET sealed = NULL
                WHERE environment_id = ? AND source_id = ? AND role = ? AND key_id = ?
                """, key.names)
        }
    }
}
