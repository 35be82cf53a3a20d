import InlaySQL
package import InlayServerCore
@_spi(Inlay) import InlayWire

/// The time for which an environment keeps its events. Copies are detected by id as long as the events are kept.
package struct BehaviorRetention: Sendable {
    /// Rows of one transaction: few enough that senders wait only for milliseconds.
    private static let pieceSize = 500

    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp
    let refusals: EventRefusals

    init(database: any SQLDatabase, now: @escaping @Sendable () -> Timestamp) {
        self.database = database
        self.now = now
        refusals = EventRefusals(database: database)
    }

    /// The days that events are kept; 400 unless it was set.
    package func days(_ environmentID: EnvironmentID) async throws -> Int {
        try await database.read {
            try $0.row(
                "SELECT retention_days FROM behavior_settings WHERE environment_id = ?",
                [.id(environmentID)]
            )?.int("retention_days") ?? BehaviorLimits.retentionDays
        }
    }

    /// Sets the days, 1 to 3,660. What is older goes within the hour.
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

    /// Removes what is older than its environment keeps; returns how many events went.
    ///
    /// An event goes once it both happened and arrived long enough ago, so that copies of a late one are recognized
    /// for as long as those of any other.
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
            [.id(environmentID), .moment(end), .moment(end)], piece: Self.pieceSize)
        let refusals = refusals
        _ = try await database.write { try refusals.prune(environmentID, in: $0) }
        return removed
    }
}
