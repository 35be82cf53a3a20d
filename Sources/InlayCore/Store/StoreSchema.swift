/// The tables of one feature, as a list of migrations.
package struct StoreSchema: Hashable, Sendable {
    /// The feature's name, under which its migrations are recorded.
    package let feature: String
    /// The migrations, oldest first. Never edit one that was released; add another.
    package let migrations: [StoreMigration]

    package init(feature: String, migrations: [StoreMigration]) {
        self.feature = feature
        self.migrations = migrations
    }
}

/// One migration of a schema.
package struct StoreMigration: Hashable, Sendable {
    package let name: String
    package let sql: String

    package init(_ name: String, sql: String) {
        self.name = name
        self.sql = sql
    }
}
