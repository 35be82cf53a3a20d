import InlaySQL
@_spi(Inlay) import InlayWire
package import Logging

/// A handler that runs the periodic tasks of all features as jobs that are due again and again.
///
/// One node does a run, and each task has a lane of its own: one that fails or takes long holds up no other.
package struct MaintenanceLoop: JobHandler {
    private let tasks: [String: PeriodicTask]
    private let queue: JobQueue
    private let logger: Logger

    /// A loop over tasks with different names.
    package init(_ tasks: [PeriodicTask], _ queue: JobQueue, logger: Logger) {
        self.tasks = Dictionary(tasks.map { ($0.name, $0) }) { first, _ in first }
        self.queue = queue
        self.logger = logger
    }

    package static let kind: JobKind = "maintenance"
    package var kind: JobKind { Self.kind }
    package var areKeysLogged: Bool { true }

    package var limits: JobLimits {
        JobLimits(
            maximumRunning: max(1, tasks.count), lease: .seconds(60), isLeaseRenewed: true,
            retry: JobRetry { _ in .seconds(60) })
    }

    /// Enqueues the tasks that are not in the queue yet; the others are due as they were.
    package func prepare() async throws {
        let moment = queue.now()
        let names = tasks.keys.sorted()
        try await queue.database.write { connection in
            let known = Set(
                try connection.rows(
                    "SELECT key FROM jobs WHERE environment_id = '' AND kind = ?", [.text(Self.kind.rawValue)]
                ).map { try $0.text("key") })
            let new = names.filter { !known.contains($0) }
            try JobQueue.enqueue(
                new.map { NewJob(Self.kind, key: $0, in: .noEnvironment, lane: $0, at: moment) },
                in: connection)
        }
        queue.wake()
    }

    package func run(_ batch: JobBatch) async throws {
        for job in batch.jobs {
            // A task of another version of the server is left to its nodes.
            guard let task = tasks[job.key] else {
                await batch.finish(job, .release(at: queue.now() + .seconds(3_600)))
                continue
            }
            do {
                try await task.run()
                await batch.finish(job, .again(at: queue.now() + task.interval))
            } catch let stop as CancellationError {
                throw stop
            } catch {
                logger.warning(
                    "A periodic task failed; tried again later",
                    metadata: ["task": "\(task.name)", "error": "\(error)"])
                await batch.finish(job, .retry("\(type(of: error))", at: queue.now() + task.interval))
            }
        }
    }
}
