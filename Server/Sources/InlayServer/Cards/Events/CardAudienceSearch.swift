import Foundation
import InlaySQL
import InlayWire

/// Finds the audience of one event with one statement outside of the writer, and stores it in pieces.
///
/// A node claims the event first and extends its claim while the statement runs. When the node ends, another claims the
/// event after ``lease`` at most, drops what was stored and asks anew: no card was made before the audience is whole.
struct CardAudienceSearch {
    /// The time for which a claim holds without being extended.
    static let lease: Duration = .seconds(3)
    /// Pieces that are stored in one transaction: some 100 KB.
    private static let piecesPerWrite = 8

    let environmentID: String
    let eventID: String
    let lane: CardDeliveryLane
    let segments: any UserSegments
    let now: @Sendable () -> Timestamp
    private let claim = UUID().uuidString

    init(
        _ environmentID: String, _ eventID: String, lane: CardDeliveryLane, segments: any UserSegments,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.environmentID = environmentID
        self.eventID = eventID
        self.lane = lane
        self.segments = segments
        self.now = now
    }

    private struct Claimed: Sendable {
        let target: UserTarget
        let position: String
    }

    /// Returns whether the audience was stored; false when another node is at it or was faster.
    func run() async throws -> Bool {
        guard let claimed = try await claimEvent() else { return false }
        guard let users = try await whileExtending({ try await find(claimed) }) else { return false }
        let pieces = CardAudience.pieces(users)
        for start in stride(from: 0, to: pieces.count, by: Self.piecesPerWrite) {
            let some = pieces[start..<min(start + Self.piecesPerWrite, pieces.count)]
            guard try await store(some, isEnd: some.endIndex == pieces.count) else { return false }
        }
        return pieces.isEmpty ? try await store([], isEnd: true) : true
    }

    private func claimEvent() async throws -> Claimed? {
        let (moment, end) = (now(), now() + Self.lease)
        return try await lane.write { connection in
            let row = try connection.row(
                """
                UPDATE card_events SET claim = ?, next_at = ?
                WHERE environment_id = ? AND event_id = ? AND is_done = 0 AND is_listed = 0 AND next_at <= ?
                RETURNING plan, position
                """,
                [.text(claim), .moment(end), .text(environmentID), .text(eventID), .moment(moment)])
            guard let row else { return nil }
            try CardAudience(
                environmentID: environmentID, eventID: eventID, connection: connection
            ).clear()
            let plan: CardPlan = try CardJSON.value(try row.text("plan"))
            return Claimed(target: plan.target, position: try row.text("position"))
        }
    }

    /// Those behind the place that an earlier version of the server has reached.
    private func find(_ claimed: Claimed) async throws -> [String] {
        let users: [String] =
            switch claimed.target {
            case .segment(let id): try await segments.users(environmentID, segment: id)
            case .users(let ids): Set(ids).sorted()
            case .all, .profile: []
            }
        return users.filter { $0 > claimed.position }
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
        try await lane.write { try extend($0) }
    }

    private func extend(_ connection: any SQLConnection) throws -> Bool {
        try connection.execute(
            """
            UPDATE card_events SET next_at = ?
            WHERE environment_id = ? AND event_id = ? AND claim = ? AND is_listed = 0
            """, [.moment(now() + Self.lease), .text(environmentID), .text(eventID), .text(claim)]) == 1
    }

    /// Stores pieces while the claim holds; the last ones hand the event over to delivery.
    private func store(_ pieces: ArraySlice<[String]>, isEnd: Bool) async throws -> Bool {
        let moment = now()
        return try await lane.write { connection in
            guard try extend(connection) else { return false }
            if !pieces.isEmpty {
                try CardAudience(
                    environmentID: environmentID, eventID: eventID, connection: connection
                ).add(pieces, isEnd: isEnd)
            }
            guard isEnd else { return true }
            try connection.execute(
                """
                UPDATE card_events SET is_listed = 1, claim = NULL, next_at = ?, updated_at = ?
                WHERE environment_id = ? AND event_id = ?
                """, [.moment(moment), .moment(moment), .text(environmentID), .text(eventID)])
            return true
        }
    }
}
