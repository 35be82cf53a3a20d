/// The features of this server, in the order in which their schemas are applied.
package struct ServerFeatures: Sendable {
    /// Environments, keys, users, operators.
    package let accounts: AccountsFeature
    /// The sockets.
    package let live: LiveFeature
    /// Health and metrics.
    package let operations: OperationsFeature

    init(_ services: ServerServices, prometheus: PrometheusMetrics) {
        accounts = AccountsFeature(services)
        live = LiveFeature(services)
        operations = OperationsFeature(services, prometheus: prometheus)
    }

    /// Everyone. A new feature is added here and nowhere else.
    var all: [any ServerFeature] { [accounts, live, operations] }
}
