import Foundation
import GRDB
import InlayBehaviors
import InlayEngage
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

extension EngageTests {
    @MainActor @Suite struct Delivery {
        private static let largeCache: [String: [String: JSONValue]] = [
            "General": ["ubfEventCacheSize": 1000]
        ]

        private func post(_ names: String...) {
            for name in names { UBFManager.get().postEvent(UBF.namedEvent(name, params: nil)) }
        }

        /// Advances the clock until `count` requests with events arrived; the back-offs are random.
        private func untilRequests(_ count: Int, _ fixture: EngageFixture) async throws {
            try await eventually {
                if fixture.server.requests(EngageFixture.events).count >= count { return true }
                fixture.clock.advance(by: .seconds(1))
                return false
            }
        }

        @Test func `events wait unchanged in the manager until a batch is full, and go in one request`()
            async throws
        {
            let fixture = try EngageFixture()
            await fixture.boot()
            await fixture.postEventCache()
            UBFManager.get().postEvent(UBF.namedEvent("1", params: ["x": "ü\"\n"]))
            post("2")
            let waiting = try await fixture.stored([.notPosted]).map(\.event)
            #expect(waiting.map { $0["Event Name"] } == ["1", "2"])
            #expect(waiting.first?["x"] == "ü\"\n")
            post("3")
            try await fixture.server.untilRequests(EngageFixture.events, 2)
            // The first request reported the installation; the second shows that none came between.
            let batch = try #require(try fixture.submissions.dropFirst().first)
            #expect(batch.map { $0["Event Name"] } == ["1", "2", "3"])
            #expect(Array(batch.prefix(2)) == waiting)
        }

        @Test func `leaving the app sends what the manager holds, however little`() async throws {
            let fixture = try EngageFixture()
            let application = await fixture.boot()
            post("1")
            application.onBackground()
            await EngageRuntime.shared.settled()
            #expect(try fixture.submissions.map { $0.map { $0["Event Name"] } } == [[nil, "1"]])
        }

        @Test func `an event given to the manager is in the database before its first request leaves`()
            async throws
        {
            let fixture = try EngageFixture()
            await fixture.boot()
            await fixture.postEventCache()
            fixture.server.hold(EngageFixture.events)
            post("1")
            UBFManager.get().postEventCache()
            try await fixture.server.untilHeld(EngageFixture.events)
            // The app is killed while the server processes the request, and starts again without a network.
            let later = try EngageFixture(in: fixture.folder)
            later.network.setReachable(false)
            await later.boot()
            #expect(try await later.stored([.notPosted]).map { $0.event["Event Name"] } == ["1"])
        }

        @Test func `an event whose post failed is posted again without a call of the app`() async throws {
            let fixture = try EngageFixture()
            await fixture.boot()
            await fixture.postEventCache()
            fixture.server.next(EngageFixture.events, .status(500))
            post("1")
            await fixture.postEventCache()
            #expect(try await fixture.stored([.notPosted]).map(\.tries) == [1])
            try await untilRequests(3, fixture)
            try await eventually { try await fixture.stored([.notPosted]).isEmpty }
            let submissions = try fixture.submissions
            #expect(submissions[1] == submissions[2])
            #expect(submissions[2].map { $0["Event Name"] } == ["1"])
        }

        @Test func `the tries of an event end with the configured number of retries`() async throws {
            let fixture = try EngageFixture(settings: ["Networking": [PLIST_NETWORK_MAX_NUM_RETRIES: 2]])
            #expect(
                EngageConfigManager.sharedInstance().config(forNetworkValue: PLIST_NETWORK_MAX_NUM_RETRIES)
                    == 2)
            await fixture.boot()
            await fixture.postEventCache()
            fixture.server.always(EngageFixture.events, .status(500))
            post("lost")
            await fixture.postEventCache()
            try await untilRequests(4, fixture)
            try await eventually { try await !fixture.stored([.failed]).isEmpty }
            fixture.clock.advance(by: .seconds(86_400))
            fixture.server.always(EngageFixture.events, .status(200))
            post("after")
            await fixture.postEventCache()
            // The next request has only the later event, so the failed event was not sent again.
            let names = try fixture.submissions.dropFirst().map { $0.map { $0["Event Name"] } }
            #expect(names == [["lost"], ["lost"], ["lost"], ["after"]])
        }

        @Test func `posted events are JSON rows of the database, with their core values in a separate row`()
            async throws
        {
            let fixture = try EngageFixture(settings: Self.largeCache)
            await fixture.boot()
            let goal = UBF.goalCompleted("g", params: ["x": "y"])
            let named = UBF.namedEvent("n", params: ["z": 1])
            #expect(goal.params == ["x": "y"] && named.params == ["z": "1"])
            UBFManager.get().postEvent(goal)
            UBFManager.get().postEvent(named)
            await EngageRuntime.shared.settled()
            let rows = try databaseRows(fixture)
            let own = rows.events.filter { ["16", "17"].contains($0["eventTypeCode"]) }
            #expect(own.map(names) == [["x", "Goal Name"], ["z", "Event Name"]])
            let facts = Set(own.compactMap { $0["facts"] })
            #expect(facts.count == 1 && rows.facts.count == 1)
            let core = [
                "Device Name", "Device Version", "OS Name", "OS Version", "App Name", "App Version",
                "Device Id",
            ]
            #expect(rows.facts.map(names) == [core])
            // The server receives each event with its own values and the same core values.
            await fixture.postEventCache()
            let posted = try fixture.posted(.goalCompleted) + fixture.posted(.namedEvent)
            let all = posted.map { Set($0.attributes.map(\.name)) }
            #expect(all == [["x", "Goal Name"], ["z", "Event Name"]].map { Set($0 + core) })
            for name in core { #expect(Set(posted.map { $0[name] ?? "" }).count == 1, "\(name)") }
        }

        private func names(_ row: JSONValue) -> [String] {
            guard case .array(let attributes)? = row["attributes"] else { return [] }
            return attributes.compactMap { $0["name"]?.string }
        }

        private func databaseRows(_ fixture: EngageFixture) throws -> (
            events: [JSONValue], facts: [JSONValue]
        ) {
            let file = try #require(
                fixture.folder.names.first { $0.hasPrefix("user-") && $0.hasSuffix(".sqlite") })
            let queue = try DatabaseQueue(path: fixture.folder.url.appendingPathComponent(file).path)
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
