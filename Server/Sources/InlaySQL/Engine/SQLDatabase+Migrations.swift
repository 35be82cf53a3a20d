extension SQLDatabase {
    /// Returns whether all of these migrations have been applied. Changes nothing.
    ///
    /// Throws kinds `migrationChanged` and `migrationUnknown` as ``migrate(_:)`` does.
    public func isMigrated(_ migrations: [SQLMigration]) async throws -> Bool {
        do {
            return try await read { try Migrator(migrations: migrations).isComplete(on: $0) }
        } catch let error as SQLError where error.kind == .invalidStatement {
            // The table of migrations does not exist: the database was never migrated.
            return false
        }
    }
}
