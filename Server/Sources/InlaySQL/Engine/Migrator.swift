import Foundation

/// A runner of migrations that applies the missing ones and checks that the applied ones were not edited.
struct Migrator {
    let migrations: [SQLMigration]

    private static let table = """
        CREATE TABLE IF NOT EXISTS inlay_migrations (
            feature TEXT NOT NULL, position BIGINT NOT NULL, name TEXT NOT NULL,
            checksum TEXT NOT NULL, applied_at BIGINT NOT NULL,
            PRIMARY KEY (feature, position))
        """

    /// Applies the missing migrations in one transaction, so that a schema is never half migrated.
    func run(on connection: any TransactionConnection) throws {
        try connection.beginExclusive()
        do {
            try connection.executeScript(Self.table)
            for feature in features {
                try apply(migrations.filter { $0.feature == feature }, on: connection)
            }
            try connection.commit()
        } catch {
            connection.rollback()
            throw error
        }
    }

    /// Returns whether all migrations are applied. Throws for an unknown or changed history, as ``run(on:)`` does.
    func isComplete(on connection: any SQLConnection) throws -> Bool {
        var isComplete = true
        for feature in features {
            let steps = migrations.filter { $0.feature == feature }
            let recorded = try recorded(feature, connection)
            try check(recorded, against: steps)
            isComplete = isComplete && recorded.count == steps.count
        }
        return isComplete
    }

    private func recorded(_ feature: String, _ connection: any SQLConnection) throws -> [SQLRow] {
        try connection.rows(
            "SELECT name, checksum FROM inlay_migrations WHERE feature = ? ORDER BY position",
            [.text(feature)])
    }

    /// The features in the order of their first migration.
    private var features: [String] {
        var seen = Set<String>()
        return migrations.map(\.feature).filter { seen.insert($0).inserted }
    }

    private func apply(_ steps: [SQLMigration], on connection: any TransactionConnection) throws {
        let recorded = try recorded(steps[0].feature, connection)
        try check(recorded, against: steps)
        for (position, step) in steps.enumerated().dropFirst(recorded.count) {
            do {
                try connection.executeScript(step.sql)
            } catch let error as SQLError {
                throw SQLError(
                    error.kind, "Migration \(step.feature)/\(step.name): \(error.message)", code: error.code)
            }
            try connection.execute(
                "INSERT INTO inlay_migrations (feature, position, name, checksum, applied_at) VALUES (?, ?, ?, ?, ?)",
                [
                    .text(step.feature), .int(position), .text(step.name), .text(step.checksum),
                    .integer(Int64(Date().timeIntervalSince1970 * 1_000_000)),
                ])
        }
    }

    private func check(_ recorded: [SQLRow], against steps: [SQLMigration]) throws {
        let feature = steps[0].feature
        for (position, row) in recorded.enumerated() {
            let name = try row.text("name")
            guard position < steps.count else {
                throw SQLError(
                    .migrationUnknown,
                    "The database holds migration \(feature)/\(name), which this program does not know. Run a newer one."
                )
            }
            guard steps[position].name == name else {
                throw SQLError(
                    .migrationChanged,
                    "Migration \(feature)/\(name) was applied where \(steps[position].name) now stands. Add at the end only."
                )
            }
            guard try row.text("checksum") == steps[position].checksum else {
                throw SQLError(
                    .migrationChanged,
                    "Migration \(feature)/\(name) was edited after it was applied. Restore it and add a new one."
                )
            }
        }
    }
}
