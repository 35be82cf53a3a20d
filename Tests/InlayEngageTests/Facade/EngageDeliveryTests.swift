import Foundation
import GRDB
import InlayBehaviors
import InlayEngage
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

extension EngageTests {
    @MainActor @Suite struct Delivery {
        private static let many: [String: [String: JSONValue]] = ["General": ["ubfEventCacheSize": 1000]]

        private func post(_ names: String...) {
            for name in names { UBFManager.get().postEvent(UBF.namedEvent(name, params: nil)) }
        }

        /// Lets the clock run until so many requests with events came; the waits before them are random.
        private func untilRequests(_ count: Int, _ stage: EngageStage) async throws {
            try await eventually {
                if stage.server.requests(EngageStage.events).count >= count { return true }
                stage.clock.advance(by: .seconds(1))
                return false
            }
        }

        @Test func `events wait unchanged in the manager until a batch is full, and go in one request`()
            async throws
        {
            let stage = try EngageStage()
            await stage.boot()
            await stage.postEventCache()
            UBFManager.get().postEvent(UBF.namedEvent("1", params: ["x": "ü\"\n"]))
            post("2")
            let waiting = try await stage.stored([.notPosted]).map(\.event)
            #expect(waiting.map { $0["Event Name"] } == ["1", "2"])
            #expect(waiting.first?["x"] == "ü\"\n")
            post("3")
            try await stage.server.untilRequests(EngageStage.events, 2)
            // The first request told of the installation; the second shows that none came between.
            let batch = try #require(try stage.submissions.dropFirst().first)
            #expect(batch.map { $0["Event Name"] } == ["1", "2", "3"])
            #expect(Array(batch.prefix(2)) == waiting)
        }

        @Test func `leaving the app sends what the manager holds, however little`() async throws {
            let stage = try EngageStage()
            let application = await stage.boot()
            post("1")
            application.onBackground()
            await EngageHost.shared.settled()
            #expect(try stage.submissions.map { $0.map { $0["Event Name"] } } == [[nil, "1"]])
        }

        @Test func `an event given to the manager is in the database before its first request leaves`()
            async throws
        {
            let stage = try EngageStage()
            await stage.boot()
            await stage.postEventCache()
            stage.server.hold(EngageStage.events)
            post("1")
            UBFManager.get().postEventCache()
            try await stage.server.untilHeld(EngageStage.events)
            // The app dies while the server looks at the request, and starts again without a network.
            let later = try EngageStage(in: stage.folder)
            later.network.turn(false)
            await later.boot()
            #expect(try await later.stored([.notPosted]).map { $0.event["Event Name"] } == ["1"])
        }

        @Test func `an event whose post failed is posted again without a call of the app`() async throws {
            let stage = try EngageStage()
            await stage.boot()
            await stage.postEventCache()
            stage.server.next(EngageStage.events, .status(500))
            post("1")
            await stage.postEventCache()
            #expect(try await stage.stored([.notPosted]).map(\.tries) == [1])
            try await untilRequests(3, stage)
            try await eventually { try await stage.stored([.notPosted]).isEmpty }
            let submissions = try stage.submissions
            #expect(submissions[1] == submissions[2])
            #expect(submissions[2].map { $0["Event Name"] } == ["1"])
        }

        @Test func `the tries of an event end with the configured number of retries`() async throws {
            let stage = try EngageStage(settings: ["Networking": [PLIST_NETWORK_MAX_NUM_RETRIES: 2]])
            #expect(
                EngageConfigManager.sharedInstance().config(forNetworkValue: PLIST_NETWORK_MAX_NUM_RETRIES)
                    == 2)
            await stage.boot()
            await stage.postEventCache()
            stage.server.always(EngageStage.events, .status(500))
            post("lost")
            await stage.postEventCache()
            try await untilRequests(4, stage)
            try await eventually { try await !stage.stored([.failed]).isEmpty }
            stage.clock.advance(by: .seconds(86_400))
            stage.server.always(EngageStage.events, .status(200))
            post("after")
            await stage.postEventCache()
            // The event after it comes alone and next: nothing was tried meanwhile.
            let names = try stage.submissions.dropFirst().map { $0.map { $0["Event Name"] } }
            #expect(names == [["lost"], ["lost"], ["lost"], ["after"]])
        }

        @Test func `posted events are JSON rows of the database, their core values in a row apart`()
            async throws
        {
            let stage = try EngageStage(settings: Self.many)
            await stage.boot()
            let goal = UBF.goalCompleted("g", params: ["x": "y"])
            let named = UBF.namedEvent("n", params: ["z": 1])
            #expect(goal.params == ["x": "y"] && named.params == ["z": "1"])
            UBFManager.get().postEvent(goal)
            UBFManager.get().postEvent(named)
            await EngageHost.shared.settled()
            let rows = try databaseRows(stage)
            let own = rows.events.filter { ["16", "17"].contains($0["eventTypeCode"]) }
            #expect(own.map(names) == [["x", "Goal Name"], ["z", "Event Name"]])
            let facts = Set(own.compactMap { $0["facts"] })
            #expect(facts.count == 1 && rows.facts.count == 1)
            let core = [
                "Device Name", "Device Version", "OS Name", "OS Version", "App Name", "App Version",
                "Device Id",
            ]
            #expect(rows.facts.map(names) == [core])
            // The server gets both together, the same core values in each.
            await stage.postEventCache()
            let posted = try stage.posted(.goalCompleted) + stage.posted(.namedEvent)
            let all = posted.map { Set($0.attributes.map(\.name)) }
            #expect(all == [["x", "Goal Name"], ["z", "Event Name"]].map { Set($0 + core) })
            for name in core { #expect(Set(posted.map { $0[name] ?? "" }).count == 1, "\(name)") }
        }

        private func names(_ row: JSONValue) -> [String] {
            guard case .array(let attributes)? = row["attributes"] else { return [] }
            return attributes.compactMap { $0["name"]?.string }
        }

        private func databaseRows(_ stage: EngageStage) throws -> (events: [JSONValue], facts: [JSONValue]) {
            let file = try #require(
                stage.folder.names.first { $0.hasPrefix("user-") && $0.hasSuffix(".sqlite") })
            let queue = try DatabaseQueue(path: stage.folder.url.appendingPathComponent(file).path)
            func json(_ table: String, _ database: GRDB.Database) throws -> [JSONValue] {
                let sql = "SELECT CAST(body AS BLOB) FROM \(table) ORDER BY rowid"
                return try Data.fetchAll(database, sql: sql).map {
                    try JSONDecoder().decode(JSONValue.self, from: $0)
                }
            }
            return try queue.read { try (json("outbox", $0), json("behavior_facts", $0)) }
        }
    }
}
