package import InlaySQL
@_spi(Inlay) package import InlayWire
import Logging

/// A handler that runs the jobs of one kind.
///
/// A job is run at least once: again when its node ends before the result is stored. A handler therefore commits its
/// effect together with the result (``record(_:of:in:)`` or ``JobQueue/settle(_:in:)``), or makes an effect that can be
/// repeated.
package protocol JobHandler: Sendable {
    /// The kind of its jobs.
    var kind: JobKind { get }

    /// The limits of its jobs: the number that run at once, the time of a claim, and the times of retries.
    var limits: JobLimits { get }

    /// Whether log lines name the keys of its jobs; not when a key contains a user's id.
    var areKeysLogged: Bool { get }

    /// Runs claimed jobs, at most ``JobLimits/batchSize`` of them.
    ///
    /// Jobs for which it has reported no outcome are done when it returns, and are tried again by the rule when it
    /// throws. It ends early, with `CancellationError`, when the server stops.
    func run(_ batch: JobBatch) async throws

    /// Writes the feature's own record of a result, in the transaction that settles the job. By default nothing.
    ///
    /// The job is settled after it, and not locked before; see `JobQueue.store`.
    func record(_ result: JobResult, of job: Job, in connection: any SQLConnection) throws

    /// The name of its jobs on the page of jobs that were given up, by default the kind.
    var title: String { get }

    /// Whether a job that was given up is kept for a week, for operators to see it and to run it again. By default the
    /// same as ``areKeysLogged``, because the erasure of a user leaves given-up jobs as they are.
    ///
    /// False also for jobs that are of no use later, and where the payload holds data that must not be kept.
    func keepsGivenUp(_ job: Job) -> Bool

    /// Returns the job to enqueue when an operator runs a given-up one again, or `nil` when it is of no use any more.
    ///
    /// Resets the feature's own record, in the transaction that enqueues the job. By default the job is the same, due
    /// at once, and does not expire.
    func requeued(_ job: GivenUpJob, at moment: Timestamp, in connection: any SQLConnection) throws -> NewJob?
}

extension JobHandler {
    package func record(_ result: JobResult, of job: Job, in connection: any SQLConnection) throws {}

    package var title: String { kind.rawValue }

    package func keepsGivenUp(_ job: Job) -> Bool { areKeysLogged }

    package func requeued(_ job: GivenUpJob, at moment: Timestamp, in connection: any SQLConnection) throws
        -> NewJob?
    {
        NewJob(
            kind, key: job.id.key, in: job.id.environmentID, lane: job.lane, at: moment, payload: job.payload)
    }

    /// The metadata of a log line about some of its jobs, with at most ten keys.
    func metadata(of jobs: [Job]) -> Logger.Metadata {
        var metadata: Logger.Metadata = ["kind": "\(kind)", "count": "\(jobs.count)"]
        guard areKeysLogged else { return metadata }
        let names = jobs.map { "\($0.environmentID)/\($0.key)" }.sorted()
        metadata["jobs"] = .array(names.prefix(10).map { .string($0) })
        return metadata
    }
}

/// Claimed jobs, and the way to report the outcome of each.
package struct JobBatch: Sendable {
    /// The jobs, in no order. Jobs that must run one after another need a kind of which one job runs at a time.
    package let jobs: [Job]
    private let progress: @Sendable (Job) -> Void
    private let report: @Sendable (Job, JobOutcome, Bool) async -> Void

    init(
        jobs: [Job], progress: @escaping @Sendable (Job) -> Void,
        report: @escaping @Sendable (Job, JobOutcome, Bool) async -> Void
    ) {
        self.jobs = jobs
        self.progress = progress
        self.report = report
    }

    /// Reports that a job made progress in this run: its earlier errors count no more, even if the run fails.
    package func advance(_ job: Job) { progress(job) }

    /// Reports one job's outcome, while others of the batch still run. A second report of the same job is ignored.
    ///
    /// `isUnanswered` says that the other side did not answer in time: the job's lane then runs fewer jobs at once.
    package func finish(_ job: Job, _ outcome: JobOutcome, isUnanswered: Bool = false) async {
        await report(job, outcome, isUnanswered)
    }
}

/// The limits of one kind of job.
package struct JobLimits: Sendable {
    /// The maximum number of jobs that run at once on a node; with 0 they wait, and are given up when they expire.
    package var maximumRunning: Int
    /// The maximum number of these in one lane.
    package var maximumPerLane: Int
    /// The same in a lane whose last job got no answer.
    package var maximumPerUnansweredLane: Int
    /// The maximum number of jobs in one call of the handler.
    package var batchSize: Int
    /// The time of a claim; when its node ends, others take the job after this time.
    package var lease: Duration
    /// Whether claims are extended while the handler runs. If not, a run is cancelled after ``maximumRun`` and has
    /// failed.
    package var isLeaseRenewed: Bool
    /// The rule for when a failed job is tried again, and when no more.
    package var retry: JobRetry

    /// The maximum time of a run when its claim is not extended: less than the lease, so that its failure is stored.
    var maximumRun: Duration { lease * 9 / 10 }

    /// Creates limits. Each lane may use all of `maximumRunning`, unless `maximumPerLane` is less.
    package init(
        maximumRunning: Int = 1, maximumPerLane: Int? = nil, maximumPerUnansweredLane: Int? = nil,
        batchSize: Int = 1, lease: Duration, isLeaseRenewed: Bool = false, retry: JobRetry
    ) {
        self.maximumRunning = maximumRunning
        self.maximumPerLane = maximumPerLane ?? maximumRunning
        self.maximumPerUnansweredLane = maximumPerUnansweredLane ?? self.maximumPerLane
        self.batchSize = batchSize
        self.lease = lease
        self.isLeaseRenewed = isLeaseRenewed
        self.retry = retry
    }
}

/// The rule by which failed jobs are tried again.
package struct JobRetry: Sendable {
    /// Returns the pause after a number of attempts.
    let pause: @Sendable (Int) -> Duration
    /// The number of attempts after which a job is given up; `nil` for no limit but its expiry.
    let maximumAttempts: Int?
    /// The maximum part of a pause that is cut at random, so that jobs which failed together are not tried together.
    let jitter: Double

    /// Creates a rule with pauses of the caller's own.
    package init(
        maximumAttempts: Int? = nil, jitter: Double = 0.1, pause: @escaping @Sendable (Int) -> Duration
    ) {
        self.pause = pause
        self.maximumAttempts = maximumAttempts
        self.jitter = jitter
    }

    /// Returns a rule that doubles the pause after each attempt, up to a maximum.
    package static func doubling(
        from first: Duration, to maximum: Duration, maximumAttempts: Int? = nil
    ) -> JobRetry {
        JobRetry(maximumAttempts: maximumAttempts) { min(first * (1 << min($0 - 1, 16)), maximum) }
    }

    /// Returns the moment of the next attempt, or `nil` when the job is given up. `chance` is at least 0 and less than
    /// 1.
    ///
    /// The random part shortens a pause and never lengthens it: the rule's pauses are promises to those who wait.
    func next(after attempts: Int, expiresAt: Timestamp?, at now: Timestamp, chance: Double) -> Timestamp? {
        if let maximumAttempts, attempts >= maximumAttempts { return nil }
        let pause = pause(attempts)
        // Decided by the whole pause, because the random part must not allow one more attempt.
        if let expiresAt, now + pause > expiresAt { return nil }
        return now + pause * (1 - jitter * chance)
    }
}
