import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The handler of the jobs that find the audiences of events sent to a segment, one at a time on each node.
///
/// A segment's query can take seconds. Deliveries are jobs of another kind, so that they go on meanwhile.
struct CardAudienceJobs: JobHandler {
    static let kind: JobKind = "cards.audience"
    /// The time after which another node takes over the search of a node that ended.
    static let lease: Duration = .seconds(3)
    /// The number of failed searches, within about two hours, after which an event ends with its error.
    static let maximumSearches = 20

    let events: CardEventService

    var kind: JobKind { Self.kind }
    var areKeysLogged: Bool { true }

    var limits: JobLimits {
        JobLimits(
            lease: Self.lease, isLeaseRenewed: true,
            retry: .doubling(
                from: CardEventService.retryDelay.first, to: CardEventService.retryDelay.maximum,
                maximumAttempts: Self.maximumSearches))
    }

    func run(_ batch: JobBatch) async throws {
        for job in batch.jobs {
            if try await events.findAudience(of: job) {
                await batch.finish(job, .done)
            } else {
                await batch.finish(job, try await events.outcomeWithoutWork(for: job))
            }
        }
    }

    /// Stores the error in the event's row, and ends the event when its last search failed.
    func record(_ result: JobResult, of job: Job, in connection: any SQLConnection) throws {
        try CardEventService.record(result, of: job, at: events.now(), in: connection)
        guard case .failed = result else { return }
        let count = try connection.execute(
            """
            UPDATE card_events SET is_done = 1, claim = NULL, erased_user_ids = ''
            WHERE environment_id = ? AND event_id = ? AND is_done = 0 AND is_listed = 0
            """, [.id(job.environmentID), .id(job.eventID)])
        // The audience was stored meanwhile and is being delivered.
        guard count == 1 else { return }
        try CardAudience(
            environmentID: job.environmentID, eventID: job.eventID, connection: connection
        ).clear()
    }

    var title: String { "Audience of a card event" }

    /// Reopens an event that ended when its last search failed, unless its cards have expired. A cancelled event has no
    /// job.
    func requeued(_ job: GivenUpJob, at moment: Timestamp, in connection: any SQLConnection) throws -> NewJob?
    {
        let key: [SQLValue] = [.id(job.id.environmentID), .text(job.id.key)]
        let isGivenUp = "environment_id = ? AND event_id = ? AND is_done = 1 AND is_listed = 0"
        let row = try connection.row("SELECT plan FROM card_events WHERE \(isGivenUp)", key)
        guard let row else { return nil }
        let plan: CardPlan = try JSONColumn.value(try row.text("plan"))
        if plan.hasExpired(at: moment) { return nil }
        let count = try connection.execute(
            "UPDATE card_events SET is_done = 0, updated_at = ? WHERE \(isGivenUp)", [.moment(moment)] + key)
        return count == 1
            ? NewJob(kind, key: job.id.key, in: job.id.environmentID, at: moment) : nil
    }
}
