import Foundation
package import InlaySQL
@_spi(Inlay) public import InlayWire
package import Logging
package import Metrics

/// The services that every feature uses; made once for each server.
package struct ServerServices: Sendable {
    /// The one database, through the write lane of the feature that holds these services; features use their
    /// own tables only.
    package private(set) var database: any SQLDatabase
    /// The server's clock, the one that decides about embargo, expiry and tokens.
    package let now: @Sendable () -> Timestamp
    /// The queue of work that the server does later.
    package let jobs: JobQueue
    /// Organisations, environments and their keys.
    package let environments: EnvironmentStore
    /// The users of each environment.
    package let users: UserStore
    /// Hashes and checks passwords, of operators and of end users.
    package let passwords: Passwords
    /// The operators that may sign in to the Workbench.
    package let operators: OperatorStore
    /// The sign-ins of operators.
    package let sessions: OperatorSessions
    /// The log of operators' actions.
    package let audit: AuditLog
    /// Seals private keys for the database.
    package let secretBox: SecretBox
    /// Authenticates the requests of apps.
    package let clients: ClientAuthentication
    /// The limit of each caller's requests in a second.
    package let limiter: RateLimiter
    /// The sockets of apps.
    package let live: LiveHub
    /// The factory of metrics; `/metrics` shows them.
    package let metrics: any MetricsFactory
    package let logger: Logger
    package let configuration: InlayServerConfiguration

    /// Returns the same services for a feature whose writes must not wait for those of others.
    package func inLane(_ name: String) -> ServerServices {
        var services = self
        services.database = database.lane(name)
        return services
    }
}

extension Timestamp {
    /// The machine's clock.
    public static func now() -> Timestamp { Timestamp(seconds: Date().timeIntervalSince1970) }
}
