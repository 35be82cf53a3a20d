import Logging
import Metrics

@testable import InlayHubServer
@testable import InlayServerCore

extension HubSourceJobs {
    /// A runner of its jobs alone.
    var runner: JobRunner {
        JobRunner(
            JobQueue(database: database, now: now), [self], logger: .quiet,
            metrics: NOOPMetricsHandler.instance)
    }

    /// Does what is due now, also what a restore brought back.
    func runDueJobs() async throws {
        try await enqueueDue()
        try await runner.runDue()
    }
}
