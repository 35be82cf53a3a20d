import InlayCore

/// The tables of the feature: those of a user, without the waiting events, which are in the outbox, and the device's.
enum BehaviorSchema {
    static let schema = StoreSchema(
        feature: "behaviors",
        migrations: [
            StoreMigration(
                "1-behaviors",
                sql: """
                    -- The attributes that all events of a time have in common, once and not in every event.
                    CREATE TABLE behavior_facts (
                        id INTEGER PRIMARY KEY, body TEXT NOT NULL UNIQUE
                    ) STRICT;
                    -- Events that plug-ins still add to.
                    CREATE TABLE behavior_hold (
                        id TEXT PRIMARY KEY, time INTEGER NOT NULL, body BLOB NOT NULL
                    ) STRICT;
                    -- Events that left the outbox; is_failed says which of the two ways.
                    CREATE TABLE behavior_history (
                        sequence INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, time INTEGER NOT NULL,
                        settled INTEGER NOT NULL, is_failed INTEGER NOT NULL, tries INTEGER NOT NULL,
                        problem BLOB, body BLOB NOT NULL
                    ) STRICT;
                    CREATE INDEX behavior_history_settled ON behavior_history (settled);
                    CREATE TABLE behavior_value (key TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
                    """)
        ])

    static let device = StoreSchema(
        feature: "behaviors-device",
        migrations: [
            StoreMigration(
                "1-values",
                sql: "CREATE TABLE behavior_device (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT")
        ])
}
