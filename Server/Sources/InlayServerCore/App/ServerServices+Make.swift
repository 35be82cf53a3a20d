package import InlaySQL
@_spi(Inlay) package import InlayWire
package import Logging
package import Metrics

extension ServerServices {
    /// Creates everything that features share, on an opened database. `accounts` resolves the tokens of accounts.
    package init(
        _ configuration: InlayServerConfiguration, _ database: any SQLDatabase, _ metrics: any MetricsFactory,
        _ logger: Logger, accounts: any AccountTokens, _ now: @escaping @Sendable () -> Timestamp
    ) {
        let database = Self.audited(database)
        let passwords = Passwords(cost: configuration.passwordCost)
        let operators = OperatorStore(database: database, now: now, passwords: passwords)
        let audit = AuditLog(database: database, now: now)
        let environments = EnvironmentStore(database: database, now: now)
        let users = UserStore(database: database, now: now)
        self.init(
            database: database, now: now, jobs: JobQueue(database: database, now: now),
            environments: environments, users: users, passwords: passwords,
            operators: operators,
            sessions: OperatorSessions(
                database, operators, audit, networks: CallerLimiter(now: now), now: now),
            audit: audit,
            secretBox: SecretBox(file: configuration.contentSecretPath),
            clients: ClientAuthentication(
                environments: environments, users: users, accounts: accounts, now: now),
            limiter: RateLimiter(limits: configuration.rates, now: now),
            live: LiveHub(database: database, logger: logger), metrics: metrics, logger: logger,
            configuration: configuration)
    }

    /// Returns a database whose writes add the pending line of the audit log, for stores that are made before the
    /// services.
    package static func audited(_ database: any SQLDatabase) -> any SQLDatabase {
        database is AuditedDatabase ? database : AuditedDatabase(database)
    }
}
