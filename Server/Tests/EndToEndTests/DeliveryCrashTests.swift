import Foundation
import InlaySQL
import InlaySQLTesting
import InlayServer
import InlayTesting
import InlayWire
import Testing

/// Two built servers on one PostgreSQL, of which one is killed while it delivers.
@Suite(.serialized) struct DeliveryCrashTests {
    private static let users = 20_000

    @Test(.timeLimit(.minutes(5)))
    func `a node killed in the middle of a delivery leaves nobody without a card or with two`() async throws {
        try await TestDatabase.withURL(.postgresql) { url in
            let folder = try TemporaryFolder()
            let sender = try await RunningServer.start(on: url)
            let environmentID = RunningServer.environmentID
            let database = sender.server.services.database
            let ids = (0..<Self.users).map { "user-\($0)" }
            let moment = sender.server.services.now()
            _ = try await database.write { try UserStore.ensure(environmentID, ids, at: moment, in: $0) }
            let rule = SegmentRule([SegmentCondition(.init(code: 16, days: 7), isNot: true)])
            let segment = try await sender.server.features.behaviors.segments.save(
                environmentID, name: "All", rule)
            let killed = try await ServerProcess.start(on: url, in: folder)
            let other = try await ServerProcess.start(on: url, in: folder)
            let request = CardEventRequest(name: "hello", target: .segment(segment.id))
            let receipt = try await sender.server.features.cards.events.send(environmentID, request)
            #expect(!receipt.isComplete)
            await sender.stop()

            let watch = try await SQLDatabaseURL.open(url)
            defer { watch.close() }
            try await eventually { try await Self.event(watch).cards > 1_000 }
            try await killed.crash()
            #expect(try await !Self.event(watch).isDone)
            try await eventually { try await Self.event(watch).isDone }
            let reached = try await watch.read {
                try $0.row("SELECT COUNT(*) AS n, COUNT(DISTINCT user_id) AS users FROM card_instances")
                    .map { [try $0.int("n"), try $0.int("users")] }
            }
            #expect(reached == [Self.users, Self.users])
            try await other.crash()
        }
    }

    private static func event(_ database: any SQLDatabase) async throws -> (cards: Int, isDone: Bool) {
        try await database.read { connection in
            let row = try connection.row("SELECT cards, is_done FROM card_events")
            return (try row?.int("cards") ?? 0, try row?.bool("is_done") ?? false)
        }
    }
}
