extension SQLDatabase {
    /// Whether all of these migrations have been applied. Changes nothing.
    ///
    /// Throws kinds `migrationChanged` and `migrationUnknown` as ``migrate(_:)`` does.
    public func isMigrated(_ migrations: [SQLMigration]) async throws -> Bool {
        do {
            return try await read { try Migrator(migrations: migrations).isComplete(on: $0) }
        } catch let error as SQLError where error.kind == .invalidStatement {
            // Nobody has migrated it yet: there is no table of migrations.
            return false
        }
    }
}
