import InlaySQL
import InlayServerCore

/// The tables of cards. Every key begins with the environment, then the user where there is one.
enum CardsSchema {
    static let migrations = [
        templates, instances, actions, restores, answers, audiences, claims, failures, erasures, jobs,
        eventJobs,
    ]

    // Unfinished events become jobs, due when the event was. `claim` is the claim of the job that searches for the
    // audience.
    private static let eventJobs = SQLMigration(
        feature: "cards", name: "0011-event-jobs",
        sql: """
            INSERT INTO jobs (environment_id, kind, key, lane, due_at, attempts, minimum_attempts, payload, last_error)
            SELECT environment_id, CASE is_listed WHEN 1 THEN 'cards.delivery' ELSE 'cards.audience' END, event_id,
                CASE is_listed WHEN 1 THEN 'cards.delivery/' ELSE 'cards.audience/' END || environment_id,
                next_at, failures, 0, '', COALESCE(failure, '')
            FROM card_events WHERE is_done = 0;
            DROP INDEX card_events_next;
            ALTER TABLE card_events DROP COLUMN next_at;
            ALTER TABLE card_events DROP COLUMN failures;
            CREATE INDEX card_events_unfinished ON card_events (environment_id, event_id) WHERE is_done = 0;
            """)

    // The job of a feed is due at `next_due_at` or earlier; the column stays, since readers settle cards that are due.
    private static let jobs = SQLMigration(
        feature: "cards", name: "0010-jobs",
        sql: """
            INSERT INTO jobs (environment_id, kind, key, lane, due_at, attempts, minimum_attempts, payload, last_error)
            SELECT environment_id, 'cards.feed', container_id || '/' || user_id, 'cards.feed/' || environment_id,
                next_due_at, 0, 0, '', ''
            FROM card_feeds WHERE next_due_at IS NOT NULL;
            DROP INDEX card_feeds_due;
            DROP INDEX card_feeds_claimed;
            ALTER TABLE card_feeds DROP COLUMN claim;
            ALTER TABLE card_feeds DROP COLUMN claimed_until;
            """)

    private static let templates = SQLMigration(
        feature: "cards", name: "0001-templates",
        sql: """
            CREATE TABLE card_themes (
                environment_id TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL,
                light TEXT NOT NULL, dark TEXT, revision BIGINT NOT NULL,
                created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
                PRIMARY KEY (environment_id, id));
            CREATE TABLE card_containers (
                environment_id TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, theme_id TEXT,
                is_default BIGINT NOT NULL, is_archived BIGINT NOT NULL, appearance_version BIGINT NOT NULL,
                created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
                PRIMARY KEY (environment_id, id));
            CREATE UNIQUE INDEX card_containers_default ON card_containers (environment_id) WHERE is_default = 1;
            CREATE TABLE card_templates (
                environment_id TEXT NOT NULL, id TEXT NOT NULL, event_name TEXT NOT NULL, draft TEXT NOT NULL,
                revision BIGINT NOT NULL, published_version BIGINT NOT NULL, published_revision BIGINT NOT NULL,
                is_enabled BIGINT NOT NULL, is_archived BIGINT NOT NULL,
                created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
                PRIMARY KEY (environment_id, id));
            CREATE TABLE card_layouts (
                environment_id TEXT NOT NULL, template_id TEXT NOT NULL, version BIGINT NOT NULL,
                event_name TEXT NOT NULL, draft TEXT NOT NULL, layout TEXT NOT NULL, published_at BIGINT NOT NULL,
                PRIMARY KEY (environment_id, template_id, version));
            CREATE INDEX card_layouts_by_event ON card_layouts (environment_id, event_name, template_id, version);
            """)

    // `due_at` is when a card next changes by itself, and `next_due_at` is the earliest `due_at` of a feed's cards.
    // `payload` is the part of the card's JSON that changes only when the whole card is replaced.
    private static let instances = SQLMigration(
        feature: "cards", name: "0002-instances",
        sql: """
            CREATE TABLE card_feeds (
                environment_id TEXT NOT NULL, user_id TEXT NOT NULL, container_id TEXT NOT NULL,
                version BIGINT NOT NULL, had_cards BIGINT NOT NULL, next_due_at BIGINT,
                PRIMARY KEY (environment_id, user_id, container_id)) WITHOUT ROWID;
            CREATE INDEX card_feeds_due ON card_feeds (next_due_at) WHERE next_due_at IS NOT NULL;
            CREATE TABLE card_instances (
                environment_id TEXT NOT NULL, user_id TEXT NOT NULL, card_id TEXT NOT NULL,
                container_id TEXT NOT NULL, template_id TEXT NOT NULL, layout_version BIGINT NOT NULL,
                event_id TEXT NOT NULL, made_by TEXT NOT NULL, lifecycle_id TEXT NOT NULL,
                status TEXT NOT NULL,
                is_open BIGINT NOT NULL, is_seen BIGINT NOT NULL, created_at BIGINT NOT NULL,
                updated_at BIGINT NOT NULL, active_at BIGINT NOT NULL, expires_at BIGINT,
                snoozed_until BIGINT, due_at BIGINT, closed_by TEXT, payload TEXT NOT NULL,
                PRIMARY KEY (environment_id, user_id, card_id));
            CREATE INDEX card_instances_active
                ON card_instances (environment_id, user_id, container_id) WHERE status = 'active';
            CREATE INDEX card_instances_due
                ON card_instances (environment_id, user_id, container_id, due_at) WHERE due_at IS NOT NULL;
            CREATE UNIQUE INDEX card_instances_lifecycle
                ON card_instances (environment_id, user_id, template_id, lifecycle_id, container_id)
                WHERE is_open = 1;
            CREATE INDEX card_instances_cancel
                ON card_instances (environment_id, lifecycle_id, user_id) WHERE is_open = 1;
            """)

    // `DatabaseRestore` also creates this table, in a backup that may be older than this migration.
    private static let restores = SQLMigration(
        feature: "cards", name: "0004-restores", sql: "CREATE TABLE IF NOT EXISTS \(VersionBase.table);")

    // A closed card is never changed again, so its `updated_at` is when the user submitted it.
    private static let answers = SQLMigration(
        feature: "cards", name: "0005-answers",
        sql: """
            CREATE INDEX card_instances_answers ON card_instances (environment_id, template_id, updated_at)
                WHERE status = 'completed';
            """)

    // `next_at` is the time from which any node may continue an unfinished event. While `is_listed` is 0, the node
    // that set `claim` searches for the event's audience. `user_ids` is a JSON array of at most 512 ids.
    private static let audiences = SQLMigration(
        feature: "cards", name: "0006-audiences",
        sql: """
            CREATE TABLE card_audiences (
                environment_id TEXT NOT NULL, event_id TEXT NOT NULL, piece BIGINT NOT NULL,
                user_ids TEXT NOT NULL, is_last BIGINT NOT NULL,
                PRIMARY KEY (environment_id, event_id, piece));
            ALTER TABLE card_events ADD COLUMN is_listed BIGINT NOT NULL DEFAULT 1;
            ALTER TABLE card_events ADD COLUMN next_at BIGINT NOT NULL DEFAULT 0;
            ALTER TABLE card_events ADD COLUMN claim TEXT;
            UPDATE card_events SET is_listed = 0 WHERE is_done = 0;
            DROP INDEX card_events_unfinished;
            CREATE INDEX card_events_next ON card_events (is_listed, next_at) WHERE is_done = 0;
            """)

    // `claim` names the node, and its round, that settles a feed; it ends at `claimed_until` at the latest.
    private static let claims = SQLMigration(
        feature: "cards", name: "0007-claims",
        sql: """
            ALTER TABLE card_feeds ADD COLUMN claim TEXT;
            ALTER TABLE card_feeds ADD COLUMN claimed_until BIGINT;
            CREATE INDEX card_feeds_claimed ON card_feeds (claim) WHERE claim IS NOT NULL;
            """)

    // `failures` counts the tries that failed since the last success, and `failure` describes the last of them.
    private static let failures = SQLMigration(
        feature: "cards", name: "0008-failures",
        sql: """
            ALTER TABLE card_events ADD COLUMN failures BIGINT NOT NULL DEFAULT 0;
            ALTER TABLE card_events ADD COLUMN failure TEXT;
            ALTER TABLE card_events ADD COLUMN is_cancelled BIGINT NOT NULL DEFAULT 0;
            """)

    // The users that were erased while the event's audience was searched: JSON strings, each followed by a comma. The
    // column is empty once the audience is known or its search was given up.
    private static let erasures = SQLMigration(
        feature: "cards", name: "0009-erasures",
        sql: "ALTER TABLE card_events ADD COLUMN erased_user_ids TEXT NOT NULL DEFAULT '';")

    private static let actions = SQLMigration(
        feature: "cards", name: "0003-actions-and-events",
        sql: """
            CREATE TABLE card_actions (
                environment_id TEXT NOT NULL, user_id TEXT NOT NULL, action_id TEXT NOT NULL,
                card_id TEXT NOT NULL, body TEXT NOT NULL, refusal TEXT, client_version TEXT NOT NULL,
                acted_at BIGINT NOT NULL, received_at BIGINT NOT NULL,
                PRIMARY KEY (environment_id, user_id, action_id));
            CREATE INDEX card_actions_by_card ON card_actions (environment_id, user_id, card_id);
            CREATE INDEX card_actions_recent ON card_actions (environment_id, received_at);
            CREATE TABLE card_events (
                environment_id TEXT NOT NULL, event_id TEXT NOT NULL, name TEXT NOT NULL,
                request TEXT NOT NULL, plan TEXT NOT NULL, position TEXT NOT NULL, cards BIGINT NOT NULL,
                is_done BIGINT NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
                PRIMARY KEY (environment_id, event_id));
            CREATE INDEX card_events_unfinished ON card_events (updated_at) WHERE is_done = 0;
            CREATE INDEX card_events_recent ON card_events (environment_id, created_at);
            """)
}
