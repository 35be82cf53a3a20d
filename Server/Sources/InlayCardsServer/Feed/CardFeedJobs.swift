import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The handler of the jobs that end embargoes and snoozes, expire cards and send the changes to the sockets.
///
/// A feed's job is due at `card_feeds.next_due_at` or earlier: every change that makes this time earlier enqueues the
/// job, and each run reschedules it for the feed's new time. Readers settle a feed themselves and do not wait.
struct CardFeedJobs: JobHandler {
    static let kind: JobKind = "cards.feed"
    /// The time after which the claim of a failed node ends, so that other nodes settle its feeds.
    static let lease = Duration.seconds(15)
    /// The maximum number of feeds in one transaction.
    private static let maximumBatchSize = 200

    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp
    let onChange: CardChangeHandler

    var kind: JobKind { Self.kind }
    var areKeysLogged: Bool { false }

    var limits: JobLimits {
        JobLimits(
            maximumRunning: Self.maximumBatchSize, batchSize: Self.maximumBatchSize, lease: Self.lease,
            retry: .doubling(from: .seconds(1), to: .seconds(60)))
    }

    /// Enqueues the jobs of feeds, each for the time at which the feed is due, within a transaction of the caller.
    static func enqueue(
        _ feeds: [(feed: FeedVersions.Feed, dueAt: Timestamp)], in connection: any SQLConnection
    ) throws {
        try JobQueue.enqueue(
            feeds.map { NewJob(kind, key: key($0.feed), in: $0.feed.environmentID, at: $0.dueAt) },
            in: connection)
    }

    /// Removes a feed's job, within a transaction of the caller that has locked the feed.
    static func remove(_ feed: FeedVersions.Feed, in connection: any SQLConnection) throws {
        try JobQueue.remove(
            Job.ID(environmentID: feed.environmentID, kind: kind, key: key(feed)), in: connection)
    }

    func run(_ batch: JobBatch) async throws {
        let (moment, jobs) = (now(), batch.jobs)
        let changes = try await database.write { try Self.settle(jobs, at: moment, in: $0) }
        for job in jobs { await batch.finish(job, .settled) }
        if !changes.isEmpty { await onChange(changes) }
    }

    /// Settles feeds and their jobs in one transaction; returns the feeds' changes.
    static func settle(
        _ jobs: [Job], at now: Timestamp, in connection: any SQLConnection
    ) throws -> [LiveChange] {
        // All writers lock feeds in this order, so that two nodes never deadlock.
        let feeds = jobs.map { (job: $0, feed: feed(of: $0)) }.sorted {
            ($0.feed.userID, $0.feed.containerID) < ($1.feed.userID, $1.feed.containerID)
        }
        let changes = try feeds.flatMap { try CardSettling.settle($0.feed, at: now, in: connection) }
        let next = try FeedVersions.nextDue(feeds.map(\.feed), in: connection)
        _ = try JobQueue.settle(
            feeds.map { job, feed in
                guard let moment = next[feed] else { return (job, .done(note: "")) }
                return (job, .again(at: max(moment, now + .milliseconds(1)), payload: nil))
            }, in: connection)
        return changes
    }

    private static func key(_ feed: FeedVersions.Feed) -> String { "\(feed.containerID)/\(feed.userID)" }

    // Ids of containers have no slash; users' ids may.
    private static func feed(of job: Job) -> FeedVersions.Feed {
        let parts = job.key.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        return FeedVersions.Feed(
            environmentID: job.environmentID, userID: UserID(String(parts.last ?? "")),
            containerID: CardContainerID(String(parts.first ?? "")))
    }
}
