import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The handler of the jobs that deliver events whose audience is known: one at a time on each node, eight pieces a run.
///
/// After a run the event is due again at once, behind the events that have waited longer. A node that lost its claim
/// does no harm: each piece locks the event's row, and makes cards for users that are in no other piece.
struct CardDeliveryJobs: JobHandler {
    static let kind: JobKind = "cards.delivery"
    /// The time after which another node takes over the delivery of a node that ended.
    static let lease: Duration = .milliseconds(750)
    /// The maximum number of pieces of one event before the next event is delivered.
    private static let maximumPieces = 8
    /// The mean time from one piece of an event to the next: at most 10,000 users a second for each node. A faster
    /// delivery would make the single sends of other callers much slower.
    private static let pieceInterval: Duration = .seconds(1) * CardAudience.pieceSize / 10_000

    let events: CardEventService

    var kind: JobKind { Self.kind }
    var areKeysLogged: Bool { true }

    var limits: JobLimits {
        JobLimits(
            lease: Self.lease, isLeaseRenewed: true,
            retry: .doubling(from: CardEventService.retryDelay.first, to: CardEventService.retryDelay.maximum)
        )
    }

    func run(_ batch: JobBatch) async throws {
        for job in batch.jobs { await batch.finish(job, try await deliver(job, in: batch)) }
    }

    func record(_ result: JobResult, of job: Job, in connection: any SQLConnection) throws {
        try CardEventService.record(result, of: job, at: events.now(), in: connection)
    }

    private func deliver(_ job: Job, in batch: JobBatch) async throws -> JobOutcome {
        var due = ContinuousClock.now
        for _ in 0..<Self.maximumPieces {
            try Task.checkCancellation()
            let start = ContinuousClock.now
            guard let piece = try await events.deliverNext(job.environmentID, job.eventID) else {
                return try await events.outcomeWithoutWork(for: job)
            }
            // The piece's transaction has removed the job.
            if piece.isLast { return .settled }
            batch.advance(job)
            let end = ContinuousClock.now
            // After a delay the next pieces follow faster, but a pause of half a piece's time always separates them.
            due = max(due + Self.pieceInterval, end + (end - start) / 2)
            // Ends at once when the claim is lost or the server stops.
            try await Task.sleep(until: due)
        }
        return .again(at: events.now())
    }
}
