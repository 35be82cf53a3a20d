import InlayCore

/// The tables of the cards feature. Never edit a migration that was released; add another.
enum CardSchema {
    static let schema = StoreSchema(
        feature: "cards",
        migrations: [
            StoreMigration(
                "1 feeds",
                sql: """
                    CREATE TABLE card_feed (
                        container TEXT PRIMARY KEY, version INTEGER NOT NULL, body BLOB NOT NULL
                    ) WITHOUT ROWID;
                    CREATE TABLE card_member (
                        card TEXT NOT NULL, container TEXT NOT NULL, PRIMARY KEY (card, container)
                    ) WITHOUT ROWID;
                    CREATE INDEX card_member_container ON card_member (container);
                    """),
            StoreMigration(
                "2 marks",
                sql: """
                    CREATE TABLE card_mark (
                        action TEXT PRIMARY KEY, card TEXT NOT NULL, container TEXT NOT NULL,
                        status TEXT NOT NULL, until INTEGER, taken INTEGER NOT NULL, is_settled INTEGER NOT NULL
                    ) WITHOUT ROWID;
                    CREATE TABLE card_seen (card TEXT PRIMARY KEY) WITHOUT ROWID;
                    """),
            StoreMigration(
                "3 appearances",
                sql: """
                    CREATE TABLE card_appearance (
                        container TEXT PRIMARY KEY, version INTEGER NOT NULL, body BLOB NOT NULL
                    ) WITHOUT ROWID;
                    """),
        ])
}
