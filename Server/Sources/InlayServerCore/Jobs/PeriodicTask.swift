/// Recurring work of a feature, done by one node at a time, for example the removal of expired rows.
package struct PeriodicTask: Sendable {
    /// Its name among all features, for example `devices.pairings`.
    package let name: String
    /// The time from the end of one run to the next.
    package let interval: Duration
    let run: @Sendable () async throws -> Void

    /// Creates a task. A run that fails is logged and tried again after the interval; one that the server's stop ends
    /// throws `CancellationError`.
    package init(_ name: String, every interval: Duration, run: @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.interval = interval
        self.run = run
    }
}
