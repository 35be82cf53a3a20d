import Foundation
import GRDB

/// A connection of GRDB with the interface that both engines share.
struct SQLiteConnection: TransactionConnection {
    let database: Database
    /// The database file; `nil` for a connection that only reads.
    let file: SQLiteFile?
    /// The time limit of a statement; `nil` for no limit.
    let limit: SQLiteStatementLimit?

    var writerNumber: Int64 { 0 }

    func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        try limited {
            let before = database.totalChangesCount
            try prepared(sql, arguments).execute()
            // `changesCount` keeps the value of the last statement that changed rows, so compare the total first.
            return database.totalChangesCount == before ? 0 : database.changesCount
        }
    }

    func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow] {
        try limited {
            let statement = try prepared(sql, arguments)
            let columns = SQLColumns(statement.columnNames)
            let width = columns.names.count
            let cursor = try Row.fetchCursor(statement)
            var rows: [SQLRow] = []
            while let row = try cursor.next() {
                let values = (0..<width).map { SQLValue(row[$0] as DatabaseValue) }
                rows.append(SQLRow(columns: columns, values: values))
            }
            return rows
        }
    }

    /// SQLite waits for other processes up to the connection's busy timeout and ignores the deadline.
    func begin(until deadline: ContinuousClock.Instant) throws {
        try file?.check()
        try run("BEGIN IMMEDIATE")
    }
    func beginReading() throws { try run("BEGIN DEFERRED") }
    func beginExclusive() throws {
        try file?.check()
        try run("BEGIN EXCLUSIVE")
    }
    /// Commits; throws `fileLost` also after the commit, when a file was lost in the meantime, possibly with the
    /// commit.
    func commit() throws {
        try run("COMMIT")
        try file?.check()
    }
    func rollback() {
        // Fails only when SQLite has rolled back by itself already.
        if isInTransaction { try? run("ROLLBACK") }
    }
    func savepoint(until deadline: ContinuousClock.Instant) throws { try run("SAVEPOINT body") }
    func releaseSavepoint() throws { try run("RELEASE body") }
    func rollbackToSavepoint() throws { try run("ROLLBACK TO body") }
    var isInTransaction: Bool { database.isInsideTransaction }

    /// Returns SQLite's schema version, which grows with every change of the schema by any connection.
    func schemaVersion() throws -> Int {
        try translatingErrors {
            try Int.fetchOne(database.cachedStatement(sql: "PRAGMA schema_version")) ?? 0
        }
    }

    func executeScript(_ sql: String) throws {
        try translatingErrors { try database.execute(sql: sql) }
    }

    private func run(_ sql: String) throws {
        try translatingErrors { try database.cachedStatement(sql: sql).execute() }
    }

    private func prepared(_ sql: String, _ arguments: [SQLValue]) throws -> Statement {
        let statement = try database.cachedStatement(sql: SQLDialect.sqliteStatement(sql))
        try statement.setArguments(StatementArguments(arguments.map { try $0.checked().databaseValue }))
        return statement
    }

    private func limited<T>(_ statement: () throws -> T) throws -> T {
        try translatingErrors {
            guard let limit else { return try statement() }
            return try limit.run(statement)
        }
    }

    private func translatingErrors<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as DatabaseError {
            let error = SQLError(error)
            if error.kind == .diskFull { file?.note(isDiskFull: true) }
            throw error
        }
    }
}

extension SQLValue {
    init(_ value: DatabaseValue) {
        switch value.storage {
        case .null: self = .null
        case .int64(let integer): self = .integer(integer)
        case .double(let number): self = .real(number)
        case .string(let text): self = .text(text)
        case .blob(let bytes): self = .blob(bytes)
        }
    }

    var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let integer): integer.databaseValue
        case .real(let number): number.databaseValue
        case .text(let text): text.databaseValue
        case .blob(let bytes): bytes.databaseValue
        }
    }
}
