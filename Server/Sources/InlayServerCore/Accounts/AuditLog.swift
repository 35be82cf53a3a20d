import InlaySQL
@_spi(Inlay) package import InlayWire

/// The log of operators' actions, with author and time. Lines are only ever added.
package struct AuditLog: Sendable {
    /// One line of the log.
    package struct Entry: Hashable, Sendable, Identifiable {
        /// The id, which sorts by time.
        package let id: String
        /// The environment of the action; `nil` for an action on the whole server.
        package let environmentID: EnvironmentID?
        /// The operator's login, a secret key's id, or the address of an unknown caller.
        package let who: String
        /// The action, for example `signed in`.
        package let action: String
        /// The object of the action.
        package let subject: String
        /// Further details of the action; never a secret.
        package let detail: String?
        package let at: Timestamp
    }

    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp

    /// Adds a line; returns after it is committed.
    package func record(
        _ action: String, subject: String, by who: String, environmentID: EnvironmentID? = nil,
        detail: String? = nil
    ) async throws {
        let entry = entry(action, subject, who, environmentID, detail)
        _ = try await database.write { try entry.insert($0) }
    }

    /// Runs a change and adds its line in the transaction of the change's first write.
    ///
    /// Either both are stored or neither is. When a change succeeds without a write, the line is added after it. When a
    /// change with several transactions fails after the first one, the line stays, since something was changed. Writes
    /// of tasks that the change starts do not add the line.
    package func record<Result: Sendable>(
        _ action: String, subject: String, by who: String, environmentID: EnvironmentID?, detail: String?,
        with change: () async throws -> Result
    ) async throws -> Result {
        let pending = PendingAuditEntry { entry(action, subject, who, environmentID, detail) }
        let result = try await PendingAuditEntry.$current.withValue(pending) { try await change() }
        if let entry = pending.take() { _ = try await database.write { try entry.insert($0) } }
        return result
    }

    private func entry(
        _ action: String, _ subject: String, _ who: String, _ environmentID: EnvironmentID?, _ detail: String?
    ) -> Entry {
        let moment = now()
        // Sixteen digits of microseconds sort as text until the year 2286.
        let id = "\(moment.microseconds)-\(Secret.id("", length: 8))"
        return Entry(
            id: id, environmentID: environmentID, who: who, action: action, subject: subject, detail: detail,
            at: moment)
    }

    /// Returns lines, the newest first, at most 500: those of an environment, or those of the whole server when `nil`.
    package func entries(_ environmentID: EnvironmentID?, limit: Int = 100) async throws -> [Entry] {
        let limit = SQLValue.int(min(max(limit, 1), 500))
        return try await database.read { connection in
            let rows =
                if let environmentID {
                    try connection.rows(
                        "SELECT * FROM audit_log WHERE environment_id = ? ORDER BY id DESC LIMIT ?",
                        [.id(environmentID), limit])
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
    /// Adds the line once: a write whose commit had an unknown outcome may be repeated.
    func insert(_ connection: any SQLConnection) throws {
        try connection.execute(
            """
            INSERT INTO audit_log (id, environment_id, operator, action, subject, detail, at)
            VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
            """,
            [
                .text(id), .id(environmentID), .text(who), .text(action), .text(subject), SQLValue(detail),
                .moment(at),
            ])
    }

    fileprivate init(row: SQLRow) throws {
        self.init(
            id: try row.text("id"), environmentID: try row.optionalID("environment_id"),
            who: try row.text("operator"), action: try row.text("action"), subject: try row.text("subject"),
            detail: try row.optionalText("detail"), at: Timestamp(microseconds: try row.int64("at")))
    }
}
