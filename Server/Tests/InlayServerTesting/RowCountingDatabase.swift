import InlaySQL
import NIOConcurrencyHelpers

/// A database that records the number of rows that each statement changed or found.
struct RowCountingDatabase: ForwardingDatabase {
    let base: any SQLDatabase
    let changed = NIOLockedValueBox<[Int]>([])
    let found = NIOLockedValueBox<[Int]>([])

    init(_ database: any SQLDatabase) { base = database }

    private struct Connection: SQLConnection {
        let connection: any SQLConnection
        let changed: NIOLockedValueBox<[Int]>
        let found: NIOLockedValueBox<[Int]>
        var writerNumber: Int64 { connection.writerNumber }

        func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
            let count = try connection.execute(sql, arguments)
            changed.withLockedValue { $0.append(count) }
            return count
        }

        func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow] {
            let rows = try connection.rows(sql, arguments)
            found.withLockedValue { $0.append(rows.count) }
            return rows
        }
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await base.read { [changed, found] in
            try body(Connection(connection: $0, changed: changed, found: found))
        }
    }

    @discardableResult
    func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await base.write { [changed, found] in
            try body(Connection(connection: $0, changed: changed, found: found))
        }
    }

    func lane(_ name: String, sharesCommits: Bool) -> any SQLDatabase { self }
    var forAnalytics: any SQLDatabase { self }
}
