import InlaySQL

extension SQLDatabase {
    /// Deletes what a condition finds, in pieces: other writes come in between.
    ///
    /// One statement for all of it would come to its limit where there is much, and be begun again for ever. `key` names
    /// the columns of the primary key. Throws when its task is cancelled, since half done must not look done.
    func delete(
        from table: String, key: String, where condition: String, _ arguments: [SQLValue], piece: Int = 5_000
    ) async throws {
        var deleted = piece
        while deleted == piece {
            try Task.checkCancellation()
            deleted = try await write { connection in
                // Said twice: with PostgreSQL a row that was found may have changed before it is deleted.
                try connection.execute(
                    """
                    DELETE FROM \(table) WHERE (\(key)) IN (SELECT \(key) FROM \(table) WHERE \(condition) LIMIT ?)
                        AND \(condition)
                    """, arguments + [.int(piece)] + arguments)
            }
        }
    }
}
