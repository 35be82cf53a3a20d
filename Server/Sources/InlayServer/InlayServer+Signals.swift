package import Logging
import ServiceLifecycle

extension InlayServer {
    /// Runs the server until a signal: SIGTERM and SIGINT let requests in progress end, SIGQUIT does not.
    ///
    /// Calls `onListening` with the port, unless the server ends before it listens. An error that it throws ends the
    /// server.
    package func runUntilSignal(
        logger: Logger, onListening: (_ port: Int) async throws -> Void
    ) async throws {
        let group = ServiceGroup(
            configuration: .init(
                services: [self], gracefulShutdownSignals: [.sigterm, .sigint],
                cancellationSignals: [.sigquit], logger: logger))
        try await withThrowingTaskGroup { tasks in
            tasks.addTask { try await group.run() }
            if let port = await port { try await onListening(port) }
            try await tasks.waitForAll()
        }
    }
}
