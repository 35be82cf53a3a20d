import InlaySQL
import InlayWire

/// Who did what, when; only ever added to.
package struct AuditLog: Sendable {
    /// One line of the log.
    package struct Entry: Hashable, Sendable, Identifiable {
        /// Sorts by time.
        package let id: String
        /// The environment it happened in; `nil` for what belongs to the server.
        package let environmentID: String?
        /// The operator's login, a secret key's id, or the address of someone unknown.
        package let who: String
        /// What was done, for example `signed in`.
        package let action: String
        /// To what.
        package let subject: String
        /// What else is worth knowing; never a secret.
        package let detail: String?
        package let at: Timestamp
    }

    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp

    /// Adds a line; returns after it is committed.
    package func record(
        _ action: String, subject: String, by who: String, environmentID: String? = nil, detail: String? = nil
    ) async throws {
        let moment = now()
        // Sixteen digits of microseconds sort as text until the year 2286.
        let id = "\(moment.microseconds)-\(Secret.id("", length: 8))"
        _ = try await database.write {
            try $0.execute(
                """
                INSERT INTO audit_log (id, environment_id, operator, action, subject, detail, at)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    .text(id), SQLValue(environmentID), .text(who), .text(action), .text(subject),
                    SQLValue(detail), .integer(moment.microseconds),
                ])
        }
    }

    /// The newest lines first, at most 500; of one environment, or of the server when `nil`.
    package func entries(_ environmentID: String?, limit: Int = 100) async throws -> [Entry] {
        let limit = SQLValue.int(min(max(limit, 1), 500))
        return try await database.read { connection in
            let rows =
                if let environmentID {
                    try connection.rows(
                        "SELECT * FROM audit_log WHERE environment_id = ? ORDER BY id DESC LIMIT ?",
                        [.text(environmentID), limit])
                } else {
                    try connection.rows(
                        "SELECT * FROM audit_log WHERE environment_id IS NULL ORDER BY id DESC LIMIT ?",
                        [limit])
                }
            return try rows.map(Entry.init)
        }
    }
}

extension AuditLog.Entry {
    fileprivate init(row: SQLRow) throws {
        self.init(
            id: try row.text("id"), environmentID: try row.optionalText("environment_id"),
            who: try row.text("operator"), action: try row.text("action"), subject: try row.text("subject"),
            detail: try row.optionalText("detail"), at: Timestamp(microseconds: try row.int64("at")))
    }
}
