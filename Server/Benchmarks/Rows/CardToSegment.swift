import Foundation
import InlayAdsServer
import InlayBehaviorsServer
import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// A measurement of cards that are sent to all users of a segment over the public route, and of the response times of
/// single cards during the delivery.
struct CardToSegment {
    /// The script that starts a PostgreSQL.
    let postgres: String
    /// The number of users of each segment.
    let sizes: [Int]
    /// The number of events that the segment's query searches.
    let events: Int
    /// The time during which only single cards are sent; also the minimum time of the deliveries to a segment.
    let seconds: Int

    private struct Delivery {
        /// The time until the sender's response.
        let answer: Duration
        /// The time until the last user's row.
        let whole: Duration
        /// The longest time between two pieces.
        var maximumInterval: Duration
        /// The single cards that were sent during the delivery.
        var singles: SteadyRequests.Outcome?
    }

    private struct Outcome {
        /// The single cards that were sent without a delivery.
        let quiet: SteadyRequests.Outcome
        let deliveries: [Delivery]
        /// The number of statements for each thousand users, counted by PostgreSQL; `nil` on SQLite.
        var statements: Double?
    }

    func measure() async throws -> [BenchRow] {
        let sqlite = try await outcome(on: nil)
        let shared = try await outcome(on: postgres)
        return sizes.indices.flatMap { index in
            rows(index, shared, beside: sqlite) + rows(index, sqlite, beside: nil)
        }
    }

    private func rows(_ index: Int, _ outcome: Outcome, beside peer: Outcome?) -> [BenchRow] {
        let (size, delivery) = (sizes[index], outcome.deliveries[index])
        let seconds = delivery.whole / .seconds(1)
        let quiet = outcome.quiet.p99Millis
        var rows = [
            BenchRow(
                name: "card to a segment of \(size), \(peer == nil ? "SQLite" : "PostgreSQL")",
                // 100,000 users in 15 s.
                value: Double(size) / seconds, unit: "users/s", budget: 100_000 / 15,
                peer: peer.map {
                    BenchRow.Peer(
                        name: "SQLite", value: Double(size) / ($0.deliveries[index].whole / .seconds(1)))
                }),
            BenchRow(name: "  until the last user's row", value: seconds, unit: "s", better: .lower),
            BenchRow(
                name: "  until the sender has the answer", value: delivery.answer / .milliseconds(1),
                unit: "ms", better: .lower, peer: .init(name: "a single card's p99, alone", value: quiet)),
            BenchRow(
                name: "  longest time between two pieces", value: delivery.maximumInterval / .seconds(1),
                unit: "s",
                budget: 1, better: .lower),
        ]
        if let singles = delivery.singles {
            rows += [
                BenchRow(
                    name: "  single cards meanwhile, p99", value: singles.p99Millis, unit: "ms",
                    // There is no budget on SQLite, which has one writer for all.
                    budget: peer.map { _ in 1.5 * quiet }, better: .lower,
                    peer: .init(name: "alone", value: quiet)),
                BenchRow(
                    name: "  longest time between two of them", value: singles.maximumInterval / .seconds(1),
                    unit: "s",
                    budget: 1, better: .lower,
                    peer: .init(name: "alone", value: outcome.quiet.maximumInterval / .seconds(1))),
            ]
        }
        if index == sizes.count - 1, let statements = outcome.statements {
            rows.append(
                BenchRow(
                    name: "  statements for 1,000 users", value: statements, unit: "", budget: 20,
                    better: .lower))
        }
        return rows
    }

    private func outcome(on script: String?) async throws -> Outcome {
        let users = sizes.reduce(0, +)
        let server = try await RunningServer(
            SeedOptions(users: users, cards: 1, events: events, segments: sizes), postgres: script,
            settings: [
                "shared_preload_libraries = 'pg_stat_statements'", "pg_stat_statements.track_utility = off",
            ])
        defer { server.stop() }
        let backend = try Backend(server.access)
        let database = try await SQLDatabaseURL.open(server.databaseURL)
        defer { database.close() }
        let singles = SteadyRequests { number in
            try await backend.publish(
                BenchSeed.eventNames[1], to: ServerAccess.user(number * 7_919 % users),
                lifecycle: UUID().uuidString, title: "Single \(number)")
        }
        // Opens connections and prepares statements before the measurement.
        _ = try await singles.run(seconds: 1)
        let quiet = try await singles.run(seconds: seconds)
        var deliveries: [Delivery] = []
        for index in sizes.indices {
            let (delivery, outcome) = try await singles.run {
                try await deliverRepeatedly(to: index, backend, database)
            }
            deliveries.append(delivery)
            deliveries[index].singles = outcome
        }
        guard script != nil else { return Outcome(quiet: quiet, deliveries: deliveries) }
        return Outcome(
            quiet: quiet, deliveries: deliveries, statements: try await statements(backend, database))
    }

    /// Delivers to a segment, one event after another, for as long as single cards were sent without deliveries. Only
    /// about fifty single cards fit into one delivery, and their 99th percentile would be the slowest of them.
    ///
    /// - Returns: The first delivery, with the longest time between two pieces of all deliveries.
    private func deliverRepeatedly(
        to index: Int, _ backend: Backend, _ database: any SQLDatabase
    ) async throws -> Delivery {
        let end = ContinuousClock.now + .seconds(seconds)
        var delivery = try await deliver("event-\(index)-0", to: index, backend, database)
        var number = 1
        while ContinuousClock.now < end {
            let next = try await deliver("event-\(index)-\(number)", to: index, backend, database)
            delivery.maximumInterval = max(delivery.maximumInterval, next.maximumInterval)
            number += 1
        }
        return delivery
    }

    /// Sends a card to a segment and polls the event until all users have it.
    private func deliver(
        _ event: String, to index: Int, _ backend: Backend, _ database: any SQLDatabase
    ) async throws -> Delivery {
        let start = ContinuousClock.now
        try await backend.send([
            "id": .string(event), "name": .string(BenchSeed.eventNames[0]),
            "target": ["segment": .string(ServerAccess.segment(index))],
        ])
        let answer = ContinuousClock.now - start
        var cards = 0
        var pieceTimes: [ContinuousClock.Instant] = []
        while true {
            let state = try await Self.state(of: event, database)
            if state.cards > cards { pieceTimes.append(.now) }
            cards = state.cards
            if state.isDone { break }
            guard ContinuousClock.now - start < .seconds(600) else {
                throw BenchError("Only \(cards) of \(sizes[index]) users were reached in ten minutes.")
            }
            // Short, so that no piece is missed: the server writes about 40 pieces per second.
            try await Task.sleep(for: .milliseconds(5))
        }
        let whole = ContinuousClock.now - start
        guard cards == sizes[index] else {
            throw BenchError("\(cards) users were reached, and the segment has \(sizes[index]).")
        }
        let pauses = zip(pieceTimes, pieceTimes.dropFirst()).map { $1 - $0 }
        return Delivery(answer: answer, whole: whole, maximumInterval: pauses.max() ?? .zero)
    }

    private static func state(
        of event: String, _ database: any SQLDatabase
    ) async throws -> (cards: Int, isDone: Bool) {
        try await database.read { connection in
            let row = try connection.row(
                "SELECT cards, is_done FROM card_events WHERE environment_id = ? AND event_id = ?",
                [.id(ServerAccess.environment), .text(event)])
            return (try row?.int("cards") ?? 0, try row?.bool("is_done") ?? false)
        }
    }

    /// Delivers to the last segment once more, without single cards, and returns the number of statements about cards
    /// for 1,000 users. It includes those of the job that ends embargoes and snoozes.
    private func statements(_ backend: Backend, _ database: any SQLDatabase) async throws -> Double {
        try await database.write { connection in
            try connection.execute("CREATE EXTENSION pg_stat_statements")
            _ = try connection.rows("SELECT 1 AS one FROM pg_stat_statements_reset()")
        }
        _ = try await deliver("counted", to: sizes.count - 1, backend, database)
        let counts = try await database.read { connection in
            try connection.row(
                """
                SELECT CAST(SUM(calls) AS BIGINT) AS n,
                    CAST(SUM(CASE WHEN query LIKE '%behavior_events%' THEN calls ELSE 0 END) AS BIGINT) AS searches
                FROM pg_stat_statements WHERE query NOT LIKE 'SELECT cards, is_done%'
                    AND (query LIKE '%card%' OR query LIKE '%behavior_events%')
                """
            ).map { (all: try $0.int("n"), searches: try $0.int("searches")) }
        }
        guard let counts, counts.searches == 1 else {
            throw BenchError("The segment's users were searched \(counts?.searches ?? 0) times.")
        }
        return Double(counts.all) * 1_000 / Double(sizes[sizes.count - 1])
    }
}
