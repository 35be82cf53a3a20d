/// The tables of one feature, as the steps that lead to them.
package struct StoreSchema: Hashable, Sendable {
    /// The feature's word; its migrations are recorded under it.
    package let feature: String
    /// In the order in which they were written. Never edit one that was released; add another.
    package let migrations: [StoreMigration]

    package init(feature: String, migrations: [StoreMigration]) {
        self.feature = feature
        self.migrations = migrations
    }
}

/// One step of a schema.
package struct StoreMigration: Hashable, Sendable {
    package let name: String
    package let sql: String

    package init(_ name: String, sql: String) {
        self.name = name
        self.sql = sql
    }
}
