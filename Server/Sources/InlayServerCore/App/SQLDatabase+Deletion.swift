package import InlaySQL

extension SQLDatabase {
    /// Deletes what a condition finds, in pieces: other writes come in between. Returns how many rows went.
    ///
    /// One statement for all of it would come to its limit where there is much, and be begun again for ever. `key`
    /// names the columns of the primary key. Throws when its task is cancelled, since half done must not look done.
    @discardableResult
    package func delete(
        from table: String, key: String, where condition: String, _ arguments: [SQLValue], piece: Int = 5_000
    ) async throws -> Int {
        let sql = Self.deletion(from: table, key: key, where: condition)
        let values = arguments + [.int(piece)] + arguments
        var (deleted, last) = (0, piece)
        while last == piece {
            try Task.checkCancellation()
            last = try await write { try $0.execute(sql, values) }
            deleted += last
        }
        return deleted
    }

    /// The statement for one piece.
    ///
    /// The condition is said twice: with PostgreSQL a row that was found may have changed before it is deleted. The
    /// second time it `IS TRUE`, which takes no index: else SQLite may walk all that is due for each piece of it.
    static func deletion(from table: String, key: String, where condition: String) -> String {
        """
        DELETE FROM \(table) WHERE (\(key)) IN (SELECT \(key) FROM \(table) WHERE \(condition) LIMIT ?)
            AND (\(condition)) IS TRUE
        """
    }
}
