import Foundation
import InlaySQL
import InlayWire
import Logging
import Metrics

/// What every feature builds on; made once for each server.
package struct ServerServices: Sendable {
    /// The one database, through the write lane of whoever holds these services; features use their own tables
    /// only.
    package private(set) var database: any SQLDatabase
    /// The server's clock, the one that decides about embargo, expiry and tokens.
    package let now: @Sendable () -> Timestamp
    /// Organisations, environments and their keys.
    package let environments: EnvironmentStore
    /// The users of each environment.
    package let users: UserStore
    /// Who may sign in to the Workbench.
    package let operators: OperatorStore
    /// Their sign-ins.
    package let sessions: OperatorSessions
    /// Who did what.
    package let audit: AuditLog
    /// The sessions of end users' accounts; the room of Devices keeps them.
    package let accountTokens: AccountTokenStore
    /// Keeps private keys sealed in the database.
    let secretBox: SecretBox
    /// Tells who an app's request speaks for.
    let clients: ClientAuthentication
    /// What each caller may ask in a second.
    let limiter: RateLimiter
    /// The sockets of apps.
    package let live: LiveHub
    /// Where measurements go; `/metrics` shows them.
    package let metrics: any MetricsFactory
    package let logger: Logger
    package let configuration: InlayServerConfiguration

    /// The same for a feature whose writes are not to wait for those of others.
    func inLane(_ name: String) -> ServerServices {
        var services = self
        services.database = database.lane(name)
        return services
    }
}

extension Timestamp {
    /// The machine's clock.
    public static func now() -> Timestamp { Timestamp(seconds: Date().timeIntervalSince1970) }
}
