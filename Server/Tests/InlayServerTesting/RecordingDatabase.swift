import InlaySQL
import NIOConcurrencyHelpers

/// A database that records each statement with its access and lane, and calls a test's closure before it.
struct RecordingDatabase: ForwardingDatabase {
    enum Access: Hashable, Sendable { case read, analytics, write }

    struct Statement: Sendable {
        let sql: String
        let access: Access
        let lane: String
    }

    /// The record that all lanes of one database share.
    private struct Record {
        var statements: [Statement] = []
        var step: @Sendable (Statement) throws -> Void = { _ in }
    }

    private struct Connection: SQLConnection {
        let connection: any SQLConnection
        let note: (String) throws -> Void

        var writerNumber: Int64 { connection.writerNumber }

        func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
            try note(sql)
            return try connection.execute(sql, arguments)
        }

        func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow] {
            try note(sql)
            return try connection.rows(sql, arguments)
        }
    }

    let base: any SQLDatabase
    private let lane: String
    private let readAccess: Access
    private let record: NIOLockedValueBox<Record>

    init(_ database: any SQLDatabase) {
        self.init(database, lane: "main", .read, NIOLockedValueBox(Record()))
    }

    private init(
        _ database: any SQLDatabase, lane: String, _ access: Access, _ record: NIOLockedValueBox<Record>
    ) {
        (base, self.lane, readAccess, self.record) = (database, lane, access, record)
    }

    var statements: [Statement] { record.withLockedValue { $0.statements } }

    func clearStatements() { record.withLockedValue { $0.statements = [] } }

    /// Calls the closure before each statement; an error that it throws is the statement's error.
    func beforeEachStatement(_ step: @escaping @Sendable (Statement) throws -> Void) {
        record.withLockedValue { $0.step = step }
    }

    private func note(_ sql: String, _ access: Access) throws {
        let statement = Statement(sql: sql, access: access, lane: lane)
        let step = record.withLockedValue { record in
            record.statements.append(statement)
            return record.step
        }
        try step(statement)
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await base.read { connection in
            try body(Connection(connection: connection) { try note($0, readAccess) })
        }
    }

    @discardableResult
    func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await base.write { connection in
            try body(Connection(connection: connection) { try note($0, .write) })
        }
    }

    func lane(_ name: String, sharesCommits: Bool) -> any SQLDatabase {
        RecordingDatabase(
            base.lane(name, sharesCommits: sharesCommits), lane: name, readAccess, record)
    }

    var forAnalytics: any SQLDatabase {
        RecordingDatabase(base.forAnalytics, lane: lane, .analytics, record)
    }
}
