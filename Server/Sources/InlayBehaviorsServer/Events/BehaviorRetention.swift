import InlaySQL
package import InlayServerCore
@_spi(Inlay) import InlayWire

/// The retention of each environment's events. Duplicates are detected by id for as long as an event is stored.
package struct BehaviorRetention: Sendable {
    /// The maximum number of rows per transaction: few enough that senders wait only for milliseconds.
    private static let maximumBatchSize = 500

    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp
    let refusals: EventRefusals

    init(database: any SQLDatabase, now: @escaping @Sendable () -> Timestamp) {
        self.database = database
        self.now = now
        refusals = EventRefusals(database: database)
    }

    /// Returns the number of days for which events are kept; 400 by default.
    package func days(_ environmentID: EnvironmentID) async throws -> Int {
        try await database.read {
            try $0.row(
                "SELECT retention_days FROM behavior_settings WHERE environment_id = ?",
                [.id(environmentID)]
            )?.int("retention_days") ?? BehaviorLimits.defaultRetentionDays
        }
    }

    /// Sets the number of days, 1 to 3,660. Older events are removed within the hour.
    package func setDays(_ environmentID: EnvironmentID, _ days: Int) async throws {
        let range = BehaviorLimits.retentionRange
        guard range.contains(days) else {
            throw Problem.invalidValue("days", "From \(range.lowerBound) to \(range.upperBound).")
        }
        _ = try await database.write {
            try $0.execute(
                """
                INSERT INTO behavior_settings (environment_id, retention_days) VALUES (?, ?)
                ON CONFLICT (environment_id) DO UPDATE SET retention_days = excluded.retention_days
                """, [.id(environmentID), .int(days)])
        }
    }

    /// Removes the events older than their environment's retention, and surplus refusals; returns the number of events.
    ///
    /// An event is removed once it both happened and arrived before the retention, so that duplicates of an event that
    /// arrived late are detected as long as those of any other.
    @discardableResult
    package func prune() async throws -> Int {
        let environments = try await database.read {
            try $0.rows("SELECT id FROM environments ORDER BY id").map {
                try $0.id("id", as: EnvironmentID.self)
            }
        }
        var removed = 0
        for environmentID in environments { removed += try await prune(environmentID) }
        return removed
    }

    private func prune(_ environmentID: EnvironmentID) async throws -> Int {
        let end = now() + .seconds(-Int64(try await days(environmentID)) * 86_400)
        let removed = try await database.delete(
            from: "behavior_events", key: "seq",
            where: "environment_id = ? AND happened_at < ? AND received_at < ?",
            [.id(environmentID), .moment(end), .moment(end)], batchSize: Self.maximumBatchSize)
        let refusals = refusals
        _ = try await database.write { try refusals.prune(environmentID, in: $0) }
        return removed
    }
}
