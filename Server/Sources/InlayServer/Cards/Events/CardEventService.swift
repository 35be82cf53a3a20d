import InlaySQL
import InlayWire
import Logging

/// Tells sockets and other nodes what changed, after the commit.
package typealias CardNews = @Sendable ([LiveChange]) async -> Void

/// Makes cards from events, replaces them and takes them back.
///
/// An event takes effect once, however often it is sent: its id and the place it has reached are committed
/// together with its cards. What a crash interrupts is finished by ``resume()``, here or on another node.
package struct CardEventService: Sendable {
    /// Users reached before the sender is answered; the rest follows in the background.
    static let answeredAfter = 5_000
    /// How long an unfinished event must have stood still before someone else goes on with it.
    static let abandonedAfter: Duration = .seconds(10)

    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp
    let news: CardNews
    /// Called when a card was made that the clock may have to look at.
    let wakeClock: @Sendable () -> Void
    /// Who is in a segment that an event is sent to.
    var segments: any UserSegments = NoSegments()

    /// Takes an event in and delivers it.
    ///
    /// Throws ``FieldErrors`` for what is wrong with it, and `conflict` when another event has its id.
    @discardableResult
    package func send(_ environmentID: String, _ request: CardEventRequest) async throws -> CardEventReceipt {
        let moment = now()
        try CardEventCheck.validate(request, at: moment)
        let eventID = request.id ?? CardID.make("evt", at: moment)
        let text = try CardJSON.text(request)
        let intake = Intake(environmentID: environmentID, eventID: eventID, request: request, text: text)
        let (first, news) = try await database.write { try takeIn(intake, at: moment, $0) }
        await tell(news)
        return first.isComplete ? first : try await finish(environmentID, first)
    }

    /// Takes back the open cards of a lifecycle id; closed ones stay as they are. Throws ``FieldErrors``.
    package func cancel(
        _ environmentID: String, _ request: CardCancelRequest
    ) async throws -> CardCancelReceipt {
        try CardEventCheck.validate(request)
        var cards = 0
        var position = ""
        while true {
            let moment = now()
            let after = position
            let piece = try await database.write { connection in
                try CardCancellation(
                    environmentID: environmentID, request: request, now: moment, connection: connection,
                    segments: segments
                ).next(after: after)
            }
            await tell(piece.news)
            cards += piece.cards
            guard let next = piece.position else { return CardCancelReceipt(cards: cards) }
            position = next
        }
    }

    /// The latest events, newest first; at most 200.
    package func recent(_ environmentID: String, limit: Int = 50) async throws -> [CardEventRecord] {
        try await database.read { connection in
            try connection.rows(
                """
                SELECT * FROM card_events WHERE environment_id = ? ORDER BY created_at DESC, event_id LIMIT ?
                """, [.text(environmentID), .int(min(max(limit, 1), 200))]
            ).map(CardEventRecord.init)
        }
    }

    /// Finishes events that were left standing; returns how many pieces it delivered.
    @discardableResult
    package func resume() async throws -> Int {
        let abandoned = now() + .microseconds(-Self.abandonedAfter.microseconds)
        var pieces = 0
        while !Task.isCancelled {
            let event = try await database.read { connection in
                try connection.row(
                    """
                    SELECT environment_id, event_id FROM card_events WHERE is_done = 0 AND updated_at <= ?
                    ORDER BY updated_at LIMIT 1
                    """, [.moment(abandoned)]
                ).map { (try $0.text("environment_id"), try $0.text("event_id")) }
            }
            guard let (environmentID, eventID) = event else { return pieces }
            do {
                while !Task.isCancelled, try await deliverNext(environmentID, eventID) { pieces += 1 }
            } catch {
                // One event that cannot go on must not keep the others waiting behind it.
                try await postpone(environmentID, eventID)
                throw error
            }
        }
        return pieces
    }

    private func postpone(_ environmentID: String, _ eventID: String) async throws {
        let moment = now()
        _ = try await database.write { connection in
            try connection.execute(
                "UPDATE card_events SET updated_at = ? WHERE environment_id = ? AND event_id = ? AND is_done = 0",
                [.moment(moment), .text(environmentID), .text(eventID)])
        }
    }

    private func finish(_ environmentID: String, _ first: CardEventReceipt) async throws -> CardEventReceipt {
        var reached = CardDelivery.pieceSize
        while reached < Self.answeredAfter, try await deliverNext(environmentID, first.eventID) {
            reached += CardDelivery.pieceSize
        }
        let receipt = try await database.read { try Self.receipt(environmentID, first.eventID, $0) }
        return receipt ?? first
    }

    /// Delivers one piece; false when there is none left or someone else is at it.
    private func deliverNext(_ environmentID: String, _ eventID: String) async throws -> Bool {
        let moment = now()
        let piece = try await database.write { connection -> CardDelivery.Piece? in
            let row = try connection.row(
                "SELECT plan, position FROM card_events WHERE environment_id = ? AND event_id = ? AND is_done = 0",
                [.text(environmentID), .text(eventID)])
            guard let row else { return nil }
            return try CardDelivery(
                environmentID: environmentID, eventID: eventID, plan: CardJSON.value(row.text("plan")),
                now: moment, connection: connection, segments: segments
            ).next(after: try row.text("position"))
        }
        await tell(piece?.news ?? [])
        return piece.map { !$0.isLast } ?? false
    }

    private func tell(_ news: [LiveChange]) async {
        wakeClock()
        if !news.isEmpty { await self.news(news) }
    }

    private struct Intake {
        let environmentID: String
        let eventID: String
        let request: CardEventRequest
        let text: String
    }

    /// Keeps the event and reaches the first users, in one transaction.
    private func takeIn(
        _ intake: Intake, at moment: Timestamp, _ connection: any SQLConnection
    ) throws -> (CardEventReceipt, [LiveChange]) {
        if let earlier = try Self.earlier(intake, connection) { return (earlier, []) }
        try checkSegment(intake, connection)
        let plan = try CardPlanner(
            environmentID: intake.environmentID, request: intake.request, eventID: intake.eventID,
            now: moment,
            connection: connection
        ).plan()
        var news: [LiveChange] = []
        // Where another node was faster since the question above, its event is the one that counts.
        if try Self.insert(intake, plan, moment, connection) {
            let piece = try CardDelivery(
                environmentID: intake.environmentID, eventID: intake.eventID, plan: plan, now: moment,
                connection: connection, segments: segments
            ).next(after: "")
            news = piece?.news ?? []
        }
        guard let receipt = try Self.earlier(intake, connection) else { throw Problem.notFound("event") }
        return (receipt, news)
    }

    private func checkSegment(_ intake: Intake, _ connection: any SQLConnection) throws {
        guard case .segment(let id) = intake.request.target,
            try !segments.exists(intake.environmentID, segment: id, in: connection)
        else { return }
        throw FieldErrors("target.segment", "There is no such segment.")
    }

    private static func insert(
        _ intake: Intake, _ plan: CardPlan, _ moment: Timestamp, _ connection: any SQLConnection
    ) throws -> Bool {
        try connection.execute(
            """
            INSERT INTO card_events (environment_id, event_id, name, request, plan, position, cards, is_done,
                created_at, updated_at) VALUES (?, ?, ?, ?, ?, '', 0, 0, ?, ?)
            ON CONFLICT (environment_id, event_id) DO NOTHING
            """,
            [
                .text(intake.environmentID), .text(intake.eventID), .text(intake.request.name),
                .text(intake.text),
                .text(try CardJSON.text(plan)), .moment(moment), .moment(moment),
            ]) == 1
    }

    /// The answer to a copy; throws `conflict` when the id was used for something else.
    private static func earlier(
        _ intake: Intake, _ connection: any SQLConnection
    ) throws -> CardEventReceipt? {
        let row = try connection.row(
            "SELECT request FROM card_events WHERE environment_id = ? AND event_id = ?",
            [.text(intake.environmentID), .text(intake.eventID)])
        guard let row else { return nil }
        guard try row.text("request") == intake.text else {
            throw Problem(
                .conflict, status: 409, title: "Another event was sent with this id.",
                detail: "Use a new id for every event; repeat one only with the same body.")
        }
        return try receipt(intake.environmentID, intake.eventID, connection)
    }

    private static func receipt(
        _ environmentID: String, _ eventID: String, _ connection: any SQLConnection
    ) throws -> CardEventReceipt? {
        try connection.row(
            "SELECT * FROM card_events WHERE environment_id = ? AND event_id = ?",
            [.text(environmentID), .text(eventID)]
        ).map { try CardEventRecord($0).receipt }
    }
}
