import InlaySQL

/// The tables of analytics.
enum AnalyticsSchema {
    static let migrations = [
        SQLMigration(
            feature: "analytics", name: "0001-events",
            sql: """
                CREATE TABLE analytics_events (
                    environment_id TEXT NOT NULL, event_id TEXT NOT NULL, user_id TEXT NOT NULL,
                    name TEXT NOT NULL, happened_at BIGINT NOT NULL, received_at BIGINT NOT NULL,
                    container_id TEXT, card_id TEXT, client_version TEXT NOT NULL, properties TEXT NOT NULL,
                    PRIMARY KEY (environment_id, event_id)) WITHOUT ROWID;
                CREATE INDEX analytics_events_by_user ON analytics_events (environment_id, user_id, received_at);
                CREATE TABLE card_numbers (
                    environment_id TEXT NOT NULL, template_id TEXT NOT NULL, day BIGINT NOT NULL,
                    sent BIGINT NOT NULL DEFAULT 0, displayed BIGINT NOT NULL DEFAULT 0,
                    completed BIGINT NOT NULL DEFAULT 0, dismissed BIGINT NOT NULL DEFAULT 0,
                    snoozed BIGINT NOT NULL DEFAULT 0,
                    PRIMARY KEY (environment_id, template_id, day));
                """),
        SQLMigration(
            feature: "analytics", name: "0002-votes",
            sql: """
                ALTER TABLE card_numbers ADD COLUMN voted_up BIGINT NOT NULL DEFAULT 0;
                ALTER TABLE card_numbers ADD COLUMN voted_not_relevant BIGINT NOT NULL DEFAULT 0;
                ALTER TABLE card_numbers ADD COLUMN voted_too_often BIGINT NOT NULL DEFAULT 0;
                ALTER TABLE card_numbers ADD COLUMN voted_something_else BIGINT NOT NULL DEFAULT 0;
                """),
        // Counts by days of UTC are put at noon, which is the same date in all but the outermost zones.
        SQLMigration(
            feature: "analytics", name: "0003-quarter-hours",
            sql: """
                CREATE TABLE card_slots (
                    environment_id TEXT NOT NULL, template_id TEXT NOT NULL, slot BIGINT NOT NULL,
                    sent BIGINT NOT NULL DEFAULT 0, displayed BIGINT NOT NULL DEFAULT 0,
                    completed BIGINT NOT NULL DEFAULT 0, dismissed BIGINT NOT NULL DEFAULT 0,
                    snoozed BIGINT NOT NULL DEFAULT 0, voted_up BIGINT NOT NULL DEFAULT 0,
                    voted_not_relevant BIGINT NOT NULL DEFAULT 0, voted_too_often BIGINT NOT NULL DEFAULT 0,
                    voted_something_else BIGINT NOT NULL DEFAULT 0,
                    PRIMARY KEY (environment_id, template_id, slot));
                INSERT INTO card_slots (environment_id, template_id, slot, sent, displayed, completed, dismissed,
                    snoozed, voted_up, voted_not_relevant, voted_too_often, voted_something_else)
                    SELECT environment_id, template_id, day * 96 + 48, sent, displayed, completed, dismissed,
                    snoozed, voted_up, voted_not_relevant, voted_too_often, voted_something_else FROM card_numbers;
                DROP TABLE card_numbers;
                ALTER TABLE card_slots RENAME TO card_numbers;
                CREATE INDEX card_numbers_by_slot ON card_numbers (environment_id, slot);
                """),
        // `writer` is the connection that adds to the row, 0 once the rows of a slot are folded into one.
        SQLMigration(
            feature: "analytics", name: "0004-writers",
            sql: """
                CREATE TABLE card_writer_slots (
                    environment_id TEXT NOT NULL, template_id TEXT NOT NULL, slot BIGINT NOT NULL,
                    writer BIGINT NOT NULL,
                    sent BIGINT NOT NULL DEFAULT 0, displayed BIGINT NOT NULL DEFAULT 0,
                    completed BIGINT NOT NULL DEFAULT 0, dismissed BIGINT NOT NULL DEFAULT 0,
                    snoozed BIGINT NOT NULL DEFAULT 0, voted_up BIGINT NOT NULL DEFAULT 0,
                    voted_not_relevant BIGINT NOT NULL DEFAULT 0, voted_too_often BIGINT NOT NULL DEFAULT 0,
                    voted_something_else BIGINT NOT NULL DEFAULT 0,
                    PRIMARY KEY (environment_id, template_id, slot, writer));
                INSERT INTO card_writer_slots (environment_id, template_id, slot, writer, sent, displayed, completed,
                    dismissed, snoozed, voted_up, voted_not_relevant, voted_too_often, voted_something_else)
                    SELECT environment_id, template_id, slot, 0, sent, displayed, completed,
                    dismissed, snoozed, voted_up, voted_not_relevant, voted_too_often, voted_something_else
                    FROM card_numbers;
                DROP TABLE card_numbers;
                ALTER TABLE card_writer_slots RENAME TO card_numbers;
                CREATE INDEX card_numbers_by_slot ON card_numbers (environment_id, slot);
                CREATE INDEX card_numbers_unfolded ON card_numbers (slot) WHERE writer <> 0;
                """),
    ]
}
