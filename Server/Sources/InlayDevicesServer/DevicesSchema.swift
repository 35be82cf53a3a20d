import InlaySQL

/// The tables of Devices: applications, accounts of end users, their tokens, mails, devices, pairings.
///
/// Passwords are stored as argon2id texts, codes of mails as a SHA-256 of 40 random bits, every other secret as a
/// SHA-256 of 128 random bits or more. Only a mail that is not sent yet contains its code in clear, until it is sent or
/// given up.
enum DevicesSchema {
    static let migrations = [
        SQLMigration(feature: "devices", name: "0001-applications", sql: applications),
        SQLMigration(feature: "devices", name: "0002-accounts", sql: accounts),
        SQLMigration(feature: "devices", name: "0003-mails", sql: mails),
        SQLMigration(feature: "devices", name: "0004-devices", sql: devices),
        SQLMigration(feature: "devices", name: "0005-offers", sql: offers),
        SQLMigration(feature: "devices", name: "0006-ended-users", sql: endedUsers),
        SQLMigration(feature: "devices", name: "0007-code-requests", sql: codeRequests),
        SQLMigration(feature: "devices", name: "0008-known-networks", sql: knownNetworks),
        SQLMigration(feature: "devices", name: "0009-known-since", sql: knownSince),
        SQLMigration(feature: "devices", name: "0010-jobs", sql: jobs),
        SQLMigration(feature: "devices", name: "0011-pairing-jobs", sql: pairingJobs),
    ]

    // Open pairings expire by jobs of their own. A periodic task did it before.
    private static let pairingJobs = """
        INSERT INTO jobs (environment_id, kind, key, lane, due_at, attempts, minimum_attempts, payload, last_error)
        SELECT environment_id, 'devices.pairing', id, 'devices.pairing/' || environment_id, expires_at, 0, 0, '', ''
        FROM device_pairings WHERE state IN ('issued', 'seen') AND settled_at IS NULL;
        DELETE FROM jobs WHERE environment_id = '' AND kind = 'maintenance' AND key = 'devices.pairings'
        """

    // Waiting mails and ended users become jobs. A user whom an older node has claimed is due when that claim ends.
    private static let jobs = """
        INSERT INTO jobs (environment_id, kind, key, lane, due_at, attempts, expires_at, minimum_attempts, payload,
            last_error)
        SELECT environment_id, 'devices.mail', id, 'devices.mail/' || environment_id, next_at, tries, useless_at - 1, 0,
            '', '' FROM device_mails WHERE state = 'waiting';
        INSERT INTO jobs (environment_id, kind, key, lane, due_at, attempts, minimum_attempts, payload, last_error)
        SELECT environment_id, 'devices.erasure', user_id, 'devices.erasure/' || environment_id, next_at, 0, 0,
            CASE WHEN rounds > 0 THEN '1' ELSE '' END, '' FROM device_ended_users;
        DROP TABLE device_ended_users;
        DROP INDEX device_mails_due;
        ALTER TABLE device_mails DROP COLUMN next_at;
        ALTER TABLE device_mails DROP COLUMN useless_at
        """

    private static let applications = """
        CREATE TABLE device_applications (
            environment_id TEXT NOT NULL REFERENCES environments (id), id TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL, opens_at_once BIGINT NOT NULL, pairs_unproven BIGINT NOT NULL,
            shortest_password BIGINT NOT NULL, logo BLOB, logo_type TEXT,
            created_at BIGINT NOT NULL, revoked_at BIGINT,
            PRIMARY KEY (environment_id, id));
        CREATE TABLE device_application_secrets (
            environment_id TEXT NOT NULL, application_id TEXT NOT NULL, id TEXT NOT NULL,
            hash TEXT NOT NULL, created_at BIGINT NOT NULL, revoked_at BIGINT,
            PRIMARY KEY (environment_id, application_id, id)) WITHOUT ROWID
        """

    private static let accounts = """
        CREATE TABLE device_accounts (
            environment_id TEXT NOT NULL REFERENCES environments (id), id TEXT NOT NULL,
            email TEXT NOT NULL, password_hash TEXT, application_id TEXT NOT NULL,
            created_at BIGINT NOT NULL, proven_at BIGINT, used_at BIGINT,
            PRIMARY KEY (environment_id, id));
        CREATE UNIQUE INDEX device_accounts_by_email ON device_accounts (environment_id, email);
        CREATE INDEX device_accounts_by_time ON device_accounts (environment_id, created_at);
        CREATE TABLE device_codes (
            environment_id TEXT NOT NULL, email TEXT NOT NULL, purpose TEXT NOT NULL,
            code_hash TEXT NOT NULL, request_hash TEXT NOT NULL, password_hash TEXT,
            tries BIGINT NOT NULL, expires_at BIGINT NOT NULL,
            mails BIGINT NOT NULL, mails_since BIGINT NOT NULL,
            PRIMARY KEY (environment_id, email, purpose)) WITHOUT ROWID;
        CREATE TABLE device_attempts (
            environment_id TEXT NOT NULL, email_hash TEXT NOT NULL, failures BIGINT NOT NULL,
            failed_at BIGINT NOT NULL, wait_until BIGINT NOT NULL,
            PRIMARY KEY (environment_id, email_hash)) WITHOUT ROWID;
        CREATE TABLE device_sessions (
            environment_id TEXT NOT NULL, id TEXT NOT NULL, account_id TEXT NOT NULL,
            application_id TEXT NOT NULL, created_at BIGINT NOT NULL, used_at BIGINT NOT NULL,
            expires_at BIGINT NOT NULL,
            PRIMARY KEY (environment_id, id));
        CREATE INDEX device_sessions_by_account ON device_sessions (environment_id, account_id);
        CREATE TABLE device_tokens (
            token_hash TEXT NOT NULL PRIMARY KEY, environment_id TEXT NOT NULL, session_id TEXT NOT NULL,
            kind TEXT NOT NULL, parent TEXT, expires_at BIGINT NOT NULL, used_at BIGINT,
            is_void BIGINT NOT NULL);
        CREATE INDEX device_tokens_by_session ON device_tokens (environment_id, session_id, kind);
        CREATE INDEX device_tokens_by_parent ON device_tokens (environment_id, parent);
        CREATE INDEX device_tokens_by_end ON device_tokens (expires_at)
        """

    private static let mails = """
        CREATE TABLE device_mails (
            environment_id TEXT NOT NULL, id TEXT NOT NULL, application_id TEXT NOT NULL,
            recipient TEXT NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL, body TEXT,
            state TEXT NOT NULL, tries BIGINT NOT NULL, next_at BIGINT NOT NULL, useless_at BIGINT NOT NULL,
            created_at BIGINT NOT NULL, sent_at BIGINT, fault TEXT,
            PRIMARY KEY (environment_id, id));
        CREATE INDEX device_mails_due ON device_mails (state, next_at)
        """

    private static let devices = """
        CREATE TABLE device_devices (
            environment_id TEXT NOT NULL, id TEXT NOT NULL, account_id TEXT, offered_to TEXT,
            application_id TEXT NOT NULL, serial TEXT NOT NULL, model TEXT NOT NULL, firmware TEXT,
            name TEXT NOT NULL, state TEXT NOT NULL, credential_hash TEXT, pairing_id TEXT,
            last_failure TEXT, paired_at BIGINT NOT NULL, seen_at BIGINT,
            PRIMARY KEY (environment_id, id));
        CREATE INDEX device_devices_by_account ON device_devices (environment_id, account_id);
        CREATE INDEX device_devices_by_serial ON device_devices (environment_id, model, serial);
        CREATE INDEX device_devices_by_offer ON device_devices (environment_id, offered_to);
        CREATE UNIQUE INDEX device_devices_by_credential ON device_devices (credential_hash);
        CREATE TABLE device_pairings (
            environment_id TEXT NOT NULL, id TEXT NOT NULL, token_hash TEXT NOT NULL UNIQUE,
            account_id TEXT NOT NULL, application_id TEXT NOT NULL, session_id TEXT NOT NULL,
            name TEXT, state TEXT NOT NULL, reason TEXT, device_id TEXT, is_held BIGINT NOT NULL,
            created_at BIGINT NOT NULL, seen_at BIGINT, settled_at BIGINT, expires_at BIGINT NOT NULL,
            PRIMARY KEY (environment_id, id));
        CREATE INDEX device_pairings_by_account ON device_pairings (environment_id, account_id, created_at);
        CREATE INDEX device_pairings_by_time ON device_pairings (environment_id, created_at);
        CREATE INDEX device_pairings_open ON device_pairings (state, expires_at);
        CREATE TABLE device_versions (
            environment_id TEXT NOT NULL, account_id TEXT NOT NULL, version BIGINT NOT NULL,
            PRIMARY KEY (environment_id, account_id)) WITHOUT ROWID
        """

    // Devices that were transferred before there were offers have no credential and often no owner: they must be set up
    // again.
    private static let offers = """
        ALTER TABLE device_devices ADD COLUMN offered_at BIGINT;
        DELETE FROM device_devices WHERE state = 'transferring' OR account_id IS NULL;
        CREATE INDEX device_devices_by_offer_time ON device_devices (offered_at)
        """

    private static let endedUsers = """
        CREATE TABLE device_ended_users (
            environment_id TEXT NOT NULL, user_id TEXT NOT NULL, rounds BIGINT NOT NULL,
            next_at BIGINT NOT NULL, PRIMARY KEY (environment_id, user_id));
        CREATE INDEX device_ended_users_due ON device_ended_users (next_at)
        """

    // Codes are valid for ten minutes: users request those that were under way again.
    private static let codeRequests = """
        DROP TABLE device_codes;
        CREATE TABLE device_codes (
            environment_id TEXT NOT NULL, email TEXT NOT NULL, purpose TEXT NOT NULL,
            code_hash TEXT NOT NULL, tries BIGINT NOT NULL, mailed_at BIGINT NOT NULL,
            expires_at BIGINT NOT NULL,
            PRIMARY KEY (environment_id, email, purpose, code_hash)) WITHOUT ROWID;
        CREATE TABLE device_code_requests (
            environment_id TEXT NOT NULL, email TEXT NOT NULL, purpose TEXT NOT NULL,
            request_hash TEXT NOT NULL, password_hash TEXT, tries BIGINT NOT NULL,
            expires_at BIGINT NOT NULL,
            PRIMARY KEY (environment_id, email, purpose, request_hash)) WITHOUT ROWID;
        CREATE INDEX device_codes_by_time ON device_codes (mailed_at);
        CREATE INDEX device_code_requests_by_end ON device_code_requests (expires_at)
        """

    // A count with an empty network is for all unknown networks together, and so are the counts from before.
    private static let knownNetworks = """
        ALTER TABLE device_attempts RENAME TO device_attempts_before;
        CREATE TABLE device_attempts (
            environment_id TEXT NOT NULL, email_hash TEXT NOT NULL, network_hash TEXT NOT NULL,
            failures BIGINT NOT NULL, failed_at BIGINT NOT NULL, wait_until BIGINT NOT NULL,
            PRIMARY KEY (environment_id, email_hash, network_hash)) WITHOUT ROWID;
        INSERT INTO device_attempts (environment_id, email_hash, network_hash, failures, failed_at, wait_until)
            SELECT environment_id, email_hash, '', failures, failed_at, wait_until FROM device_attempts_before;
        DROP TABLE device_attempts_before;
        CREATE INDEX device_attempts_by_time ON device_attempts (failed_at)
        """

    // Wrong passwords also set the time of a known network, so for old rows this time replaces that of the last log-in.
    private static let knownSince = """
        ALTER TABLE device_attempts ADD COLUMN known_at BIGINT;
        UPDATE device_attempts SET known_at = failed_at WHERE network_hash <> '';
        CREATE INDEX device_attempts_by_known ON device_attempts (known_at)
        """
}
