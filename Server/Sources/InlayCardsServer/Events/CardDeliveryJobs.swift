import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// Delivers events whose audience is known: one at a time on each node, eight pieces in a run.
///
/// A run ends with the event due again at once, behind the events that have waited longer. A node that lost its claim
/// does no harm: each piece locks the event's row, and makes cards for users that no other piece has.
struct CardDeliveryJobs: JobHandler {
    static let kind: JobKind = "cards.delivery"
    /// The time after which the delivery of a node that ended is due for the others.
    static let lease: Duration = .milliseconds(750)
    /// Pieces of one event before the next event has its turn.
    static let turn = 8
    /// The mean time from one piece of an event to the next: at most 10,000 users a second for each node. What the machine
    /// could do beyond that is left to other callers, whose single sends would else take much longer.
    private static let pace: Duration = .seconds(1) * CardAudience.pieceSize / 10_000

    let events: CardEventService

    var kind: JobKind { Self.kind }
    var areKeysLogged: Bool { true }

    var limits: JobLimits {
        JobLimits(
            lease: Self.lease, isLeaseRenewed: true,
            retry: .doubling(from: CardEventService.rest.first, to: CardEventService.rest.maximum))
    }

    func run(_ batch: JobBatch) async throws {
        for job in batch.jobs { await batch.finish(job, try await deliver(job, in: batch)) }
    }

    func record(_ result: JobResult, of job: Job, in connection: any SQLConnection) throws {
        try CardEventService.record(result, of: job, at: events.now(), in: connection)
    }

    private func deliver(_ job: Job, in batch: JobBatch) async throws -> JobOutcome {
        var due = ContinuousClock.now
        for _ in 0..<Self.turn {
            try Task.checkCancellation()
            let start = ContinuousClock.now
            guard let piece = try await events.deliverNext(job.environmentID, job.eventID) else {
                return try await events.passBy(job)
            }
            // Its transaction has removed the job.
            if piece.isLast { return .settled }
            batch.advance(job)
            let end = ContinuousClock.now
            // A delay is made up for as long as the rest, half the time of a piece, ends before the next piece is due.
            due = max(due + Self.pace, end + (end - start) / 2)
            // Ends at once when the claim is lost or the server stops.
            try await Task.sleep(until: due)
        }
        return .again(at: events.now())
    }
}
