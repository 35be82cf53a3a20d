import InlaySQL
import InlayWire
import Logging
import Metrics

extension ServerServices {
    init(
        _ configuration: InlayServerConfiguration, _ database: any SQLDatabase, _ metrics: any MetricsFactory,
        _ logger: Logger, _ now: @escaping @Sendable () -> Timestamp
    ) {
        let operators = OperatorStore(database: database, now: now)
        let audit = AuditLog(database: database, now: now)
        let environments = EnvironmentStore(database: database, now: now)
        let users = UserStore(database: database, now: now)
        let accountTokens = AccountTokenStore(database: database.lane("devices"), now: now)
        self.init(
            database: database, now: now, environments: environments, users: users, operators: operators,
            sessions: OperatorSessions(database, operators, audit, now: now), audit: audit,
            accountTokens: accountTokens,
            secretBox: SecretBox(file: configuration.contentSecretPath),
            clients: ClientAuthentication(
                environments: environments, users: users, accounts: accountTokens, now: now),
            limiter: RateLimiter(limits: configuration.rates, now: now),
            live: LiveHub(database: database, logger: logger), metrics: metrics, logger: logger,
            configuration: configuration)
    }
}
