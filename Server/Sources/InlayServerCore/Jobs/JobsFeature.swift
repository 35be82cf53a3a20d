package import InlaySQL
@_spi(Inlay) import InlayWire
import Metrics
import ServiceLifecycle

/// The queue of jobs on a node: its table, and the runner of what all features enqueue.
package struct JobsFeature: ServerFeature {
    private let services: ServerServices
    private let handlers: [any JobHandler]
    private let maintenance: MaintenanceLoop
    /// The end of jobs that expired while they waited.
    package let periodicTasks: [PeriodicTask]

    /// Runs the jobs and periodic tasks of these features.
    package init(_ services: ServerServices, of features: [any ServerFeature]) {
        self.services = services
        handlers = features.flatMap(\.jobs)
        let expiry = JobExpiry(queue: services.jobs, logger: services.logger)
        let giveUp = PeriodicTask("jobs.expiry", every: .seconds(30)) { [handlers] in
            try await expiry.giveUp(handlers)
        }
        periodicTasks = [giveUp]
        maintenance = MaintenanceLoop(
            features.flatMap(\.periodicTasks) + periodicTasks, services.jobs, logger: services.logger)
    }

    package var migrations: [SQLMigration] { JobsSchema.migrations }
    package var jobs: [any JobHandler] { [maintenance] }

    package var metrics: [MetricDescription] { JobMetrics.descriptions }

    package func run() async throws {
        let runner = JobRunner(
            services.jobs, handlers + jobs, logger: services.logger, metrics: services.metrics)
        await cancelWhenGracefulShutdown {
            await prepare()
            await runner.run()
        }
    }

    /// Enqueues the periodic tasks; tried again until the database takes them.
    private func prepare() async {
        while !Task.isCancelled {
            do { return try await maintenance.prepare() } catch {
                services.logger.warning(
                    "Periodic tasks could not be enqueued", metadata: ["error": "\(error)"])
            }
            for await _ in TimerSequence(every: .seconds(1)) { break }
        }
    }
}
