import InlaySQL

/// The tables of the ad exchange. Every primary key starts with the environment.
enum AdsSchema {
    static let migrations = [
        records, serving, billing, lanes, indexes, limits, refusedBids, writers, jobs,
        rewardedTimes,
    ]

    /// The end of the rewarded video that a user is watching. A row is deleted when this time has passed.
    private static let rewardedTimes = SQLMigration(
        feature: "ads", name: "0010-rewarded-times",
        sql: """
            CREATE TABLE ad_rewarded_times (
                environment_id TEXT NOT NULL, person TEXT NOT NULL, busy_until BIGINT NOT NULL,
                PRIMARY KEY (environment_id, person));
            CREATE INDEX ad_rewarded_times_ended ON ad_rewarded_times (busy_until);
            """)

    // Waiting notices become jobs. A notice that an older node has claimed is due when that claim ends.
    private static let jobs = SQLMigration(
        feature: "ads", name: "0009-jobs",
        sql: """
            INSERT INTO jobs (environment_id, kind, key, lane, due_at, attempts, expires_at, minimum_attempts, payload,
                last_error)
            SELECT environment_id, 'ads.notice', id, 'ads.notice/' || lane, next_at, tries,
                made_at + CASE WHEN kind IN ('nurl', 'lurl') THEN 600000000 ELSE 86400000000 END,
                CASE WHEN kind IN ('nurl', 'lurl') THEN 0 ELSE 1 END, '', ''
            FROM ad_notices WHERE next_at IS NOT NULL;
            DROP INDEX ad_notices_lane;
            DROP INDEX ad_notices_age;
            ALTER TABLE ad_notices DROP COLUMN next_at;
            ALTER TABLE ad_notices DROP COLUMN lane;
            """)

    /// The records that operators edit, in one shape, so that one store serves all. `settings` is the record as JSON.
    private static let records = SQLMigration(
        feature: "ads", name: "0001-records",
        sql: AdRecordTable.allCases.map { table in
            """
            CREATE TABLE \(table.rawValue) (
                environment_id TEXT NOT NULL, id TEXT NOT NULL, parent_id TEXT NOT NULL, name TEXT NOT NULL,
                settings TEXT NOT NULL, is_enabled BIGINT NOT NULL, revision BIGINT NOT NULL,
                created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
                PRIMARY KEY (environment_id, id));
            """
        }.joined(separator: "\n") + """

            CREATE UNIQUE INDEX ad_publishers_by_id ON ad_publishers (id);
            CREATE UNIQUE INDEX ad_units_by_id ON ad_units (id);
            CREATE INDEX ad_apps_by_parent ON ad_apps (environment_id, parent_id);
            CREATE INDEX ad_units_by_parent ON ad_units (environment_id, parent_id);
            CREATE INDEX ad_creatives_by_parent ON ad_creatives (environment_id, parent_id);
            """)

    // `taken` counts impressions that are booked, and those that were served and may still be booked. At `open_until`
    // an unseen impression gave back what it took; since `0006-limits` it does at `reserved_until`.
    private static let serving = SQLMigration(
        feature: "ads", name: "0002-serving",
        sql: """
            CREATE TABLE ad_keys (
                environment_id TEXT NOT NULL, id TEXT NOT NULL, purpose TEXT NOT NULL, sealed BLOB NOT NULL,
                public TEXT, created_at BIGINT NOT NULL, retires_at BIGINT NOT NULL, ends_at BIGINT NOT NULL,
                PRIMARY KEY (environment_id, id));
            CREATE UNIQUE INDEX ad_keys_by_id ON ad_keys (id);
            CREATE TABLE ad_progress (
                environment_id TEXT NOT NULL, campaign_id TEXT NOT NULL, day BIGINT NOT NULL,
                taken BIGINT NOT NULL, taken_nanos BIGINT NOT NULL,
                PRIMARY KEY (environment_id, campaign_id, day));
            CREATE TABLE ad_frequency (
                environment_id TEXT NOT NULL, campaign_id TEXT NOT NULL, person TEXT NOT NULL,
                window_start BIGINT NOT NULL, taken BIGINT NOT NULL, ends_at BIGINT NOT NULL,
                PRIMARY KEY (environment_id, campaign_id, person, window_start));
            CREATE INDEX ad_frequency_ended ON ad_frequency (ends_at);
            CREATE TABLE ad_impressions (
                environment_id TEXT NOT NULL, id TEXT NOT NULL, unit_id TEXT NOT NULL, campaign_id TEXT NOT NULL,
                creative_id TEXT NOT NULL, bidder_id TEXT NOT NULL, deal_id TEXT NOT NULL,
                price_nanos BIGINT NOT NULL, burl TEXT, person TEXT NOT NULL, window_start BIGINT NOT NULL,
                user_id TEXT NOT NULL, device_ip TEXT NOT NULL, user_agent TEXT NOT NULL,
                made_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, open_until BIGINT, ends_at BIGINT NOT NULL,
                PRIMARY KEY (environment_id, id));
            CREATE INDEX ad_impressions_open ON ad_impressions (open_until) WHERE open_until IS NOT NULL;
            CREATE INDEX ad_impressions_ended ON ad_impressions (ends_at);
            """)

    // `ad_days` has the sums of the ledger, updated in the transaction of each booking. Requests and fills are counted
    // there too, so that a report is one query.
    private static let billing = SQLMigration(
        feature: "ads", name: "0003-billing",
        sql: """
            CREATE TABLE ad_ledger (
                environment_id TEXT NOT NULL, impression_id TEXT NOT NULL, event TEXT NOT NULL,
                unit_id TEXT NOT NULL, campaign_id TEXT NOT NULL, bidder_id TEXT NOT NULL, deal_id TEXT NOT NULL,
                day BIGINT NOT NULL, amount_nanos BIGINT NOT NULL, detail TEXT, booked_at BIGINT NOT NULL,
                PRIMARY KEY (environment_id, impression_id, event));
            CREATE INDEX ad_ledger_by_day ON ad_ledger (environment_id, day);
            CREATE TABLE ad_days (
                environment_id TEXT NOT NULL, day BIGINT NOT NULL, unit_id TEXT NOT NULL,
                campaign_id TEXT NOT NULL, bidder_id TEXT NOT NULL, requests BIGINT NOT NULL, fills BIGINT NOT NULL,
                impressions BIGINT NOT NULL, clicks BIGINT NOT NULL, rewards BIGINT NOT NULL,
                revenue_nanos BIGINT NOT NULL,
                PRIMARY KEY (environment_id, day, unit_id, campaign_id, bidder_id));
            CREATE TABLE ad_refusals (
                environment_id TEXT NOT NULL, day BIGINT NOT NULL, impression_id TEXT NOT NULL, event TEXT NOT NULL,
                reason TEXT NOT NULL, unit_id TEXT NOT NULL, times BIGINT NOT NULL,
                first_at BIGINT NOT NULL, last_at BIGINT NOT NULL,
                PRIMARY KEY (environment_id, day, impression_id, event, reason));
            CREATE TABLE ad_notices (
                environment_id TEXT NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, impression_id TEXT NOT NULL,
                bidder_id TEXT NOT NULL, url TEXT NOT NULL, amount_nanos BIGINT NOT NULL, device_ip TEXT NOT NULL,
                user_agent TEXT NOT NULL, state TEXT NOT NULL, tries BIGINT NOT NULL, next_at BIGINT,
                last_answer TEXT, made_at BIGINT NOT NULL, settled_at BIGINT,
                PRIMARY KEY (environment_id, id));
            CREATE INDEX ad_notices_due ON ad_notices (next_at) WHERE next_at IS NOT NULL;
            CREATE INDEX ad_notices_settled ON ad_notices (settled_at) WHERE settled_at IS NOT NULL;
            """)

    // The index finds the oldest notice of each lane in one step, however long the other lanes are. Notices that an
    // older node queues during an upgrade have the empty lane, which works like the others.
    private static let lanes = SQLMigration(
        feature: "ads", name: "0004-lanes",
        sql: """
            ALTER TABLE ad_notices ADD COLUMN lane TEXT NOT NULL DEFAULT '';
            UPDATE ad_notices SET lane = CASE kind
                WHEN 'reward' THEN 'reward/'
                WHEN 'burl' THEN environment_id || '/' || bidder_id || '/bills'
                ELSE environment_id || '/' || bidder_id || '/news' END
                WHERE next_at IS NOT NULL;
            DROP INDEX ad_notices_due;
            CREATE INDEX ad_notices_lane ON ad_notices (lane, next_at) WHERE next_at IS NOT NULL;
            CREATE INDEX ad_notices_age ON ad_notices (kind, made_at) WHERE next_at IS NOT NULL;
            """)

    // The report adds up the bills, which are few among the notices, from the index alone; for that, SQLite needs the
    // column `kind` in it. The other indexes find the rows of a user to erase, and old refusals.
    private static let indexes = SQLMigration(
        feature: "ads", name: "0005-indexes",
        sql: """
            CREATE INDEX ad_notices_bills ON ad_notices (environment_id, bidder_id, state, amount_nanos, kind)
                WHERE kind = 'burl';
            CREATE INDEX ad_impressions_by_user ON ad_impressions (environment_id, user_id) WHERE user_id <> '';
            CREATE INDEX ad_frequency_by_person ON ad_frequency (environment_id, person);
            CREATE INDEX ad_refusals_by_day ON ad_refusals (day);
            """)

    // A reservation ends at `reserved_until`, long before the trackers expire. The value 0, which impressions of an
    // older node have during an upgrade, means that it has ended, and the view takes capacity again. `ad_holds` counts
    // the part of a campaign's capacity that a network or user holds with unseen ads. Rows are deleted at 0.
    private static let limits = SQLMigration(
        feature: "ads", name: "0006-limits",
        sql: """
            ALTER TABLE ad_impressions ADD COLUMN reserved_until BIGINT DEFAULT 0;
            ALTER TABLE ad_impressions ADD COLUMN network TEXT NOT NULL DEFAULT '';
            ALTER TABLE ad_impressions ADD COLUMN is_held BIGINT NOT NULL DEFAULT 0;
            ALTER TABLE ad_impressions ADD COLUMN video_us BIGINT;
            ALTER TABLE ad_impressions ADD COLUMN invalid TEXT NOT NULL DEFAULT '';
            UPDATE ad_impressions SET reserved_until = NULL WHERE open_until IS NULL OR campaign_id = '';
            DROP INDEX ad_impressions_open;
            CREATE INDEX ad_impressions_reserved ON ad_impressions (reserved_until)
                WHERE reserved_until IS NOT NULL;
            CREATE TABLE ad_holds (
                environment_id TEXT NOT NULL, campaign_id TEXT NOT NULL, holder TEXT NOT NULL,
                taken BIGINT NOT NULL,
                PRIMARY KEY (environment_id, holder, campaign_id));
            CREATE TABLE ad_reward_counts (
                environment_id TEXT NOT NULL, unit_id TEXT NOT NULL, person TEXT NOT NULL, day BIGINT NOT NULL,
                taken BIGINT NOT NULL,
                PRIMARY KEY (environment_id, person, unit_id, day));
            CREATE INDEX ad_reward_counts_by_day ON ad_reward_counts (day);
            """)

    /// Counts of rejected bids and unusable responses, by bidder and reason.
    private static let refusedBids = SQLMigration(
        feature: "ads", name: "0007-refused-bids",
        sql: """
            CREATE TABLE ad_refused_bids (
                environment_id TEXT NOT NULL, bidder_id TEXT NOT NULL, day BIGINT NOT NULL, reason TEXT NOT NULL,
                field TEXT NOT NULL, times BIGINT NOT NULL, last_at BIGINT NOT NULL,
                PRIMARY KEY (environment_id, bidder_id, day, reason, field));
            CREATE INDEX ad_refused_bids_by_day ON ad_refused_bids (day);
            """)

    // `writer` is the connection that adds to the row, 0 once the rows of a day are folded into one.
    private static let writers = SQLMigration(
        feature: "ads", name: "0008-writers",
        sql: """
            CREATE TABLE ad_writer_days (
                environment_id TEXT NOT NULL, day BIGINT NOT NULL, unit_id TEXT NOT NULL,
                campaign_id TEXT NOT NULL, bidder_id TEXT NOT NULL, writer BIGINT NOT NULL,
                requests BIGINT NOT NULL, fills BIGINT NOT NULL, impressions BIGINT NOT NULL,
                clicks BIGINT NOT NULL, rewards BIGINT NOT NULL, revenue_nanos BIGINT NOT NULL,
                PRIMARY KEY (environment_id, day, unit_id, campaign_id, bidder_id, writer));
            INSERT INTO ad_writer_days (environment_id, day, unit_id, campaign_id, bidder_id, writer, requests, fills,
                impressions, clicks, rewards, revenue_nanos)
                SELECT environment_id, day, unit_id, campaign_id, bidder_id, 0, requests, fills,
                impressions, clicks, rewards, revenue_nanos FROM ad_days;
            DROP TABLE ad_days;
            ALTER TABLE ad_writer_days RENAME TO ad_days;
            CREATE INDEX ad_days_unfolded ON ad_days (day) WHERE writer <> 0;
            """)
}
