import Foundation
import GRDB
import InlayCore
@_spi(Inlay) import InlayWire

extension BehaviorStore {
    /// Stores posted and failed events in the history, in the transaction that removes them from the outbox.
    static func settle(_ settlements: [OutboxSettlement], at now: Timestamp, in database: Database) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO behavior_history (id, time, settled, is_failed, tries, problem, body)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """)
        for settlement in settlements {
            let item = settlement.item
            var problem: Problem?
            switch settlement.outcome {
            case .accepted: break
            case .refused(_, let why): problem = why
            case .dropped: continue
            }
            try statement.execute(arguments: [
                item.id, item.time.microseconds, now.microseconds, problem == nil ? 0 : 1, item.tries,
                try problem.map { try JSONEncoder().encode($0) }, item.body,
            ])
        }
    }

    /// Deletes settled events that are older than `limit`, and the oldest beyond `maximumCount`; returns both numbers.
    ///
    /// Events in the outbox and in HOLD are not deleted, and neither is the `current` row of facts.
    func purge(before limit: Timestamp, maximumCount: Int, facts current: Int64?) async throws -> (
        aged: Int, excess: Int
    ) {
        try await database.write { database in
            try database.execute(
                sql: "DELETE FROM behavior_history WHERE settled < ?", arguments: [limit.microseconds])
            let aged = database.changesCount
            // Posted events are deleted before failed ones, which can still be requeued.
            try database.execute(
                sql: """
                    DELETE FROM behavior_history WHERE sequence IN (
                        SELECT sequence FROM behavior_history ORDER BY is_failed DESC, settled DESC, sequence DESC
                        LIMIT -1 OFFSET ?)
                    """, arguments: [maximumCount])
            let excess = database.changesCount
            try Self.deleteUnusedFacts(except: current ?? 0, database)
            return (aged, excess)
        }
    }

    private static func deleteUnusedFacts(except current: Int64, _ database: Database) throws {
        // Only when there are many rows, because the statement below reads every event.
        guard try Int.fetchOne(database, sql: "SELECT count(*) FROM behavior_facts") ?? 0 > 100,
            let newest = try Int64.fetchOne(database, sql: "SELECT max(id) FROM behavior_facts")
        else { return }
        try database.execute(
            sql: """
                DELETE FROM behavior_facts WHERE id < ? AND id <> ? AND id NOT IN (
                    SELECT CAST(body AS TEXT) ->> '$.facts' FROM outbox WHERE lane = ?
                    UNION SELECT CAST(body AS TEXT) ->> '$.facts' FROM behavior_hold
                    UNION SELECT CAST(body AS TEXT) ->> '$.facts' FROM behavior_history)
                """, arguments: [newest - 10, current, BehaviorEngine.lane])
    }

    /// Returns the events in these states, oldest first; in one snapshot, so that an event that changes its state
    /// meanwhile is neither missing nor returned twice.
    func stored(_ states: Set<StoredBehavior.State>, offset: Duration) async throws -> [StoredBehavior] {
        try await database.read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT id, time, body, 0 AS tries, NULL AS problem, 'HOLD' AS state FROM behavior_hold
                    UNION ALL
                    SELECT id, time, body, tries, NULL, 'NOT_POSTED' FROM outbox WHERE lane = ?
                    UNION ALL
                    SELECT id, time, body, tries, problem,
                        CASE is_failed WHEN 1 THEN 'FAILED_POST' ELSE 'SUCCESSFULLY_POSTED' END
                    FROM behavior_history
                    ORDER BY time, id
                    """, arguments: [BehaviorEngine.lane])
            let wanted = rows.filter { states.contains(StoredBehavior.State(rawValue: $0["state"]) ?? .hold) }
            let behaviors = try wanted.map { try Self.outboxBehavior($0) }
            let facts = try Self.facts(Set(behaviors.map(\.facts)), database)
            return zip(behaviors, wanted).map { behavior, row in
                Self.stored(behavior, row, behavior.event(facts[behavior.facts], offset: offset))
            }
        }
    }

    private static func stored(_ behavior: OutboxBehavior, _ row: Row, _ event: BehaviorEvent)
        -> StoredBehavior
    {
        let problem: Data? = row["problem"]
        return StoredBehavior(
            id: behavior.id, state: StoredBehavior.State(rawValue: row["state"]) ?? .hold, event: event,
            tries: row["tries"],
            problem: problem.flatMap { try? JSONDecoder().decode(Problem.self, from: $0) })
    }

    /// Deletes a failed event from the history; throws when the history has no such event.
    static func takeFailed(_ id: String, in database: Database) throws {
        try database.execute(
            sql: "DELETE FROM behavior_history WHERE id = ? AND is_failed = 1", arguments: [id])
        guard database.changesCount == 1 else { throw AlreadyRecorded() }
    }

    /// Returns the failed events as they were stored.
    func failed() async throws -> [(id: String, time: Timestamp, body: Data)] {
        try await database.read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT id, time, body FROM behavior_history WHERE is_failed = 1 ORDER BY sequence"
            ).map { ($0["id"], Timestamp(microseconds: $0["time"]), $0["body"]) }
        }
    }
}
