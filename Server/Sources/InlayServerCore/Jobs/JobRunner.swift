import InlaySQL
@_spi(Inlay) import InlayWire
package import Logging
package import Metrics
import NIOConcurrencyHelpers
import NIOCore

/// A runner of the jobs of all kinds on one node.
///
/// Looks for due jobs when it is woken, when the next one is due, and every second: another node may have enqueued one,
/// or have ended with its claims. Each look is one statement for all kinds.
package final class JobRunner: Sendable {
    /// The jobs that one look claimed.
    struct Found: Sendable {
        var batches: [(handler: any JobHandler, jobs: [Job])] = []
        /// The time at which the first job is due that has a free slot.
        var next: Timestamp?
    }

    /// The maximum number of jobs of a kind that one look claims, unless a batch is larger.
    private static let maximumClaimed = 128

    private let queue: JobQueue
    private let handlers: [JobKind: any JobHandler]
    private let logger: Logger
    private let maximumPause: Duration
    private let chance: @Sendable () -> Double
    private let metrics: JobMetrics
    private let settlements: JobSettlements
    private let slots: NIOLockedValueBox<[JobKind: JobSlots]>

    /// Creates a runner of these handlers, one for each kind, that looks for jobs after `maximumPause` at the latest.
    /// `chance` returns numbers from 0 up to 1 for the pauses of retries.
    package init(
        _ queue: JobQueue, _ handlers: [any JobHandler], logger: Logger, metrics: any MetricsFactory,
        maximumPause: Duration = .seconds(1),
        chance: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.queue = queue
        self.logger = logger
        self.maximumPause = maximumPause
        self.chance = chance
        self.handlers = Dictionary(handlers.map { ($0.kind, $0) }) { first, _ in first }
        self.metrics = JobMetrics(factory: metrics)
        settlements = JobSettlements(queue: queue, logger: logger)
        slots = NIOLockedValueBox(self.handlers.mapValues { JobSlots($0.limits) })
    }

    /// Runs jobs until the task is cancelled; jobs under way are then cancelled and put back. Call it once.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.reportDue() }
            while !Task.isCancelled {
                var pause = maximumPause
                do {
                    let found = try await claimDue()
                    // Each ends by itself, or is cancelled with this task.
                    for batch in found.batches { group.addTask { await self.run(batch.jobs, batch.handler) } }
                    // There may be more.
                    if !found.batches.isEmpty { continue }
                    // A job without a free slot is not among them: the end of a running job wakes the loop.
                    if let next = found.next { pause = min(pause, max(.zero, next - queue.now())) }
                } catch {
                    logger.warning("Jobs could not be claimed", metadata: ["error": "\(error)"])
                }
                await queue.wakeup.sleep(atMost: pause)
            }
        }
    }

    /// Runs what is due now, and what becomes due meanwhile; returns when nothing is, or the task is cancelled.
    package func runDue() async throws {
        while !Task.isCancelled {
            let found = try await claimDue()
            if found.batches.isEmpty { return }
            await withDiscardingTaskGroup { group in
                for batch in found.batches { group.addTask { await self.run(batch.jobs, batch.handler) } }
            }
        }
    }

    /// Claims what is due, as far as slots are free: the lane that has waited longest first, and no lane more than its
    /// share.
    func claimDue() async throws -> Found {
        let lanes = try await queue.lanes()
        let moment = queue.now()
        // Only jobs that end change it meanwhile, and they free slots.
        let slots = slots.withLockedValue { $0 }
        let open = lanes.filter { (slots[$0.kind]?.freeCount(in: $0.name) ?? 0) > 0 }
        // A job that is due already is claimed now, or held by another node; the next look finds it again.
        var found = Found(next: open.first { $0.dueAt > moment }?.dueAt)
        let due = Dictionary(grouping: open.filter { $0.dueAt <= moment }, by: \.kind)
        let wanted = due.compactMap { kind, lanes in self.wanted(kind, lanes, slots[kind]) }
        guard !wanted.isEmpty else { return found }
        let jobs = Dictionary(grouping: try await queue.claim(wanted), by: \.id.kind)
        for (kind, jobs) in jobs {
            guard let handler = handlers[kind] else { continue }
            self.slots.withLockedValue { slots in for job in jobs { slots[kind]?.enter(job.laneName) } }
            let size = max(1, handler.limits.batchSize)
            for start in stride(from: 0, to: jobs.count, by: size) {
                found.batches.append((handler, Array(jobs[start..<min(start + size, jobs.count)])))
            }
        }
        return found
    }

    private func wanted(_ kind: JobKind, _ lanes: [JobQueue.Lane], _ slots: JobSlots?) -> JobQueue.Wanted? {
        guard let slots, let limits = handlers[kind]?.limits else { return nil }
        let count = min(slots.freeCount, max(Self.maximumClaimed, limits.batchSize))
        let some = lanes.prefix(min(count, JobQueue.maximumLanes))
        guard !some.isEmpty else { return nil }
        // A lane with fewer jobs than its share leaves slots to the next look, which follows at once.
        let share = max(1, count / some.count)
        return JobQueue.Wanted(
            kind: kind, lease: limits.lease,
            lanes: some.map { ($0.name, min(share, slots.freeCount(in: $0.name))) })
    }

    // MARK: Running

    private func run(_ jobs: [Job], _ handler: any JobHandler) async {
        metrics.running(handler.kind, jobs.count)
        let open = NIOLockedValueBox(Dictionary(jobs.map { ($0.id, $0) }) { first, _ in first })
        let report: @Sendable (Job, JobOutcome, Bool) async -> Void = { job, outcome, isUnanswered in
            guard let job = open.withLockedValue({ $0.removeValue(forKey: job.id) }) else { return }
            await self.finish(job, outcome, isUnanswered, handler)
        }
        let batch = JobBatch(
            jobs: jobs, progress: { job in open.withLockedValue { $0[job.id]?.attempts = 1 } },
            report: report)
        let outcome = await outcome(of: batch, handler) { open.withLockedValue { Array($0.values) } }
        for job in jobs { await report(job, outcome, false) }
    }

    /// Runs a batch; returns the outcome of the jobs that the handler has not finished.
    private func outcome(
        of batch: JobBatch, _ handler: any JobHandler, unfinished: () -> [Job]
    ) async -> JobOutcome {
        let (limits, moment) = (handler.limits, queue.now())
        do {
            try await withinClaims(of: batch.jobs, limits) { try await handler.run(batch) }
            return .done
        } catch is CancellationError {
            return .release(at: moment)
        } catch let failure as JobFailure {
            logger.info(
                "Jobs failed",
                metadata: handler.metadata(of: unfinished()).merging(["error": "\(failure.description)"]) {
                    $1
                })
            return failure.isFinal ? .giveUp(failure.description) : .retry(failure.description)
        } catch let error as SQLError where error.isOfDatabase {
            // A fault of the database or of this node, and not of the job.
            logger.warning(
                "Jobs wait for the database",
                metadata: handler.metadata(of: unfinished()).merging(["error": "\(error)"]) { $1 })
            return .release(at: moment + limits.retry.pause(1))
        } catch {
            // Other errors may quote what a user sent.
            let text = (error as? SQLError).map(\.description) ?? "\(type(of: error))"
            logger.error(
                "Jobs failed",
                metadata: handler.metadata(of: unfinished()).merging(["error": "\(error)"]) { $1 })
            return .retry(text)
        }
    }

    /// Runs the body within its jobs' claims, which are extended meanwhile where their kind wants it.
    ///
    /// Cancels the body when a claim was lost. Where claims are not extended, cancels it shortly before they end: the
    /// run has failed then, and its kind's rule decides about the next.
    private func withinClaims(
        of jobs: [Job], _ limits: JobLimits, _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        guard limits.isLeaseRenewed else {
            let end = NIODeadline.now() + .nanoseconds(limits.maximumRun.microseconds * 1_000)
            // Returned as a value, so that the error of a body that ended late counts, unless it is the cancellation.
            let error = try await Deadline.run(until: end) { () -> (any Error)? in
                do { try await body() } catch { return error }
                return nil
            }
            guard let error else { return }
            throw error is CancellationError && end <= .now()
                ? JobFailure("The run took longer than \(limits.maximumRun)") : error
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await body() }
            group.addTask {
                for await _ in TimerSequence(every: limits.lease / 3) {
                    // A failed extension is tried again; only another node's claim ends this one.
                    if case false? = try? await self.queue.extend(jobs, by: limits.lease) { break }
                }
                // The run of a lost claim has no result: the body may have done a part only.
                throw CancellationError()
            }
            try await group.next()
        }
    }

    private func finish(
        _ job: Job, _ outcome: JobOutcome, _ isUnanswered: Bool, _ handler: any JobHandler
    ) async {
        let hasFreeSlots = slots.withLockedValue {
            $0[job.id.kind]?.leave(job.laneName, isUnanswered: isUnanswered) ?? false
        }
        metrics.running(job.id.kind, -1)
        if case .settled = outcome {
        } else {
            await settlements.add(job, result(outcome, of: job, handler), handler)
        }
        // After the result is stored, so that a job that is due again at once is found.
        if hasFreeSlots { queue.wake() }
    }

    private func result(_ outcome: JobOutcome, of job: Job, _ handler: any JobHandler) -> JobResult {
        switch outcome {
        case .finished(let note): return .done(note: note)
        case .settled: return .done(note: "")
        case .again(let moment, let payload): return .again(at: moment, payload: payload)
        case .release(let moment): return .released(at: moment)
        case .giveUp(let error):
            metrics.failed(job.id.kind)
            return .failed(error: error)
        case .retry(let error, let moment?):
            metrics.failed(job.id.kind)
            return .retry(at: moment, error: error)
        case .retry(let error, nil):
            metrics.failed(job.id.kind)
            let next = handler.limits.retry.next(
                after: job.attempts, expiresAt: job.expiresAt, at: queue.now(), chance: chance())
            return next.map { .retry(at: $0, error: error) } ?? .failed(error: error)
        }
    }

    /// Counts what is due, every 15 seconds, until the task is cancelled.
    private func reportDue() async {
        var reported = Set(handlers.keys)
        for await _ in TimerSequence(every: .seconds(15)) { await reportDue(&reported) }
    }

    /// Counts the due jobs of the kinds reported before, and of unknown kinds, whose jobs wait for another node.
    func reportDue(_ reported: inout Set<JobKind>) async {
        guard let counts = try? await queue.dueCounts(), let givenUp = try? await queue.givenUpCounts() else {
            return
        }
        for kind in counts.keys where reported.insert(kind).inserted {
            logger.warning(
                "Jobs of a kind that this version does not know wait for a node that knows it",
                metadata: ["kind": "\(kind)"])
        }
        reported.formUnion(givenUp.keys)
        for kind in reported {
            metrics.due(kind, counts[kind] ?? 0)
            metrics.givenUp(kind, givenUp[kind] ?? 0)
        }
    }
}

extension SQLError {
    /// Whether the error says nothing about the statement: the connection, the disk or the server is at fault.
    var isOfDatabase: Bool {
        switch kind {
        case .connectionLost, .overloaded, .unresponsive, .closed, .diskFull, .databaseReadOnly, .fileLost,
            .fileFailed:
            true
        default: false
        }
    }
}
