import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The Workbench's queries of events; see the extensions for goals, funnels and campaigns.
package struct BehaviorStore: Sendable {
    /// A page of the live stream.
    package struct Stream: Sendable {
        /// The events that arrived since the previous cursor, oldest first.
        package let events: [BehaviorRecord]
        /// The cursor of the next request.
        package let cursor: Int64
    }

    /// The maximum number of events that one query scans; beyond it the result is marked as partial.
    static let maximumScannedEvents = 500_000
    private static let scanPage = 10_000

    /// The database with the analytics connections, so that no query here takes a connection from apps.
    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp
    let refusals: EventRefusals

    init(database: any SQLDatabase, now: @escaping @Sendable () -> Timestamp) {
        self.database = database.forAnalytics
        self.now = now
        refusals = EventRefusals(database: self.database)
    }

    /// Returns the events stored since a cursor, at most 500; without a cursor the newest 50.
    ///
    /// The stream may miss or repeat an event. To see each event once, use ``events(_:_:before:limit:)``.
    package func stream(_ environmentID: EnvironmentID, since cursor: Int64?) async throws -> Stream {
        try await database.read { connection in
            let last =
                try connection.row("SELECT MAX(seq) AS n FROM behavior_events")?.optionalInt64("n") ?? 0
            let rows =
                if let cursor {
                    try connection.rows(
                        """
                        SELECT * FROM behavior_events WHERE seq > ? AND seq <= ? AND environment_id = ?
                        ORDER BY seq LIMIT 500
                        """, [.integer(cursor), .integer(last), .id(environmentID)])
                } else {
                    Array(
                        try connection.rows(
                            """
                            SELECT * FROM behavior_events WHERE environment_id = ?
                            ORDER BY happened_at DESC, seq DESC LIMIT 50
                            """, [.id(environmentID)]
                        ).reversed())
                }
            let events = try rows.map(BehaviorRecord.init)
            return Stream(events: events, cursor: events.count == 500 ? events.last?.seq ?? last : last)
        }
    }

    /// Returns the events that match a filter and are older than `before`, newest first; at most 500.
    package func events(
        _ environmentID: EnvironmentID, _ filter: BehaviorFilter = .init(), before: BehaviorRecord? = nil,
        limit: Int = 50
    ) async throws -> [BehaviorRecord] {
        var (sql, arguments) = filter.condition(environmentID)
        if let before {
            sql += " AND (happened_at < ? OR (happened_at = ? AND seq < ?))"
            arguments += [.moment(before.happenedAt), .moment(before.happenedAt), .integer(before.seq)]
        }
        let statement =
            "SELECT * FROM behavior_events WHERE \(sql) ORDER BY happened_at DESC, seq DESC LIMIT ?"
        let values = arguments + [.int(min(max(limit, 1), 500))]
        return try await database.read {
            try $0.rows(statement, values).map(BehaviorRecord.init)
        }
    }

    /// Returns the number of events that match a filter.
    package func count(_ environmentID: EnvironmentID, _ filter: BehaviorFilter = .init()) async throws -> Int
    {
        let (sql, arguments) = filter.condition(environmentID)
        return try await database.read {
            try $0.row("SELECT COUNT(*) AS n FROM behavior_events WHERE \(sql)", arguments)?.int("n") ?? 0
        }
    }

    /// Returns the most frequent names of a code's events in a period; at most 200.
    package func names(
        _ environmentID: EnvironmentID, code: Int, from: Timestamp, until: Timestamp
    ) async throws -> [(name: String, count: Int)] {
        try await database.read { connection in
            try connection.rows(
                """
                SELECT name, COUNT(*) AS n FROM behavior_events
                WHERE environment_id = ? AND code = ? AND happened_at >= ? AND happened_at < ?
                GROUP BY name ORDER BY n DESC, name LIMIT 200
                """, [.id(environmentID), .int(code), .moment(from), .moment(until)]
            ).map { (try $0.text("name"), try $0.int("n")) }
        }
    }

    /// Returns the names of the attributes of the newest 500 events that match a filter, sorted.
    package func attributeNames(
        _ environmentID: EnvironmentID, _ filter: BehaviorFilter = .init()
    ) async throws -> [String] {
        let events = try await events(environmentID, filter, limit: 500)
        return Set(events.flatMap { $0.attributes.map(\.name) }).sorted()
    }

    /// Returns the refused events, newest first; see ``EventRefusal``.
    package func refused(
        _ environmentID: EnvironmentID, filter: String? = nil, before: Int64? = nil, limit: Int = 100
    ) async throws -> [EventRefusal] {
        try await refusals.list(environmentID, userID: nil, filter: filter, before: before, limit: limit)
    }

    /// Calls `body` with each matching row in order of time; returns `false` when ``maximumScannedEvents`` was reached.
    static func scan(
        _ columns: String, _ condition: (sql: String, arguments: [SQLValue]),
        in connection: any SQLConnection, _ body: (SQLRow) throws -> Void
    ) throws -> Bool {
        var last: (happenedAt: Int64, seq: Int64)?
        var scanned = 0
        while true {
            var (sql, arguments) = condition
            if let last {
                sql += " AND (happened_at > ? OR (happened_at = ? AND seq > ?))"
                arguments += [.integer(last.happenedAt), .integer(last.happenedAt), .integer(last.seq)]
            }
            let rows = try connection.rows(
                """
                SELECT seq, happened_at, \(columns) FROM behavior_events WHERE \(sql)
                ORDER BY happened_at, seq LIMIT ?
                """, arguments + [.int(scanPage)])
            for row in rows { try body(row) }
            scanned += rows.count
            guard rows.count == scanPage, let end = rows.last else { return true }
            guard scanned < maximumScannedEvents else { return false }
            last = (try end.int64("happened_at"), try end.int64("seq"))
        }
    }
}
