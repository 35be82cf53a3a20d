import Foundation
import InlaySQL
import InlayWire
import Logging

extension CardEventService {
    /// The time after which a node looks for events that others left, or took in and have not finished; the shorter
    /// one while another node is at an event.
    private static let interval: (free: Duration, held: Duration) = (.seconds(1), .milliseconds(250))
    /// The time for which an event rests after the first error, and the maximum after more of them in a row.
    private static let rest: (first: Duration, maximum: Duration) = (.seconds(1), .seconds(600))
    /// Searches for an audience, some two hours, after which an event ends with its error.
    static let maximumSearches = 20
    /// Pieces of one event before the next event has its turn.
    private static let turn = 8

    private struct Waiting: Sendable {
        let environmentID: String
        let eventID: String
        let nextAt: Timestamp
        let failures: Int
        let isListed: Bool
        /// The id of the search for its audience in its row.
        let claim = UUID().uuidString

        var key: [String] { [environmentID, eventID] }
    }

    /// One look at all events that are due.
    private struct Round {
        var count = 0
        var isHeld = false
        var failure: (any Error)?
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
            // A segment's query can take seconds, in which other events are delivered. Both end with this task.
            group.addTask { await again(searches, logger) { try await searchAll(logger) } }
            group.addTask { await again(deliveries, logger) { try await deliverAll(logger) } }
        }
    }

    private func again(_ alarm: Alarm, _ logger: Logger, _ work: @Sendable () async throws -> Round) async {
        while !Task.isCancelled {
            var isHeld = false
            do {
                isHeld = try await work().isHeld
            } catch {
                // The next round tries again: nothing of an event is lost by a failure.
                logger.error("Events could not be processed", metadata: ["error": "\(error)"])
            }
            await alarm.sleep(atMost: isHeld ? Self.interval.held : Self.interval.free)
        }
    }

    /// Finds the audiences of the events that wait for theirs; returns how many it found, and throws the last error.
    @discardableResult
    func findAudiences() async throws -> Int {
        let round = try await searchAll(nil)
        if let failure = round.failure { throw failure }
        return round.count
    }

    /// Delivers the events whose audience is known; returns how many pieces it delivered, and throws the last error.
    @discardableResult
    package func resume() async throws -> Int {
        let round = try await deliverAll(nil)
        if let failure = round.failure { throw failure }
        return round.count
    }

    private func searchAll(_ logger: Logger?) async throws -> Round {
        try await forEachWaiting(isListed: false, logger) { event in
            let search = CardAudienceSearch(
                environmentID: event.environmentID, eventID: event.eventID, claim: event.claim, lane: lane,
                segments: segments, usersPerQuery: usersPerQuery, now: now)
            guard try await search.run() else { return 0 }
            deliveries.ring()
            return 1
        }
    }

    private func deliverAll(_ logger: Logger?) async throws -> Round {
        try await forEachWaiting(isListed: true, logger) { event in
            var pieces = 0
            while pieces < Self.turn, !Task.isCancelled,
                let piece = try await deliverNext(event.environmentID, event.eventID)
            {
                pieces += 1
                if piece.isLast { break }
            }
            return pieces
        }
    }

    /// Takes the event that has waited longest, until none is due that this node can take further. An event with an
    /// error rests, and one that another node holds is passed by: the others go on.
    private func forEachWaiting(
        isListed: Bool, _ logger: Logger?, _ body: (Waiting) async throws -> Int
    ) async throws -> Round {
        var round = Round()
        var left: Set<[String]> = []
        while !Task.isCancelled, let event = try await waiting(isListed: isListed, besides: left) {
            do {
                let count = try await body(event)
                round.count += count
                if count == 0 {
                    left.insert(event.key)
                    round.isHeld = true
                }
            } catch let error as SQLError where Self.passing.contains(error.kind) {
                // The database's trouble, or this node's, and not this event's.
                throw error
            } catch {
                left.insert(event.key)
                round.failure = error
                logger?.error(
                    "An event could not be processed",
                    metadata: [
                        "environment": "\(event.environmentID)", "event": "\(event.eventID)",
                        "failures": "\(event.failures + 1)", "error": "\(error)",
                    ])
                do { try await postpone(event, error) } catch { round.failure = error }
            }
        }
        return round
    }

    private static let passing: Set<SQLError.Kind> = [
        .connectionLost, .overloaded, .unresponsive, .closed, .diskFull, .databaseReadOnly, .fileLost,
        .fileFailed,
    ]

    private func waiting(isListed: Bool, besides left: Set<[String]>) async throws -> Waiting? {
        let moment = now()
        return try await database.read { connection in
            try connection.rows(
                """
                SELECT environment_id, event_id, next_at, failures FROM card_events
                WHERE is_done = 0 AND is_listed = ? AND next_at <= ? ORDER BY next_at LIMIT ?
                """, [.bool(isListed), .moment(moment), .int(left.count + 1)]
            ).map {
                Waiting(
                    environmentID: try $0.text("environment_id"), eventID: try $0.text("event_id"),
                    nextAt: try $0.moment("next_at"), failures: try $0.int("failures"), isListed: isListed)
            }.first { !left.contains($0.key) }
        }
    }

    /// Lets an event rest, unless another node has taken it further meanwhile.
    private func postpone(_ event: Waiting, _ error: any Error) async throws {
        let failures = event.failures + 1
        let rest = min(Self.rest.first * (1 << min(failures - 1, 16)), Self.rest.maximum)
        let (moment, isEnd) = (now(), !event.isListed && failures >= Self.maximumSearches)
        let failure = (error as? SQLError).map(\.description) ?? "\(type(of: error))"
        _ = try await lane.write { connection in
            // A claim moves the moment, so an event that is at neither is another node's by now.
            let count = try connection.execute(
                """
                UPDATE card_events SET next_at = ?, failures = ?, failure = ?, is_done = ?, claim = NULL, updated_at = ?,
                    erased_user_ids = CASE WHEN CAST(? AS BIGINT) = 1 THEN '' ELSE erased_user_ids END
                WHERE environment_id = ? AND event_id = ? AND is_done = 0 AND is_listed = ?
                    AND (next_at = ? OR claim = ?)
                """,
                [
                    .moment(moment + rest), .int(failures), .text(failure), .bool(isEnd), .moment(moment),
                    .bool(isEnd),
                    .text(event.environmentID), .text(event.eventID), .bool(event.isListed),
                    .moment(event.nextAt), .text(event.claim),
                ])
            guard isEnd, count == 1 else { return }
            try CardAudience(
                environmentID: event.environmentID, eventID: event.eventID, connection: connection
            ).clear()
        }
    }
}
