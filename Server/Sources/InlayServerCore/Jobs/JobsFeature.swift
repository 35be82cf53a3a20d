package import InlaySQL
@_spi(Inlay) import InlayWire
import Metrics
import ServiceLifecycle

/// The queue of jobs on a node: its table, and the runner of what all features enqueue.
package struct JobsFeature: ServerFeature {
    private let services: ServerServices
    private let handlers: [any JobHandler]
    private let maintenance: MaintenanceLoop
    /// The tasks that give up jobs which expired while they waited, and that remove given-up jobs after a week.
    package let periodicTasks: [PeriodicTask]

    /// Creates the feature that runs the jobs and periodic tasks of these features.
    package init(_ services: ServerServices, of features: [any ServerFeature]) {
        self.services = services
        handlers = features.flatMap(\.jobs)
        let expiry = JobExpiry(queue: services.jobs, logger: services.logger)
        let giveUp = PeriodicTask("jobs.expiry", every: .seconds(30)) { [handlers] in
            try await expiry.giveUp(handlers)
        }
        let removal = PeriodicTask("jobs.given-up", every: .seconds(3_600)) { [queue = services.jobs] in
            try await queue.removeOldGivenUp()
        }
        periodicTasks = [giveUp, removal]
        maintenance = MaintenanceLoop(
            features.flatMap(\.periodicTasks) + periodicTasks, services.jobs, logger: services.logger)
    }

    package var migrations: [SQLMigration] { JobsSchema.migrations }
    package var jobs: [any JobHandler] { [maintenance] }

    package var metrics: [MetricDescription] { JobMetrics.descriptions }

    /// The name of a kind for operators; `nil` for a kind that this version does not know.
    package func title(of kind: JobKind) -> String? { handler(of: kind)?.title }

    /// Enqueues a given-up job again. Throws `not-found` when it is not kept, or this version does not know its kind.
    package func requeue(_ id: Job.ID) async throws -> JobQueue.Requeued {
        guard let handler = handler(of: id.kind) else {
            throw Problem.notFound("kind of job", named: id.kind.rawValue)
        }
        return try await services.jobs.requeue(id, handler)
    }

    /// Enqueues the given-up jobs of an environment again, of each kind at most ``JobQueue/maximumRequeued``.
    package func requeueAll(_ environmentID: EnvironmentID) async throws -> JobQueue.Requeued {
        var sum = JobQueue.Requeued()
        for handler in handlers { sum += try await services.jobs.requeueAll(environmentID, handler) }
        return sum
    }

    private func handler(of kind: JobKind) -> (any JobHandler)? { handlers.first { $0.kind == kind } }

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
