import InlaySQL

/// Forgets a user: what a room keeps under somebody's id.
///
/// Rooms do not know each other; the application gives the room whose users end those that may keep something.
package protocol UserErasure: Sendable {
    /// Removes everything that is kept under a user's id, or takes the id away where a row must stay for its sums.
    ///
    /// Called again after a failure and once more some time later, for what was under way: doing it twice
    /// changes nothing.
    func erase(_ environmentID: String, user userID: String) async throws
}

extension SQLDatabase {
    /// Deletes the rows of a user that are found with a scan, in pieces: readers and writers go on meanwhile.
    ///
    /// `key` tells rows of an environment apart.
    func deleteRows(of userID: String, _ environmentID: String, in table: String, key: String) async throws {
        let found = "SELECT \(key) FROM \(table) WHERE environment_id = ? AND user_id = ? LIMIT 10000"
        let owner: [SQLValue] = [.text(environmentID), .text(userID)]
        while true {
            // Half done must not look done: the caller would take the user off its list.
            try Task.checkCancellation()
            let keys = try await read { try $0.rows(found, owner).map { try $0.value(key) } }
            guard !keys.isEmpty else { return }
            for start in stride(from: 0, to: keys.count, by: 500) {
                let piece = keys[start..<min(start + 500, keys.count)]
                let marks = Array(repeating: "?", count: piece.count).joined(separator: ", ")
                _ = try await write {
                    try $0.execute(
                        "DELETE FROM \(table) WHERE environment_id = ? AND user_id = ? AND \(key) IN (\(marks))",
                        owner + piece)
                }
            }
        }
    }
}
