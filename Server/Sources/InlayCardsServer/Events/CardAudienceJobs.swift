import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// Finds the audiences of events that were sent to a segment, one at a time on each node.
///
/// A segment's query can take seconds, in which events are delivered, since deliveries are jobs of another kind.
struct CardAudienceJobs: JobHandler {
    static let kind: JobKind = "cards.audience"
    /// The time after which the search of a node that ended is another's.
    static let lease: Duration = .seconds(3)
    /// Failed searches, in some two hours, after which an event ends with its error.
    static let maximumSearches = 20

    let events: CardEventService

    var kind: JobKind { Self.kind }
    var areKeysLogged: Bool { true }

    var limits: JobLimits {
        JobLimits(
            lease: Self.lease, isLeaseRenewed: true,
            retry: .doubling(
                from: CardEventService.rest.first, to: CardEventService.rest.maximum,
                maximumAttempts: Self.maximumSearches))
    }

    func run(_ batch: JobBatch) async throws {
        for job in batch.jobs {
            if try await events.findAudience(of: job) {
                await batch.finish(job, .done)
            } else {
                await batch.finish(job, try await events.passBy(job))
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
        // An audience that was stored meanwhile is being delivered.
        guard count == 1 else { return }
        try CardAudience(
            environmentID: job.environmentID, eventID: job.eventID, connection: connection
        ).clear()
    }
}
