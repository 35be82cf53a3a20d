import InlaySQL
package import InlayServerCore
@_spi(Inlay) import InlayWire
import Logging

/// A function that sends changes of feeds to sockets and other nodes, after the commit.
package typealias CardChangeHandler = @Sendable ([LiveChange]) async -> Void

/// A service that makes, replaces and cancels cards.
///
/// An event takes effect once, however often it is sent: its id and its position in the audience are committed
/// together with its cards. Jobs of this or another node finish a delivery that the sender does not wait for or that a
/// crash interrupted: ``CardAudienceJobs`` and ``CardDeliveryJobs``.
package struct CardEventService: Sendable {
    /// The number of users that are reached before the response; the others follow in the background.
    static let usersBeforeResponse = 5_000

    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp
    let onChange: CardChangeHandler
    /// Called when a card was made that changes by itself at a time.
    let wakeJobs: @Sendable () -> Void
    /// The users of the segments that events are sent to.
    let segments: any UserSegments
    /// The write lane of deliveries to many users, so that a send to few does not wait for their pieces. Each piece has
    /// its own transaction: a shared one would lock the rows of several events, in another order than another node.
    let lane: any SQLDatabase
    /// The maximum number of users that one query for a segment returns.
    var usersPerQuery = CardAudienceSearch.usersPerQuery
    /// The queue of the jobs that finish events.
    let jobs: JobQueue

    init(
        database: any SQLDatabase, now: @escaping @Sendable () -> Timestamp,
        onChange: @escaping CardChangeHandler,
        wakeJobs: @escaping @Sendable () -> Void, jobs: JobQueue, segments: any UserSegments = NoSegments()
    ) {
        self.database = database
        self.now = now
        self.onChange = onChange
        self.wakeJobs = wakeJobs
        self.jobs = jobs
        self.segments = segments
        lane = database.lane("card-deliveries", sharesCommits: false)
    }

    /// Stores an event and delivers it; to a large audience, only the first users are reached before the return.
    ///
    /// For a segment it returns before the users are known. Throws ``FieldErrors`` for an invalid event, and `conflict`
    /// when another event has its id.
    @discardableResult
    package func send(_ environmentID: EnvironmentID, _ request: CardEventRequest) async throws
        -> CardEventReceipt
    {
        let moment = now()
        try CardEventCheck.validate(request, at: moment)
        let eventID = request.id ?? CardEventID(UUIDv7.make("evt", at: moment))
        let text = try JSONColumn.text(request)
        let intake = Intake(environmentID: environmentID, eventID: eventID, request: request, text: text)
        let (first, piece) = try await database.write { try accept(intake, at: moment, $0) }
        await announce(piece)
        if first.isComplete { return first }
        // Even if the sender has disconnected, the rest is delivered without a pause.
        defer { jobs.wake() }
        if case .segment = request.target { return first }
        // The event is stored, and a job finishes what fails now: after an error the sender would send it twice.
        return (try? await finish(environmentID, first)) ?? first
    }

    /// Cancels the open cards of a lifecycle id, and ends running deliveries that the request cancels as a
    /// whole: without a target, with the target ``UserTarget/all``, or with the target that they were sent to. Closed
    /// cards stay as they are. Throws ``FieldErrors``.
    package func cancel(
        _ environmentID: EnvironmentID, _ request: CardCancelRequest
    ) async throws -> CardCancelReceipt {
        try CardEventCheck.validate(request)
        try await endDeliveries(environmentID, request)
        guard case .segment(let id) = request.target else {
            return CardCancelReceipt(cards: try await cancel(environmentID, request, among: nil))
        }
        var (cards, position) = (0, UserID.beforeAll)
        while true {
            let users = try await segments.users(
                environmentID, segment: id, after: position, limit: usersPerQuery)
            if let last = users.last {
                let members = CardCancellation.Members(users: Set(users), after: position, last: last)
                cards += try await cancel(environmentID, request, among: members)
                position = last
            }
            if users.count < usersPerQuery { return CardCancelReceipt(cards: cards) }
        }
    }

    /// Ends deliveries before their cards are cancelled, so that no card is made afterwards.
    private func endDeliveries(_ environmentID: EnvironmentID, _ request: CardCancelRequest) async throws {
        // An event to so few users was delivered in one piece, so the request need not wait for the lane of deliveries.
        if case .users(let ids) = request.target, ids.count <= CardAudience.pieceSize { return }
        let moment = now()
        _ = try await lane.write { connection in
            try CardCancellation(
                environmentID: environmentID, request: request, now: moment, connection: connection
            ).endDeliveries()
        }
    }

    private func cancel(
        _ environmentID: EnvironmentID, _ request: CardCancelRequest, among members: CardCancellation.Members?
    ) async throws -> Int {
        // Named users are few: their cards do not wait behind deliveries.
        var writer = lane
        if case .users = request.target { writer = database }
        var cards = 0
        var position = members?.after ?? UserID.beforeAll
        while true {
            let (moment, after) = (now(), position)
            let piece = try await writer.write { connection in
                try CardCancellation(
                    environmentID: environmentID, request: request, members: members, now: moment,
                    connection: connection
                ).next(after: after)
            }
            // The queue is not woken: a cancellation only removes due times.
            if !piece.changes.isEmpty { await onChange(piece.changes) }
            cards += piece.cards
            guard let next = piece.position else { return cards }
            position = next
        }
    }

    /// Returns the latest events, newest first; at most 200.
    package func recent(_ environmentID: EnvironmentID, limit: Int = 50) async throws -> [CardEventRecord] {
        try await database.read { connection in
            try connection.rows(
                """
                SELECT * FROM card_events WHERE environment_id = ? ORDER BY created_at DESC, event_id LIMIT ?
                """, [.id(environmentID), .int(min(max(limit, 1), 200))]
            ).map(CardEventRecord.init)
        }
    }

    private func finish(_ environmentID: EnvironmentID, _ first: CardEventReceipt) async throws
        -> CardEventReceipt
    {
        var reached = CardAudience.pieceSize
        while reached < Self.usersBeforeResponse,
            let piece = try await deliverNext(environmentID, first.eventID), !piece.isLast
        {
            reached += CardAudience.pieceSize
        }
        let receipt = try await database.read { try Self.receipt(environmentID, first.eventID, $0) }
        return receipt ?? first
    }

    private struct Intake {
        let environmentID: EnvironmentID
        let eventID: CardEventID
        let request: CardEventRequest
        let text: String
    }

    /// Stores the event and delivers to the first users, in one transaction.
    private func accept(
        _ intake: Intake, at moment: Timestamp, _ connection: any SQLConnection
    ) throws -> (CardEventReceipt, CardDelivery.Piece?) {
        if let earlier = try Self.earlier(intake, connection) { return (earlier, nil) }
        try checkSegment(intake, connection)
        let plan = try CardPlanner(
            environmentID: intake.environmentID, request: intake.request, eventID: intake.eventID,
            now: moment,
            connection: connection
        ).plan()
        let audience = Audience(intake.request.target)
        var piece: CardDelivery.Piece?
        // Another node may have stored an event with this id since the query above: then that event counts.
        if try Self.insert(intake, plan, isListed: audience != .segment, moment, connection) {
            piece = try deliverFirst(audience, plan, intake, at: moment, connection)
            if piece?.isLast != true {
                let kind = audience == .segment ? CardAudienceJobs.kind : CardDeliveryJobs.kind
                try Self.enqueue(kind, intake.environmentID, intake.eventID, at: moment, in: connection)
            }
        }
        guard let receipt = try Self.earlier(intake, connection) else { throw Problem.notFound("event") }
        return (receipt, piece)
    }

    /// The way in which an event reaches its users.
    private enum Audience: Equatable {
        /// Named users, sorted, without duplicates.
        case named([UserID])
        /// Users that are read from an index, a piece at a time.
        case index
        /// Users that a slow query finds.
        case segment

        init(_ target: UserTarget) {
            switch target {
            case .users(let ids): self = .named(Set(ids).sorted())
            case .all, .profile: self = .index
            case .segment: self = .segment
            }
        }
    }

    private func deliverFirst(
        _ audience: Audience, _ plan: CardPlan, _ intake: Intake, at moment: Timestamp,
        _ connection: any SQLConnection
    ) throws -> CardDelivery.Piece? {
        let delivery = CardDelivery(
            environmentID: intake.environmentID, eventID: intake.eventID, now: moment, connection: connection)
        if plan.parts.isEmpty {
            return try delivery.deliver(plan, to: [], position: .beforeAll, isLast: true)
        }
        switch audience {
        case .segment: return nil
        case .named(let users) where users.count <= CardAudience.pieceSize:
            return try delivery.deliver(plan, to: users, position: .beforeAll, isLast: true)
        case .named(let users):
            let pieces = CardAudience.pieces(users)
            try CardAudience(
                environmentID: intake.environmentID, eventID: intake.eventID, connection: connection
            ).add(pieces[...], from: 0, isEnd: true)
            return try delivery.next()
        case .index: return try delivery.next()
        }
    }

    private func checkSegment(_ intake: Intake, _ connection: any SQLConnection) throws {
        guard case .segment(let id) = intake.request.target,
            try !segments.exists(intake.environmentID, segment: id, in: connection)
        else { return }
        throw FieldErrors("target.segment", "There is no such segment.")
    }

    private static func insert(
        _ intake: Intake, _ plan: CardPlan, isListed: Bool, _ moment: Timestamp,
        _ connection: any SQLConnection
    ) throws -> Bool {
        var plan = plan
        // The pieces name the users; the plan is read again for each piece.
        if case .users = plan.target { plan.target = .users([]) }
        return try connection.insert(
            into: "card_events",
            [
                "environment_id": .id(intake.environmentID), "event_id": .id(intake.eventID),
                "name": .text(intake.request.name), "request": .text(intake.text),
                "plan": .text(try JSONColumn.text(plan)), "position": "", "cards": 0, "is_done": 0,
                "is_listed": .bool(isListed), "created_at": .moment(moment),
                "updated_at": .moment(moment),
            ], onConflict: .ignore(key: ["environment_id", "event_id"])) == 1
    }

    /// Returns the receipt for a copy; throws `conflict` when another event has the id.
    private static func earlier(
        _ intake: Intake, _ connection: any SQLConnection
    ) throws -> CardEventReceipt? {
        let row = try connection.row(
            "SELECT request FROM card_events WHERE environment_id = ? AND event_id = ?",
            [.id(intake.environmentID), .id(intake.eventID)])
        guard let row else { return nil }
        guard try row.text("request") == intake.text else {
            throw Problem(
                .conflict, status: 409, title: "Another event was sent with this id.",
                detail: "Use a new id for every event; repeat one only with the same body.")
        }
        return try receipt(intake.environmentID, intake.eventID, connection)
    }

    private static func receipt(
        _ environmentID: EnvironmentID, _ eventID: CardEventID, _ connection: any SQLConnection
    ) throws -> CardEventReceipt? {
        try connection.row(
            "SELECT * FROM card_events WHERE environment_id = ? AND event_id = ?",
            [.id(environmentID), .id(eventID)]
        ).map { try CardEventRecord($0).receipt }
    }
}
