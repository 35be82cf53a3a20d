package import InlaySQL

/// The tables of jobs.
package enum JobsSchema {
    /// The migrations; those of features that insert jobs come later.
    package static var migrations: [SQLMigration] { [jobs, givenUp] }

    // `lane` begins with the kind: the oldest job of each lane of each kind is one step in the index. While a job is
    // claimed, `due_at` is the end of the lease. `attempts` is the number of runs that failed. `again_at` is the time
    // for which the job was enqueued again meanwhile. A job that expired while it waited still gets `minimum_attempts`.
    private static let jobs = SQLMigration(
        feature: "jobs", name: "0001-jobs",
        sql: """
            CREATE TABLE jobs (
                environment_id TEXT NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL, lane TEXT NOT NULL,
                due_at BIGINT NOT NULL, attempts BIGINT NOT NULL, claim TEXT, again_at BIGINT, expires_at BIGINT,
                minimum_attempts BIGINT NOT NULL, payload TEXT NOT NULL, last_error TEXT NOT NULL,
                PRIMARY KEY (environment_id, kind, key)) WITHOUT ROWID;
            CREATE INDEX jobs_due ON jobs (lane, due_at);
            CREATE INDEX jobs_expiry ON jobs (kind, expires_at) WHERE expires_at IS NOT NULL;
            """)

    // Jobs that were given up, for operators. A job that is enqueued later under the same key is another one.
    private static let givenUp = SQLMigration(
        feature: "jobs", name: "0002-given-up",
        sql: """
            CREATE TABLE given_up_jobs (
                environment_id TEXT NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL, lane TEXT NOT NULL,
                payload TEXT NOT NULL, attempts BIGINT NOT NULL, error TEXT NOT NULL, given_up_at BIGINT NOT NULL,
                PRIMARY KEY (environment_id, kind, key)) WITHOUT ROWID;
            CREATE INDEX given_up_jobs_newest ON given_up_jobs (environment_id, given_up_at);
            CREATE INDEX given_up_jobs_oldest ON given_up_jobs (given_up_at);
            """)
}
