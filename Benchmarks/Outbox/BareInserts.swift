import Foundation
import GRDB

/// The baseline: inserts of the same rows into the same table, in groups, without the SDK.
enum BareInserts {
    /// The approximate number of items in one commit of the outbox under load.
    private static let rowsPerCommit = 64

    /// Returns the number of inserted rows per second. `sample` has ids and bodies like those of the measured run.
    static func rate(count: Int, at file: URL, sample: [(id: String, body: Data)]) throws -> Double {
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
            let start = ResourceUse()
            for first in stride(from: 0, to: count, by: rowsPerCommit) {
                try database.inTransaction {
                    for number in first..<min(first + rowsPerCommit, count) {
                        try insert.execute(arguments: [
                            "bench", sample[(number - first) % sample.count].id, number,
                            sample[(number - first) % sample.count].body,
                        ])
                    }
                    return .commit
                }
            }
            return Double(count) / start.elapsed().seconds
        }
    }
}
