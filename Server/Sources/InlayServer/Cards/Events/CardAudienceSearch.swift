import InlaySQL
import InlayWire

/// Finds the audience of one event outside of the writer, and stores it in pieces.
///
/// A node claims the event first and extends its claim while a query runs. When the node ends, another claims the
/// event after ``lease`` at most, drops what was stored and asks anew: no card was made before the audience is whole.
struct CardAudienceSearch {
    /// The time for which a claim holds without being extended.
    static let lease: Duration = .seconds(3)
    /// Users that one query returns, and that are in memory at a time: some 25 MB.
    static let usersPerQuery = 200 * CardAudience.pieceSize
    /// Pieces that are stored in one transaction: some 100 KB.
    private static let piecesPerWrite = 8

    let environmentID: String
    let eventID: String
    /// The id of this search in the event's row.
    let claim: String
    let lane: any SQLDatabase
    let segments: any UserSegments
    let usersPerQuery: Int
    let now: @Sendable () -> Timestamp

    private struct Claimed: Sendable {
        let target: UserTarget
        let position: String
    }

    /// Some users of the audience, and whether they are its last.
    private struct Found: Sendable {
        let users: [String]
        let isEnd: Bool
    }

    /// Returns whether the audience was stored; false when another node is at it or was faster.
    func run() async throws -> Bool {
        guard let claimed = try await claimEvent() else { return false }
        var (position, number) = (claimed.position, 0)
        while true {
            let (target, after) = (claimed.target, position)
            guard let found = try await whileExtending({ try await find(target, after: after) }) else {
                return false
            }
            let pieces = CardAudience.pieces(found.users)
            guard try await store(pieces, from: number, isEnd: found.isEnd) else { return false }
            guard !found.isEnd else { return true }
            position = found.users.last ?? position
            number += pieces.count
        }
    }

    private func claimEvent() async throws -> Claimed? {
        let (moment, end) = (now(), now() + Self.lease)
        return try await lane.write { connection in
            let row = try connection.row(
                """
                UPDATE card_events SET claim = ?, next_at = ?
                WHERE environment_id = ? AND event_id IN (
                    SELECT event_id FROM card_events
                    WHERE environment_id = ? AND event_id = ? AND is_done = 0 AND is_listed = 0 AND next_at <= ?
                    FOR UPDATE SKIP LOCKED)
                RETURNING plan, position
                """,
                [
                    .text(claim), .moment(end), .text(environmentID), .text(environmentID), .text(eventID),
                    .moment(moment),
                ])
            guard let row else { return nil }
            try CardAudience(
                environmentID: environmentID, eventID: eventID, connection: connection
            ).clear()
            let plan: CardPlan = try CardJSON.value(try row.text("plan"))
            return Claimed(target: plan.target, position: try row.text("position"))
        }
    }

    /// The next users behind the one whom this search, or an earlier version of the server, has reached.
    private func find(_ target: UserTarget, after position: String) async throws -> Found {
        switch target {
        case .segment(let id):
            let users = try await segments.users(
                environmentID, segment: id, after: position, limit: usersPerQuery)
            return Found(users: users, isEnd: users.count < usersPerQuery)
        case .users(let ids): return Found(users: Set(ids).sorted().filter { $0 > position }, isEnd: true)
        case .all, .profile: return Found(users: [], isEnd: true)
        }
    }

    /// Runs the body and extends the claim meanwhile; `nil` when the claim was lost.
    private func whileExtending<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await body() }
            group.addTask {
                for await _ in Ticks(every: .seconds(1)) {
                    // A failed extension is tried again; only another node's claim ends this one.
                    if case false? = try? await extend() { return nil }
                }
                return nil
            }
            return try await group.next() ?? nil
        }
    }

    private func extend() async throws -> Bool {
        try await lane.write { try extend($0) != nil }
    }

    /// Extends the claim and returns the users who were erased since the event was sent; `nil` when the claim was lost.
    ///
    /// Locks the event's row, so that an erasure either is known here or waits until what follows is stored.
    private func extend(_ connection: any SQLConnection) throws -> Set<String>? {
        try connection.row(
            """
            UPDATE card_events SET next_at = ?
            WHERE environment_id = ? AND event_id = ? AND claim = ? AND is_listed = 0
            RETURNING erased_user_ids
            """, [.moment(now() + Self.lease), .text(environmentID), .text(eventID), .text(claim)]
        ).map(CardAudience.erased)
    }

    /// Stores pieces while the claim holds, some in each transaction.
    private func store(_ pieces: [[String]], from number: Int, isEnd: Bool) async throws -> Bool {
        var start = 0
        repeat {
            let some = pieces[start..<min(start + Self.piecesPerWrite, pieces.count)]
            let isLast = isEnd && some.endIndex == pieces.count
            guard try await store(some, from: number + start, isEnd: isLast) else { return false }
            start = some.endIndex
        } while start < pieces.count
        return true
    }

    /// Stores pieces without erased users while the claim holds; the last ones hand the event over to delivery.
    private func store(_ pieces: ArraySlice<[String]>, from number: Int, isEnd: Bool) async throws -> Bool {
        let moment = now()
        return try await lane.write { connection in
            guard let erased = try extend(connection) else { return false }
            let kept = erased.isEmpty ? pieces : ArraySlice(pieces.map { $0.filter { !erased.contains($0) } })
            try CardAudience(
                environmentID: environmentID, eventID: eventID, connection: connection
            ).add(kept, from: number, isEnd: isEnd)
            guard isEnd else { return true }
            try connection.execute(
                """
                UPDATE card_events SET is_listed = 1, claim = NULL, failures = 0, failure = NULL, next_at = ?,
                    updated_at = ?, erased_user_ids = ''
                WHERE environment_id = ? AND event_id = ?
                """, [.moment(moment), .moment(moment), .text(environmentID), .text(eventID)])
            return true
        }
    }
}
