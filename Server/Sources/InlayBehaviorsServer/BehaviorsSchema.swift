import InlaySQL

/// The tables of Behaviors. Every key that is not random begins with the environment's id.
enum BehaviorsSchema {
    static let migrations = [
        SQLMigration(
            feature: "behaviors", name: "0001-oauth",
            sql: """
                CREATE TABLE oauth_clients (
                    id TEXT NOT NULL PRIMARY KEY, environment_id TEXT NOT NULL REFERENCES environments (id),
                    name TEXT NOT NULL, secret_hash TEXT NOT NULL, refresh_hash TEXT NOT NULL,
                    created_at BIGINT NOT NULL, used_at BIGINT, revoked_at BIGINT);
                CREATE INDEX oauth_clients_by_environment ON oauth_clients (environment_id, created_at);
                CREATE TABLE oauth_tokens (
                    token_hash TEXT NOT NULL PRIMARY KEY, environment_id TEXT NOT NULL,
                    client_id TEXT NOT NULL, expires_at BIGINT NOT NULL) WITHOUT ROWID;
                CREATE INDEX oauth_tokens_by_client ON oauth_tokens (client_id, expires_at);
                CREATE INDEX oauth_tokens_by_end ON oauth_tokens (expires_at);
                """),
        SQLMigration(
            feature: "behaviors", name: "0002-events",
            sql: """
                CREATE TABLE behavior_events (
                    seq INTEGER PRIMARY KEY AUTOINCREMENT,
                    environment_id TEXT NOT NULL, event_id TEXT, user_id TEXT, contact_id TEXT,
                    code BIGINT NOT NULL, name TEXT NOT NULL, campaign TEXT,
                    happened_at BIGINT NOT NULL, received_at BIGINT NOT NULL, stated_at TEXT,
                    attributes TEXT NOT NULL);
                CREATE UNIQUE INDEX behavior_events_by_id ON behavior_events (environment_id, event_id);
                CREATE INDEX behavior_events_by_time ON behavior_events (environment_id, happened_at);
                CREATE INDEX behavior_events_by_name
                    ON behavior_events (environment_id, code, name, happened_at);
                CREATE TABLE behavior_refusals (
                    seq INTEGER PRIMARY KEY AUTOINCREMENT,
                    environment_id TEXT NOT NULL, user_id TEXT, event_id TEXT NOT NULL,
                    event_code TEXT NOT NULL, code TEXT NOT NULL, status BIGINT NOT NULL, title TEXT NOT NULL,
                    detail TEXT, received_at BIGINT NOT NULL);
                CREATE INDEX behavior_refusals_by_environment ON behavior_refusals (environment_id, seq);
                CREATE TABLE behavior_settings (
                    environment_id TEXT NOT NULL PRIMARY KEY, retention_days BIGINT NOT NULL);
                """),
        SQLMigration(
            feature: "behaviors", name: "0003-contacts",
            sql: """
                CREATE TABLE contact_counters (
                    environment_id TEXT NOT NULL, name TEXT NOT NULL, value BIGINT NOT NULL,
                    PRIMARY KEY (environment_id, name));
                CREATE TABLE contact_lists (
                    environment_id TEXT NOT NULL, id BIGINT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL,
                    parent_id BIGINT, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
                    PRIMARY KEY (environment_id, id));
                CREATE TABLE contact_columns (
                    environment_id TEXT NOT NULL, list_id BIGINT NOT NULL, column_key TEXT NOT NULL,
                    name TEXT NOT NULL, type BIGINT NOT NULL, default_value TEXT NOT NULL,
                    choices TEXT NOT NULL, is_key BIGINT NOT NULL, place BIGINT NOT NULL,
                    PRIMARY KEY (environment_id, list_id, column_key));
                CREATE TABLE recipients (
                    environment_id TEXT NOT NULL, list_id BIGINT NOT NULL, id BIGINT NOT NULL,
                    user_id TEXT, owner_id TEXT, created_from BIGINT NOT NULL, created_at BIGINT NOT NULL,
                    updated_at BIGINT NOT NULL, opted_out_at BIGINT,
                    PRIMARY KEY (environment_id, list_id, id));
                CREATE UNIQUE INDEX recipients_by_id ON recipients (environment_id, id);
                CREATE INDEX recipients_by_user ON recipients (environment_id, user_id);
                CREATE TABLE recipient_values (
                    environment_id TEXT NOT NULL, list_id BIGINT NOT NULL, recipient_id BIGINT NOT NULL,
                    column_key TEXT NOT NULL, value TEXT NOT NULL, folded TEXT NOT NULL,
                    number DOUBLE PRECISION,
                    PRIMARY KEY (environment_id, list_id, recipient_id, column_key)) WITHOUT ROWID;
                CREATE INDEX recipient_values_by_value
                    ON recipient_values (environment_id, list_id, column_key, folded, recipient_id);
                CREATE TABLE contact_members (
                    environment_id TEXT NOT NULL, list_id BIGINT NOT NULL, recipient_id BIGINT NOT NULL,
                    PRIMARY KEY (environment_id, list_id, recipient_id)) WITHOUT ROWID;
                CREATE INDEX contact_members_by_recipient ON contact_members (environment_id, recipient_id);
                CREATE TABLE relational_rows (
                    environment_id TEXT NOT NULL, table_id BIGINT NOT NULL, row_key TEXT NOT NULL,
                    cells TEXT NOT NULL, updated_at BIGINT NOT NULL,
                    PRIMARY KEY (environment_id, table_id, row_key)) WITHOUT ROWID;
                """),
        SQLMigration(
            feature: "behaviors", name: "0004-segments",
            sql: """
                CREATE TABLE segments (
                    environment_id TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL,
                    definition TEXT NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
                    PRIMARY KEY (environment_id, id));
                CREATE TABLE behavior_funnels (
                    environment_id TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL,
                    definition TEXT NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
                    PRIMARY KEY (environment_id, id));
                """),
        SQLMigration(
            feature: "behaviors", name: "0005-answers",
            sql: """
                CREATE TABLE xmlapi_answers (
                    environment_id TEXT NOT NULL, sender_id TEXT NOT NULL, request_id TEXT NOT NULL,
                    document_hash TEXT NOT NULL, answer TEXT NOT NULL, answered_at BIGINT NOT NULL,
                    PRIMARY KEY (environment_id, sender_id, request_id));
                CREATE INDEX xmlapi_answers_by_time ON xmlapi_answers (environment_id, answered_at);
                """),
        SQLMigration(
            feature: "behaviors", name: "0006-goals",
            sql: """
                CREATE TABLE behavior_goals (
                    environment_id TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL,
                    definition TEXT NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
                    PRIMARY KEY (environment_id, id));
                """),
        SQLMigration(feature: "behaviors", name: "0007-number-keys", sql: numberKeys),
    ]

    // Rewrites the lookup keys (`folded`) of numeric columns in `DecimalNumber`'s form: plain decimals digit by digit,
    // short numbers with an exponent by their value. Other texts that earlier versions read as numbers keep their keys.
    // Only rows whose key changes are written.
    private static let numberKeys = """
        UPDATE recipient_values SET folded = CASE
            WHEN number = 0 THEN '0'
            WHEN folded NOT LIKE '%e%' THEN
                CASE WHEN number < 0 THEN '-' ELSE '' END
                || CASE WHEN LTRIM(folded, '+-0') LIKE '.%' THEN '0' ELSE '' END
                || CASE WHEN folded LIKE '%.%' THEN RTRIM(RTRIM(LTRIM(folded, '+-0'), '0'), '.')
                    ELSE LTRIM(folded, '+-0') END
            WHEN number = CAST(CAST(number AS BIGINT) AS DOUBLE PRECISION)
                THEN CAST(CAST(number AS BIGINT) AS TEXT)
            ELSE CAST(number AS TEXT) END
        WHERE number IS NOT NULL AND LENGTH(folded) <= 100
            AND (folded LIKE '+%' OR folded LIKE '.%' OR folded LIKE '-.%' OR folded LIKE '%.'
                OR folded LIKE '%.%0' OR folded LIKE '%e%'
                OR (folded LIKE '0_%' AND folded NOT LIKE '0.%')
                OR (folded LIKE '-0%' AND folded NOT LIKE '-0.%'))
            AND LTRIM(folded, '+-.0123456789' || CASE
                WHEN LENGTH(folded) <= 15 AND ABS(number) >= 0.0001 AND ABS(number) < 1e15 THEN 'e' ELSE '' END) = ''
            AND EXISTS (SELECT 1 FROM contact_columns c WHERE c.environment_id = recipient_values.environment_id
                AND c.list_id = recipient_values.list_id AND c.column_key = recipient_values.column_key
                AND c.type = 2);
        """
}
