import Logging
import Metrics

@testable import InlayHubServer
@testable import InlayServerCore

extension HubSourceJobs {
    /// A runner of the jobs of sources only.
    var runner: JobRunner {
        JobRunner(
            JobQueue(database: database, now: now), [self], logger: .quiet,
            metrics: NOOPMetricsHandler.instance)
    }

    /// Runs the jobs of all sources that are due, also of sources whose jobs a restore removed.
    func runDueJobs() async throws {
        try await enqueueDue()
        try await runner.runDue()
    }
}
