import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

extension Job {
    /// The event that the job is for.
    var eventID: CardEventID { CardEventID(key) }
}

extension CardEventService {
    /// The time before the retry after a first error, and the maximum after more errors in a row.
    static let retryDelay: (first: Duration, maximum: Duration) = (.seconds(1), .seconds(600))
    /// The time after which a node tries an event again whose row another node has locked.
    private static let interval: Duration = .milliseconds(250)

    /// Enqueues the next job of an event, which finds its audience or delivers it, within the transaction of the
    /// caller.
    static func enqueue(
        _ kind: JobKind, _ environmentID: EnvironmentID, _ eventID: CardEventID, at moment: Timestamp,
        in connection: any SQLConnection
    ) throws {
        try JobQueue.enqueue(
            NewJob(kind, key: eventID.rawValue, in: environmentID, at: moment), in: connection)
    }

    /// Removes the jobs of an event that has ended, within the transaction that ends it.
    static func removeJobs(
        _ environmentID: EnvironmentID, _ eventID: CardEventID, in connection: any SQLConnection
    ) throws {
        for kind in [CardAudienceJobs.kind, CardDeliveryJobs.kind] {
            let id = Job.ID(environmentID: environmentID, kind: kind, key: eventID.rawValue)
            try JobQueue.remove(id, in: connection)
            try JobQueue.removeGivenUp(id, in: connection)
        }
    }

    /// Finds and stores the audience of a job's event; returns false when it is stored already, or another node
    /// searches for it.
    func findAudience(of job: Job) async throws -> Bool {
        let search = CardAudienceSearch(
            job: job, lane: lane, segments: segments, usersPerQuery: usersPerQuery, now: now)
        guard try await search.run() else { return false }
        jobs.wake()
        return true
    }

    /// Delivers one piece; returns `nil` when there is none left, or another node has locked the event.
    func deliverNext(_ environmentID: EnvironmentID, _ eventID: CardEventID) async throws -> CardDelivery
        .Piece?
    {
        let moment = now()
        let piece = try await lane.write { connection in
            let piece = try CardDelivery(
                environmentID: environmentID, eventID: eventID, now: moment, connection: connection
            ).next()
            if piece?.isLast == true {
                try JobQueue.remove(
                    Job.ID(environmentID: environmentID, kind: CardDeliveryJobs.kind, key: eventID.rawValue),
                    in: connection)
            }
            return piece
        }
        await announce(piece)
        return piece
    }

    /// Sends the changes of a piece to sockets and wakes the queue for its due cards, after its commit.
    func announce(_ piece: CardDelivery.Piece?) async {
        guard let piece else { return }
        // For cards without a due time the queue would query the database in vain after each piece.
        if piece.hasDueTime { wakeJobs() }
        if !piece.changes.isEmpty { await onChange(piece.changes) }
    }

    /// Returns the outcome of a job that found nothing to do: its event is further on, or another node has locked its
    /// row.
    func outcomeWithoutWork(for job: Job) async throws -> JobOutcome {
        let isWaiting = try await database.read { connection in
            try connection.row(
                """
                SELECT 1 AS n FROM card_events
                WHERE environment_id = ? AND event_id = ? AND is_done = 0 AND is_listed = ?
                """,
                [.id(job.environmentID), .id(job.eventID), .bool(job.id.kind == CardDeliveryJobs.kind)])
                != nil
        }
        return isWaiting ? .release(at: now() + Self.interval) : .done
    }

    /// Stores the error of a failed run in the row of its event, for the Workbench.
    static func record(
        _ result: JobResult, of job: Job, at moment: Timestamp, in connection: any SQLConnection
    ) throws {
        let failure: String
        switch result {
        case .retry(_, let error): failure = error
        case .failed(let error): failure = error ?? ""
        case .done, .again, .released: return
        }
        try connection.execute(
            """
            UPDATE card_events SET failure = ?, updated_at = ?
            WHERE environment_id = ? AND event_id = ? AND is_done = 0
            """, [.text(failure), .moment(moment), .id(job.environmentID), .id(job.eventID)])
    }
}
