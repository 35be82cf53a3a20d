import InlaySQL
import InlayWire
import Logging

extension CardEventService {
    /// The time after which a node looks for events that others left, or took in and have not finished.
    private static let interval: Duration = .seconds(1)
    /// The minimum and maximum time for which an event rests after an error.
    private static let rest: (minimum: Duration, maximum: Duration) = (.seconds(10), .seconds(600))
    /// Pieces of one event before the next event has its turn.
    private static let turn = 8

    private struct Waiting: Sendable {
        let environmentID: String
        let eventID: String
        let createdAt: Timestamp
    }

    /// Ends the waits of ``run(_:)`` on this node.
    func wake() {
        searches.ring()
        deliveries.ring()
    }

    /// Finds audiences and delivers events until the task is cancelled. Call it once.
    ///
    /// All nodes deliver all unfinished events together, each the next piece: where one ends, the others go on.
    func run(_ logger: Logger) async {
        await withDiscardingTaskGroup { group in
            // A segment's query can take seconds, in which other events are delivered.
            group.addTask { await again(searches, logger) { try await findAudiences() } }
            group.addTask { await again(deliveries, logger) { try await resume() } }
        }
    }

    private func again(
        _ alarm: Alarm, _ logger: Logger, _ work: @Sendable () async throws -> Int
    ) async {
        while !Task.isCancelled {
            do {
                _ = try await work()
            } catch {
                logger.error("An event could not be finished", metadata: ["error": "\(error)"])
            }
            await alarm.sleep(atMost: Self.interval)
        }
    }

    /// Finds the audiences of the events that wait for theirs; returns how many it found.
    @discardableResult
    func findAudiences() async throws -> Int {
        try await forEachWaiting(isListed: false) { event in
            let search = CardAudienceSearch(
                event.environmentID, event.eventID, lane: lane, segments: segments, now: now)
            guard try await search.run() else { return 0 }
            deliveries.ring()
            return 1
        }
    }

    /// Delivers the events whose audience is known; returns how many pieces it delivered.
    @discardableResult
    package func resume() async throws -> Int {
        try await forEachWaiting(isListed: true) { event in
            var pieces = 0
            while pieces < Self.turn, !Task.isCancelled {
                let isLeft = try await deliverNext(event.environmentID, event.eventID)
                pieces += 1
                if !isLeft { break }
            }
            return pieces
        }
    }

    /// Takes the event that has waited longest, until none is due. An event with an error rests, and the others go on.
    private func forEachWaiting(
        isListed: Bool, _ body: (Waiting) async throws -> Int
    ) async throws -> Int {
        var (count, failure) = (0, (any Error)?.none)
        while !Task.isCancelled, let event = try await waiting(isListed: isListed) {
            do {
                count += try await body(event)
            } catch let error as SQLError where Self.passing.contains(error.kind) {
                // This node's trouble: another node may go on at once.
                throw error
            } catch {
                failure = error
                try await postpone(event)
            }
        }
        if let failure { throw failure }
        return count
    }

    private static let passing: Set<SQLError.Kind> = [.connectionLost, .conflict, .overloaded, .closed]

    private func waiting(isListed: Bool) async throws -> Waiting? {
        let moment = now()
        return try await database.read { connection in
            try connection.row(
                """
                SELECT environment_id, event_id, created_at FROM card_events
                WHERE is_done = 0 AND is_listed = ? AND next_at <= ? ORDER BY next_at LIMIT 1
                """, [.bool(isListed), .moment(moment)]
            ).map {
                Waiting(
                    environmentID: try $0.text("environment_id"), eventID: try $0.text("event_id"),
                    createdAt: try $0.moment("created_at"))
            }
        }
    }

    private func postpone(_ event: Waiting) async throws {
        let moment = now()
        // The longer an event has failed, the longer it rests: its query may be too long for every try.
        let rest = min(max((moment - event.createdAt) / 2, Self.rest.minimum), Self.rest.maximum)
        let next = moment + rest
        _ = try await lane.write { connection in
            try connection.execute(
                "UPDATE card_events SET next_at = ? WHERE environment_id = ? AND event_id = ? AND is_done = 0",
                [.moment(next), .text(event.environmentID), .text(event.eventID)])
        }
    }
}
