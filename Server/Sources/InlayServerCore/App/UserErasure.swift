package import InlaySQL

/// The removal of what a feature keeps under a user's id.
///
/// Features do not know each other; the server passes these to the feature that deletes users.
package protocol UserErasure: Sendable {
    /// Removes everything that is kept under a user's id, or only the id where a row must stay for its sums.
    ///
    /// Called again after a failure, and once more some time later for requests that were under way: doing it twice
    /// must change nothing.
    func erase(_ environmentID: EnvironmentID, user userID: UserID) async throws
}

extension SQLDatabase {
    /// Deletes a user's rows in batches from a table with an index on users. `key` names the table's primary key.
    package func deleteRows(of userID: UserID, _ environmentID: EnvironmentID, in table: String, key: String)
        async throws
    {
        try await delete(
            from: table, key: key, where: "environment_id = ? AND user_id = ?",
            [.id(environmentID), .id(userID)])
    }

    /// Deletes the rows of a user in a table that is numbered by `seq` and has no index on users, which it scans in
    /// batches.
    ///
    /// A statement that scans all of a large table would reach its time limit each time, and the user would never be
    /// erased.
    package func deleteRows(
        of userID: UserID, _ environmentID: EnvironmentID, scanning table: String, batchSize: Int = 100_000
    ) async throws {
        let owner: [SQLValue] = [.id(environmentID), .id(userID)]
        var end: Int64? = 0
        while let start = end {
            // A partial erasure must not look complete: the caller would take the user off its list.
            try Task.checkCancellation()
            let found = try await rows(of: owner, in: table, after: start, batchSize)
            for first in stride(from: 0, to: found.rows.count, by: 500) {
                let some = found.rows[first..<min(first + 500, found.rows.count)]
                let marks = Array(repeating: "?", count: some.count).joined(separator: ", ")
                try await write {
                    _ = try $0.execute("DELETE FROM \(table) WHERE seq IN (\(marks))", Array(some))
                }
            }
            end = found.end
        }
    }

    /// Returns the owner's rows among the next `batchSize` rows after a number, and the last number of these; `nil`
    /// when there are none.
    private func rows(
        of owner: [SQLValue], in table: String, after number: Int64, _ batchSize: Int
    ) async throws -> (rows: [SQLValue], end: Int64?) {
        // The inner limit keeps both engines from reading more rows than that, and from another index.
        let look = "SELECT seq, environment_id, user_id FROM \(table) WHERE seq > ? ORDER BY seq LIMIT ?"
        let place: [SQLValue] = [.integer(number), .int(batchSize)]
        return try await read { connection in
            let end = try connection.row("SELECT MAX(seq) AS seq FROM (\(look)) AS piece", place)
            let rows = try connection.rows(
                "SELECT seq FROM (\(look)) AS piece WHERE environment_id = ? AND user_id = ?", place + owner)
            return (try rows.map { try $0.value("seq") }, try end?.optionalInt64("seq"))
        }
    }
}
