import InlaySQL
import InlayServerCore

/// The tables of content sources. Every key begins with the environment, then the source.
enum HubSchema {
    static let migrations = [content, files, publishing, restores, jobs]

    // The job of a source is due at `next_due_at` or earlier. The column stays, because each new version sets it.
    private static let jobs = SQLMigration(
        feature: "hub", name: "0005-jobs",
        sql: """
            INSERT INTO jobs (environment_id, kind, key, lane, due_at, attempts, minimum_attempts, payload, last_error)
            SELECT environment_id, 'hub.source', id, 'hub.source/' || environment_id, next_due_at, 0, 0, '', ''
            FROM hub_sources WHERE next_due_at IS NOT NULL;
            """)

    // `released` is the draft that the next version contains, `draft` the one that its author is editing.
    // `next_due_at` is the time at which the job of a source must run next.
    private static let content = SQLMigration(
        feature: "hub", name: "0001-content",
        sql: """
            CREATE TABLE hub_sources (
                environment_id TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, settings TEXT NOT NULL,
                policy TEXT NOT NULL, notifications TEXT NOT NULL,
                version BIGINT NOT NULL, content_version BIGINT NOT NULL, timestamp_version BIGINT NOT NULL,
                root_version BIGINT NOT NULL, next_due_at BIGINT, published_at BIGINT,
                created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
                PRIMARY KEY (environment_id, id));
            CREATE INDEX hub_sources_due ON hub_sources (next_due_at) WHERE next_due_at IS NOT NULL;
            CREATE TABLE hub_items (
                environment_id TEXT NOT NULL, source_id TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL,
                draft TEXT NOT NULL, revision BIGINT NOT NULL, released TEXT, released_revision BIGINT NOT NULL,
                created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
                PRIMARY KEY (environment_id, source_id, kind, id));
            CREATE TABLE hub_revisions (
                environment_id TEXT NOT NULL, source_id TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL,
                revision BIGINT NOT NULL, draft TEXT NOT NULL, released_at BIGINT NOT NULL,
                PRIMARY KEY (environment_id, source_id, kind, id, revision));
            CREATE TABLE hub_assets (
                environment_id TEXT NOT NULL, source_id TEXT NOT NULL, path TEXT NOT NULL, hash TEXT NOT NULL,
                size BIGINT NOT NULL, updated_at BIGINT NOT NULL,
                PRIMARY KEY (environment_id, source_id, path));
            """)

    // The pieces of a file are stored under a `storage_id` before its hash is verified. The file exists only with
    // its row in `hub_blobs`.
    private static let files = SQLMigration(
        feature: "hub", name: "0002-files",
        sql: """
            CREATE TABLE hub_blobs (
                environment_id TEXT NOT NULL, hash TEXT NOT NULL, storage_id TEXT NOT NULL, size BIGINT NOT NULL,
                created_at BIGINT NOT NULL,
                PRIMARY KEY (environment_id, hash));
            CREATE UNIQUE INDEX hub_blobs_by_storage ON hub_blobs (environment_id, storage_id);
            CREATE TABLE hub_pieces (
                environment_id TEXT NOT NULL, storage_id TEXT NOT NULL, piece BIGINT NOT NULL,
                bytes BLOB NOT NULL, created_at BIGINT NOT NULL,
                PRIMARY KEY (environment_id, storage_id, piece));
            """)

    // Every feature that uses `VersionBase` has this migration; the first one to migrate creates the table.
    private static let restores = SQLMigration(
        feature: "hub", name: "0004-restores", sql: "CREATE TABLE IF NOT EXISTS \(VersionBase.table);")

    private static let publishing = SQLMigration(
        feature: "hub", name: "0003-publishing",
        sql: """
            CREATE TABLE hub_files (
                environment_id TEXT NOT NULL, source_id TEXT NOT NULL, path TEXT NOT NULL, hash TEXT NOT NULL,
                size BIGINT NOT NULL, first_version BIGINT NOT NULL, last_version BIGINT NOT NULL,
                PRIMARY KEY (environment_id, source_id, path, hash));
            CREATE INDEX hub_files_by_version ON hub_files (environment_id, source_id, last_version);
            CREATE INDEX hub_files_by_hash ON hub_files (environment_id, hash);
            CREATE INDEX hub_assets_by_hash ON hub_assets (environment_id, hash);
            CREATE TABLE hub_metadata (
                environment_id TEXT NOT NULL, source_id TEXT NOT NULL, name TEXT NOT NULL, bytes BLOB NOT NULL,
                superseded_at BIGINT, created_at BIGINT NOT NULL,
                PRIMARY KEY (environment_id, source_id, name));
            CREATE TABLE hub_versions (
                environment_id TEXT NOT NULL, source_id TEXT NOT NULL, version BIGINT NOT NULL,
                content_version BIGINT NOT NULL, summary TEXT NOT NULL, published_by TEXT NOT NULL,
                published_at BIGINT NOT NULL,
                PRIMARY KEY (environment_id, source_id, version));
            CREATE TABLE hub_keys (
                environment_id TEXT NOT NULL, source_id TEXT NOT NULL, role TEXT NOT NULL, key_id TEXT NOT NULL,
                name TEXT NOT NULL, kind TEXT NOT NULL, public TEXT NOT NULL, sealed BLOB, created_at BIGINT NOT NULL,
                retired_at BIGINT,
                PRIMARY KEY (environment_id, source_id, role, key_id));
            """)
}
