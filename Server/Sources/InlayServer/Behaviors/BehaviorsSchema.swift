import InlaySQL

/// The tables of Behaviors. Every key that is not random leads with the environment.
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
    ]
}
