import InlaySQL
import NIOConcurrencyHelpers

/// A database that records the number of rows that each statement of a write changed.
struct RowCountingDatabase: ForwardingDatabase {
    let base: any SQLDatabase
    let changed = NIOLockedValueBox<[Int]>([])

    init(_ database: any SQLDatabase) { base = database }

    private struct Connection: SQLConnection {
        let connection: any SQLConnection
        let changed: NIOLockedValueBox<[Int]>
        var writerNumber: Int64 { connection.writerNumber }

        func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
            let count = try connection.execute(sql, arguments)
            changed.withLockedValue { $0.append(count) }
            return count
        }

        func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow] {
            try connection.rows(sql, arguments)
        }
    }

    @discardableResult
    func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await base.write { [changed] in try body(Connection(connection: $0, changed: changed)) }
    }

    func lane(_ name: String, sharesCommits: Bool) -> any SQLDatabase { self }
    var forAnalytics: any SQLDatabase { self }
}
