import InlaySQL

/// The tables of organisations, environments, keys, users and operators.
enum AccountsSchema {
    static let migrations = [
        SQLMigration(
            feature: "accounts", name: "0001-accounts",
            sql: """
                CREATE TABLE organisations (
                    id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL, created_at BIGINT NOT NULL);
                CREATE TABLE environments (
                    id TEXT NOT NULL PRIMARY KEY,
                    organisation_id TEXT NOT NULL REFERENCES organisations (id),
                    name TEXT NOT NULL, created_at BIGINT NOT NULL);
                CREATE TABLE api_keys (
                    environment_id TEXT NOT NULL REFERENCES environments (id), id TEXT NOT NULL,
                    name TEXT NOT NULL, public_key TEXT NOT NULL, algorithms TEXT NOT NULL,
                    issuer TEXT, audience TEXT, user_claim TEXT NOT NULL, max_life BIGINT NOT NULL,
                    created_at BIGINT NOT NULL, revoked_at BIGINT,
                    PRIMARY KEY (environment_id, id)) WITHOUT ROWID;
                CREATE TABLE secret_keys (
                    environment_id TEXT NOT NULL REFERENCES environments (id), id TEXT NOT NULL,
                    name TEXT NOT NULL, hash TEXT NOT NULL,
                    created_at BIGINT NOT NULL, revoked_at BIGINT,
                    PRIMARY KEY (environment_id, id)) WITHOUT ROWID;
                CREATE TABLE users (
                    environment_id TEXT NOT NULL, id TEXT NOT NULL,
                    name TEXT, email TEXT, phone TEXT, city TEXT, region TEXT, country TEXT, external_id TEXT,
                    fields TEXT NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
                    last_seen_at BIGINT,
                    PRIMARY KEY (environment_id, id)) WITHOUT ROWID;
                CREATE TABLE user_fields (
                    environment_id TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
                    user_id TEXT NOT NULL,
                    PRIMARY KEY (environment_id, name, value, user_id)) WITHOUT ROWID;
                CREATE INDEX user_fields_by_user ON user_fields (environment_id, user_id);
                """),
        SQLMigration(
            feature: "accounts", name: "0002-operators",
            sql: """
                CREATE TABLE operators (
                    id TEXT NOT NULL PRIMARY KEY, login TEXT NOT NULL UNIQUE, role TEXT NOT NULL,
                    password_hash TEXT NOT NULL, created_at BIGINT NOT NULL, disabled_at BIGINT);
                CREATE TABLE operator_sessions (
                    token_hash TEXT NOT NULL PRIMARY KEY,
                    operator_id TEXT NOT NULL REFERENCES operators (id),
                    created_at BIGINT NOT NULL, used_at BIGINT NOT NULL, expires_at BIGINT NOT NULL);
                CREATE INDEX operator_sessions_by_operator ON operator_sessions (operator_id);
                CREATE TABLE audit_log (
                    id TEXT NOT NULL PRIMARY KEY, environment_id TEXT, operator TEXT NOT NULL,
                    action TEXT NOT NULL, subject TEXT NOT NULL, detail TEXT, at BIGINT NOT NULL);
                CREATE INDEX audit_log_by_environment ON audit_log (environment_id, id);
                """),
        SQLMigration(
            feature: "accounts", name: "0003-operator-passwords",
            sql: """
                ALTER TABLE operators ADD COLUMN must_change_password BIGINT NOT NULL DEFAULT 0;
                ALTER TABLE operators ADD COLUMN password_set_at BIGINT;
                CREATE TABLE operator_attempts (
                    environment_id TEXT NOT NULL, email_hash TEXT NOT NULL, network_hash TEXT NOT NULL,
                    failures BIGINT NOT NULL, failed_at BIGINT NOT NULL, wait_until BIGINT NOT NULL,
                    known_at BIGINT,
                    PRIMARY KEY (environment_id, email_hash, network_hash)) WITHOUT ROWID;
                CREATE INDEX operator_attempts_by_time ON operator_attempts (failed_at);
                CREATE INDEX operator_attempts_by_known ON operator_attempts (known_at);
                """),
        // `NULL` stands for the server's own time zone.
        SQLMigration(
            feature: "accounts", name: "0004-time-zones",
            sql: "ALTER TABLE environments ADD COLUMN time_zone TEXT;"),
    ]
}
