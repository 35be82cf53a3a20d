import Foundation
import GRDB

/// The limit: the same rows into the same table, in groups, with nothing around it.
enum BareInserts {
    /// About what one commit of the outbox carries under load.
    private static let group = 64

    static func rate(count: Int, at file: URL) throws -> Double {
        let queue = try DatabaseQueue(path: file.path)
        return try queue.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
                    CREATE TABLE outbox (sequence INTEGER PRIMARY KEY, lane TEXT NOT NULL, id TEXT NOT NULL,
                        time INTEGER NOT NULL, body BLOB NOT NULL) STRICT;
                    CREATE INDEX outbox_lane ON outbox (lane);
                    """)
            let insert = try database.makeStatement(
                sql: "INSERT INTO outbox (lane, id, time, body) VALUES (?, ?, ?, ?)")
            let bodies = try (0..<group).map { try JSONEncoder().encode(OutboxBench.event($0)) }
            let ids = (0..<group).map { OutboxBench.event($0).id }
            let start = ResourceUse()
            for first in stride(from: 0, to: count, by: group) {
                try database.inTransaction {
                    for number in first..<min(first + group, count) {
                        try insert.execute(arguments: [
                            "bench", ids[number - first], number, bodies[number - first],
                        ])
                    }
                    return .commit
                }
            }
            return Double(count) / start.elapsed().seconds
        }
    }
}
