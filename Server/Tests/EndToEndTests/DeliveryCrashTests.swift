import Foundation
import InlaySQL
import InlaySQLTesting
import InlayServer
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayBehaviorsServer
@testable import InlayCardsServer
@testable import InlayServerCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Tests of two servers on one PostgreSQL, one of which is killed during a delivery.
@Suite(.serialized) struct DeliveryCrashTests {
    private static let users = 20_000

    @Test(.timeLimit(.minutes(5)))
    func `after a node is killed during a delivery, each user has exactly one card`() async throws {
        try await TestDatabase.withURL(.postgresql) { url in
            let folder = try TemporaryFolder()
            let sender = try await RunningServer.start(on: url)
            let environmentID = RunningServer.environmentID
            let database = sender.server.services.database
            let ids = (0..<Self.users).map { UserID("user-\($0)") }
            let moment = sender.server.services.now()
            _ = try await database.write { try UserStore.ensure(environmentID, ids, at: moment, in: $0) }
            let rule = SegmentRule([SegmentCondition(.init(code: 16, days: 7), isNot: true)])
            let segment = try await sender.server.features.behaviors.segments.save(
                environmentID, name: "All", rule)
            let key = try await sender.server.services.environments.addSecretKey(
                environmentID, name: "backend")
            await sender.stop()
            let killed = try await ServerProcess.start(on: url, in: folder)
            let watch = try await SQLDatabaseURL.open(url)
            defer { watch.close() }
            // Another transaction has locked a feed, so the delivery waits in its middle.
            let (locked, release) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
            async let lock: Void = watch.write { connection in
                try connection.execute(
                    """
                    INSERT INTO card_feeds (environment_id, user_id, container_id, version, had_cards, next_due_at)
                    VALUES (?, 'user-5000', ?, 0, 0, NULL)
                    """, [.id(environmentID), .text(RunningServer.containerID)])
                locked.continuation.yield()
                release.wait()
            }
            defer { release.signal() }
            for await _ in locked.stream { break }

            try await Self.send(toSegment: segment.id, secret: key.secret, killed.address)
            // The delivery is in the middle of a batch, whose cards must be rolled back.
            try await eventually { try await Self.lockWaits(watch) == 1 }
            try await killed.crash()
            let other = try await ServerProcess.start(on: url, in: folder)
            let half = try await Self.event(watch)
            #expect(half.cards > 1_000 && !half.isDone)
            release.signal()
            try await lock
            try await eventually { try await Self.event(watch).isDone }
            let reached = try await watch.read {
                try $0.row("SELECT COUNT(*) AS n, COUNT(DISTINCT user_id) AS users FROM card_instances")
                    .map { [try $0.int("n"), try $0.int("users")] }
            }
            #expect(reached == [Self.users, Self.users])
            try await other.crash()
        }
    }

    private static func send(toSegment id: SegmentID, secret: String, _ address: URL) async throws {
        var request = URLRequest(url: address.appendingPathComponent("v1/events"))
        request.httpMethod = "POST"
        request.setValue("Bearer \(secret)", forHTTPHeaderField: "Authorization")
        request.setValue(RunningServer.environmentID.rawValue, forHTTPHeaderField: "Inlay-Environment")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONEncoder().encode(CardEventRequest(name: "hello", target: .segment(id)))
        let (_, response) = try await URLSession.shared.data(for: request)
        #expect((response as? HTTPURLResponse)?.statusCode == 202)
    }

    /// Returns the number of connections that wait for a lock.
    private static func lockWaits(_ database: any SQLDatabase) async throws -> Int {
        try await database.read {
            try $0.row(
                """
                SELECT COUNT(*) AS n FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event_type = 'Lock'
                """)?.int("n") ?? 0
        }
    }

    private static func event(_ database: any SQLDatabase) async throws -> (cards: Int, isDone: Bool) {
        try await database.read { connection in
            let row = try connection.row("SELECT cards, is_done FROM card_events")
            return (try row?.int("cards") ?? 0, try row?.bool("is_done") ?? false)
        }
    }
}
