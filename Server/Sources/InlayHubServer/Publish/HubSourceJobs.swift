import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire
import Logging

/// The handler of the jobs that renew signatures before they expire, publish articles on their date, and sign content
/// with higher versions after a restore.
///
/// The job of a source is due at `hub_sources.next_due_at` or earlier. Publishing enqueues it, and each run reschedules
/// it for the source's new time.
struct HubSourceJobs: JobHandler {
    static let kind: JobKind = "hub.source"
    /// The pause after a fault, and the time after which the claim of a failed node ends.
    private static let retry: Duration = .seconds(60)

    let database: any SQLDatabase
    let publisher: HubPublisher
    let now: @Sendable () -> Timestamp
    let logger: Logger

    var kind: JobKind { Self.kind }
    var areKeysLogged: Bool { true }

    var limits: JobLimits {
        JobLimits(lease: Self.retry, isLeaseRenewed: true, retry: JobRetry(jitter: 0) { _ in Self.retry })
    }

    /// Enqueues the job of a source, due at `moment`, within a transaction of the caller.
    static func enqueue(
        _ environmentID: EnvironmentID, _ sourceID: HubSourceID, at moment: Timestamp,
        in connection: any SQLConnection
    ) throws {
        try JobQueue.enqueue(
            NewJob(kind, key: sourceID.rawValue, in: environmentID, at: moment), in: connection)
    }

    /// Enqueues the jobs of all sources that are due by their own rows, because a restored database has the jobs of its
    /// backup.
    func enqueueDue() async throws {
        let moment = now()
        // Without due sources, nothing is written.
        let due = try await database.read { connection in
            try connection.rows(
                "SELECT environment_id, id FROM hub_sources WHERE \(Self.isDue)", [.moment(moment)]
            ).map { NewJob(Self.kind, key: try $0.text("id"), in: try $0.id("environment_id"), at: moment) }
        }
        guard !due.isEmpty else { return }
        try await database.write { try JobQueue.enqueue(due, in: $0) }
    }

    private static let isDue = """
        next_due_at IS NOT NULL AND (next_due_at <= ? OR timestamp_version < \(VersionBase.sql) / 1000000)
        """

    func run(_ batch: JobBatch) async throws {
        for job in batch.jobs {
            await batch.finish(job, try await maintain(job.environmentID, HubSourceID(job.key)))
        }
    }

    private func maintain(_ environmentID: EnvironmentID, _ sourceID: HubSourceID) async throws -> JobOutcome
    {
        let moment = now()
        // The source may have been published after the job was enqueued, and its new time is later.
        guard try await isDue(environmentID, sourceID, at: moment) else {
            return try await next(environmentID, sourceID)
        }
        do {
            let isDue = try await hasDueArticle(environmentID, sourceID, at: moment)
            let isPending = isDue ? try await !publish(environmentID, sourceID) : false
            try await publisher.renewRoot(environmentID, sourceID)
            // This is retried every minute. A new timestamp each minute would make all devices fetch it each minute.
            try await publisher.renew(environmentID, sourceID, onlyWhenDue: isPending)
            guard isPending else { return try await next(environmentID, sourceID) }
            // Renewing has set the next time to half of the timestamp's lifetime, hours after the article's date.
            try await setDue(environmentID, sourceID, at: moment)
            return .retry("An article could not be published on its date.")
        } catch let problem as Problem where problem == .publishedMeanwhile {
            return try await next(environmentID, sourceID)
        }
    }

    private func isDue(_ environmentID: EnvironmentID, _ sourceID: HubSourceID, at moment: Timestamp)
        async throws
        -> Bool
    {
        try await database.read {
            try $0.row(
                "SELECT 1 AS n FROM hub_sources WHERE \(Self.isDue) AND environment_id = ? AND id = ?",
                [.moment(moment), .id(environmentID), .id(sourceID)]) != nil
        }
    }

    /// Reschedules the job for the time in the source's row, or after a pause: after a fault the row may still be due.
    private func next(_ environmentID: EnvironmentID, _ sourceID: HubSourceID) async throws -> JobOutcome {
        let next = try await database.read {
            try $0.row(
                "SELECT next_due_at FROM hub_sources WHERE environment_id = ? AND id = ?",
                [.id(environmentID), .id(sourceID)])?.optionalMoment("next_due_at")
        }
        guard let next else { return .done }
        let moment = now()
        return .again(at: next > moment ? next : moment + Self.retry)
    }

    /// Publishes the source, and returns whether that succeeded. An error is logged.
    private func publish(_ environmentID: EnvironmentID, _ sourceID: HubSourceID) async throws -> Bool {
        do {
            try await publisher.publish(
                environmentID, sourceID, by: "schedule", note: "An article's date came")
            return true
        } catch {
            // A cancellation is no fault of the article, whatever error it caused.
            if Task.isCancelled { throw CancellationError() }
            logger.error(
                "An article could not be published on its date",
                metadata: ["environment": "\(environmentID)", "source": "\(sourceID)", "error": "\(error)"])
            return false
        }
    }

    private func hasDueArticle(_ environmentID: EnvironmentID, _ sourceID: HubSourceID, at moment: Timestamp)
        async throws
        -> Bool
    {
        let state = try await database.read { try HubState.load(environmentID, sourceID, $0) }
        guard let last = state.contentPublishedAt else { return false }
        return state.items.contains { item in
            guard let date = item.released?.publishAt else { return false }
            return date > last && date <= moment
        }
    }

    private func setDue(_ environmentID: EnvironmentID, _ sourceID: HubSourceID, at moment: Timestamp)
        async throws
    {
        try await database.write {
            _ = try $0.execute(
                "UPDATE hub_sources SET next_due_at = ? WHERE environment_id = ? AND id = ?",
                [.moment(moment), .id(environmentID), .id(sourceID)])
        }
    }
}
