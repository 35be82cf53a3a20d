import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// A search for the audience of one event, outside of the writer, that stores the audience in pieces.
///
/// The event's row has the claim of the job that searches. A job that takes over after a node ended writes its own
/// claim, deletes the stored pieces and searches again: no card is made before the audience is complete, and a node
/// that lost its lease stores nothing more.
struct CardAudienceSearch {
    /// The maximum number of users that one query returns and that are in memory at a time: about 25 MB.
    static let usersPerQuery = 200 * CardAudience.pieceSize
    /// The maximum number of pieces that are stored in one transaction: about 100 KB.
    private static let piecesPerWrite = 8

    /// The job, whose claim is the id of this search in the event's row.
    let job: Job
    let lane: any SQLDatabase
    let segments: any UserSegments
    let usersPerQuery: Int
    let now: @Sendable () -> Timestamp

    private var environmentID: EnvironmentID { job.environmentID }
    private var eventID: CardEventID { job.eventID }
    private var claim: String { job.claim }

    private struct SearchStart: Sendable {
        let target: UserTarget
        let position: UserID
    }

    /// The users that one query found, and whether they are the audience's last.
    private struct FoundUsers: Sendable {
        let users: [UserID]
        let isEnd: Bool
    }

    /// Finds and stores the audience. Returns false when another node works on the event, was faster or took over the
    /// job.
    func run() async throws -> Bool {
        guard let start = try await begin() else { return false }
        var (position, number) = (start.position, 0)
        while true {
            let found = try await find(start.target, after: position)
            // The lease may have been lost meanwhile.
            try Task.checkCancellation()
            let pieces = CardAudience.pieces(found.users)
            guard try await store(pieces, from: number, isEnd: found.isEnd) else { return false }
            guard !found.isEnd else { return true }
            position = found.users.last ?? position
            number += pieces.count
        }
    }

    private func begin() async throws -> SearchStart? {
        try await lane.write { connection in
            let key: [SQLValue] = [.id(environmentID), .id(eventID)]
            let row = try connection.row(
                """
                SELECT plan, position, claim FROM card_events
                WHERE environment_id = ? AND event_id = ? AND is_done = 0 AND is_listed = 0 FOR UPDATE SKIP LOCKED
                """, key)
            guard let row else { return nil }
            // The row is locked: a run whose job was taken over must not end the search of the job's new owner.
            let condition = JobQueue.holds(job)
            let count = try connection.execute(
                "UPDATE card_events SET claim = ? WHERE environment_id = ? AND event_id = ? AND \(condition.sql)",
                [.text(claim)] + key + condition.arguments)
            guard count == 1 else { return nil }
            // The pieces are those of an earlier search.
            if try row.optionalText("claim") != nil {
                try CardAudience(
                    environmentID: environmentID, eventID: eventID, connection: connection
                ).clear()
            }
            let plan: CardPlan = try JSONColumn.value(try row.text("plan"))
            return SearchStart(target: plan.target, position: try row.id("position"))
        }
    }

    /// Returns the next users after the last one that this search, or an earlier version of the server, has reached.
    private func find(_ target: UserTarget, after position: UserID) async throws -> FoundUsers {
        switch target {
        case .segment(let id):
            let users = try await segments.users(
                environmentID, segment: id, after: position, limit: usersPerQuery)
            return FoundUsers(users: users, isEnd: users.count < usersPerQuery)
        case .users(let ids):
            return FoundUsers(users: Set(ids).sorted().filter { $0 > position }, isEnd: true)
        case .all, .profile: return FoundUsers(users: [], isEnd: true)
        }
    }

    /// Locks the event's row and returns the users who were erased since the event was sent; `nil` when the claim was
    /// lost.
    ///
    /// An erasure either is in the row already, or waits until this transaction has stored its pieces.
    private func lock(_ connection: any SQLConnection) throws -> Set<UserID>? {
        try connection.row(
            """
            UPDATE card_events SET claim = claim
            WHERE environment_id = ? AND event_id = ? AND claim = ? AND is_listed = 0
            RETURNING erased_user_ids
            """, [.id(environmentID), .id(eventID), .text(claim)]
        ).map(CardAudience.erased)
    }

    /// Stores pieces while the claim holds, at most `piecesPerWrite` in each transaction.
    private func store(_ pieces: [[UserID]], from number: Int, isEnd: Bool) async throws -> Bool {
        var start = 0
        repeat {
            let batch = pieces[start..<min(start + Self.piecesPerWrite, pieces.count)]
            let isLast = isEnd && batch.endIndex == pieces.count
            guard try await store(batch, from: number + start, isEnd: isLast) else { return false }
            start = batch.endIndex
        } while start < pieces.count
        return true
    }

    /// Stores pieces without erased users while the claim holds; the last ones hand the event over to delivery.
    private func store(_ pieces: ArraySlice<[UserID]>, from number: Int, isEnd: Bool) async throws -> Bool {
        let moment = now()
        return try await lane.write { connection in
            guard let erased = try lock(connection) else { return false }
            let remaining =
                erased.isEmpty ? pieces : ArraySlice(pieces.map { $0.filter { !erased.contains($0) } })
            try CardAudience(
                environmentID: environmentID, eventID: eventID, connection: connection
            ).add(remaining, from: number, isEnd: isEnd)
            guard isEnd else { return true }
            try connection.execute(
                """
                UPDATE card_events SET is_listed = 1, claim = NULL, failure = NULL, updated_at = ?,
                    erased_user_ids = ''
                WHERE environment_id = ? AND event_id = ?
                """, [.moment(moment), .id(environmentID), .id(eventID)])
            try CardEventService.enqueue(
                CardDeliveryJobs.kind, environmentID, eventID, at: moment, in: connection)
            return true
        }
    }
}
