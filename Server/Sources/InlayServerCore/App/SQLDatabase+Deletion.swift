package import InlaySQL

extension SQLDatabase {
    /// Deletes the rows that match a condition, in batches with other writes in between. Returns the number of deleted
    /// rows.
    ///
    /// A single statement for many rows would reach its time limit and be repeated for ever. `key` names the columns of
    /// the primary key. Throws when its task is cancelled, since a partial deletion must not look complete.
    @discardableResult
    package func delete(
        from table: String, key: String, where condition: String, _ arguments: [SQLValue],
        batchSize: Int = 5_000
    ) async throws -> Int {
        let sql = Self.deletion(from: table, key: key, where: condition)
        let values = arguments + [.int(batchSize)] + arguments
        var (deleted, last) = (0, batchSize)
        while last == batchSize {
            try Task.checkCancellation()
            last = try await write { try $0.execute(sql, values) }
            deleted += last
        }
        return deleted
    }

    /// Returns the statement for one batch.
    ///
    /// The condition is there twice: with PostgreSQL a row that was found may have changed before it is deleted. The
    /// second one `IS TRUE`, which uses no index: otherwise SQLite may scan all matching rows for each batch.
    static func deletion(from table: String, key: String, where condition: String) -> String {
        """
        DELETE FROM \(table) WHERE (\(key)) IN (SELECT \(key) FROM \(table) WHERE \(condition) LIMIT ?)
            AND (\(condition)) IS TRUE
        """
    }
}
