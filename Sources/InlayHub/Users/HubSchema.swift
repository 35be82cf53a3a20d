import GRDB

/// The tables of the hub's database. Never edit a migration that was released; add another.
enum HubSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 users") { database in
            try database.execute(
                sql: """
                    CREATE TABLE hub_user (
                        number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, is_active INTEGER NOT NULL
                    ) STRICT;
                    CREATE TABLE hub_tag (
                        number INTEGER PRIMARY KEY,
                        user INTEGER NOT NULL REFERENCES hub_user (number) ON DELETE CASCADE,
                        tag BLOB NOT NULL, count INTEGER NOT NULL, UNIQUE (user, tag)
                    ) STRICT;
                    """)
        }
        migrator.registerMigration("2 sources") { database in
            // The values of a content source, which stay when a version is removed.
            try database.execute(
                sql: """
                    CREATE TABLE hub_value (
                        source TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL,
                        PRIMARY KEY (source, key)
                    ) WITHOUT ROWID, STRICT;
                    """)
        }
        return migrator
    }
}
