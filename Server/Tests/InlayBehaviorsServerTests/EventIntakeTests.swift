import Foundation
import InlaySQL
import InlaySQLTesting
import InlayTesting
@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers
import NIOCore
import Testing

@testable import InlayBehaviorsServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// Tests of the routes `/rest/events/submission` and `/rest/events/errors`.
@Suite struct EventIntakeTests {
    private typealias Site = BehaviorSite

    /// A database whose writes wait for a latch and then fail.
    private struct HeldDatabase: ForwardingDatabase {
        struct Failure: Error {}

        let base: any SQLDatabase
        let latch = Latch()
        let writes = NIOLockedValueBox(0)

        @discardableResult
        func write<T: Sendable>(
            _ body: @escaping @Sendable (any SQLConnection) throws -> T
        ) async throws -> T {
            writes.withLockedValue { $0 += 1 }
            await latch.wait()
            throw Failure()
        }

        func lane(_ name: String, sharesCommits: Bool) -> any SQLDatabase { self }
        var forAnalytics: any SQLDatabase { self }
    }

    @Test func `events are refused while 64 MiB of events wait for the database`() async throws {
        try await TestDatabase.with(.sqlite, migrations: []) { plain in
            let database = HeldDatabase(base: plain)
            let writer = EventWriter(database: database)
            let row = EventRow(
                code: 17, name: "a", happenedAt: 0, receivedAt: 0,
                attributes: String(repeating: "x", count: 64 << 10))
            let refused = NIOLockedValueBox(0)
            func write(_ count: Int) -> Task<Void, Never> {
                Task {
                    do {
                        try await writer.write("env", Array(repeating: row, count: count))
                    } catch is EventWriter.Overloaded {
                        refused.withLockedValue { $0 += 1 }
                    } catch {}
                }
            }
            defer { database.latch.open() }
            var calls = [write(1), write(1)]
            try await eventually { database.writes.withLockedValue { $0 } == 2 }
            // One of the two waits, and the other is refused.
            calls += [write(1_024), write(1_024)]
            try await eventually { refused.withLockedValue { $0 } == 1 }
            database.latch.open()
            for call in calls { await call.value }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an event is kept once however often it arrives`(_ engine: SQLEngine) async throws {
        try await Site.run(engine) { site in
            let body = Site.body([Site.event("e1"), Site.event("e2"), Site.event("e1")])
            for _ in 0..<3 {
                let receipts = try await site.receipts(body)
                #expect(receipts == ["e1", "e2", "e1"].map { ItemReceipt(id: $0) })
            }
            let rows = try await site.rows()
            #expect(try rows.map { try $0.text("event_id") } == ["e1", "e2"])
            #expect(try rows[0].text("name") == "Looked" && rows[0].int("code") == 17)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `events without an id are kept as often as they arrive`(_ engine: SQLEngine) async throws {
        try await Site.run(engine) { site in
            let body = Site.body([Site.event(nil), Site.event(nil)])
            #expect(try await site.receipts(body).map(\.id) == ["", ""])
            _ = try await site.receipts(body)
            #expect(try await site.rows().count == 4)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a name of a few characters with thousands of combining marks is stored`(_ engine: SQLEngine)
        async throws
    {
        try await Site.run(engine) { site in
            // The order of the marks is random, so that PostgreSQL cannot compress the name for its index.
            var random = SeededRandom(seed: 1)
            let marks = (0..<4_000).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 0x300...0x36F, using: &random)).map(Character.init)
            }
            let name = "e" + String(marks)
            let receipts = try await site.receipts(
                Site.body([Site.event("a", "17", [("Event Name", name)]), Site.event("b")]))
            #expect(receipts == ["a", "b"].map { ItemReceipt(id: $0) })
            let stored = try await site.rows().map { try $0.text("name") }
            #expect(stored == [name.prefix(scalars: 64), "Looked"])
        }
    }

    @Test func `the same id in two environments is two events`() async throws {
        try await Site.run { site in
            let other = try await Site.make(site.app, "other")
            for each in [site, other] { _ = try await each.receipts(Site.body([Site.event("same")])) }
            #expect(try await site.rows().count == 1)
            #expect(try await other.rows().count == 1)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an unknown code is refused alone and listed as an error`(_ engine: SQLEngine) async throws {
        try await Site.run(engine) { site in
            let receipts = try await site.receipts(
                Site.body([Site.event("a"), Site.event("b", "18"), Site.event("c")]))
            #expect(receipts.map { $0.refusal?.code.rawValue } == [nil, "unknown-event-code", nil])
            #expect(try await site.rows().count == 2)
            let answer = try await site.app.send("GET", "/rest/events/errors?filter=b", headers: site.bearer)
            #expect(answer.status == 200)
            #expect(answer.text.contains("\"eventId\":\"b\"") && answer.text.contains("unknown-event-code"))
            let none = try await site.app.send("GET", "/rest/events/errors?filter=a", headers: site.bearer)
            #expect(none.text == "{\"errors\":[]}")
            let other = try await Site.make(site.app, "other")
            let foreign = try await site.app.send("GET", "/rest/events/errors", headers: other.bearer)
            #expect(foreign.text == "{\"errors\":[]}")
        }
    }

    @Test(arguments: ["12", "13", "14", "15", "16", "17", "48", "49"])
    func `every documented code is taken as a text and as a number`(_ code: String) async throws {
        try await Site.run { site in
            let number = Site.event("b", code).replacing("\"\(code)\"", with: code)
            let receipts = try await site.receipts(Site.body([Site.event("a", code), number]))
            #expect(receipts.allSatisfy { $0.refusal == nil })
            #expect(try await site.rows().map { try $0.int("code") } == [Int(code), Int(code)])
        }
    }

    @Test func `an event whose clock is years off gets the server's time and a flag`() async throws {
        try await Site.run { site in
            let times = [
                "1970-01-01T00:00:00.000Z", "2099-01-01T00:00:00.000Z", "2026-03-01T11:59:59.123Z",
                "2026-03-01T13:00:00.000+02:00",
            ]
            let events = times.enumerated().map { Site.event("e\($0.offset)", at: $0.element) }
            let without = "{\"id\":\"e4\",\"eventTypeCode\":\"13\",\"attributes\":[]}"
            _ = try await site.receipts(Site.body(events + [without]))
            let rows = try await site.rows()
            let now = site.app.clock.now.microseconds
            #expect(
                try rows.map { try $0.optionalText("stated_at") } == [times[0], times[1], nil, nil, ""])
            #expect(
                try rows.map { try $0.int64("happened_at") - now }
                    == [0, 0, -877_000, -3_600_000_000, 0])
        }
    }

    @Test func `what cannot be an event is refused and the rest is kept`() async throws {
        try await Site.run { site in
            let many = (0..<10_000).map { _ in ("a", "b") }
            let events = [
                Site.event("long", "17", [("Event Name", String(repeating: "x", count: 9_000))]),
                Site.event("many", "17", many), Site.event("time", at: "yesterday"),
                Site.event(String(repeating: "i", count: 200)), "17", "{\"id\":\"bare\"}",
                Site.event("nul", "17", [("a", "\\u0000")]), Site.event("good"),
            ]
            let receipts = try await site.receipts(Site.body(events))
            #expect(receipts.filter { $0.refusal == nil }.map(\.id) == ["good"])
            #expect(receipts.map(\.id).prefix(3) == ["long", "many", "time"])
            #expect(try await site.rows().count == 1)
        }
    }

    @Test func `the id in a refusal is cut, also one of combining marks`() async throws {
        try await Site.run { site in
            let id = "i" + String(repeating: "\u{301}", count: 500)
            let unreadable = #"{"id":"\#(id)","eventTypeCode":{}}"#
            let receipts = try await site.receipts(Site.body([Site.event(id), unreadable]))
            #expect(receipts.allSatisfy { $0.refusal != nil })
            #expect(receipts.map(\.id.unicodeScalars.count) == [128, 128])
        }
    }

    @Test func `a body that is too large or no JSON is refused as a whole`() async throws {
        try await Site.run { site in
            let large = Site.body([Site.event("e", "17", [("a", String(repeating: "x", count: 1 << 20))])])
            #expect(try await site.submit(large).status == 413)
            let many = try await site.submit(
                Site.body(Array(repeating: "{\"eventTypeCode\":\"13\"}", count: 5_001)))
            #expect(many.status == 413)
            for text in ["", "{", "[]", "{\"events\":{}}", "{\"items\":[]}"] {
                #expect(try await site.submit(text).status == 400)
            }
            #expect(try await site.receipts("{\"events\":[]}").isEmpty)
            let form = try await Site.form(
                site.app, "/rest/events/submission", [("a", "b")], headers: site.bearer)
            #expect(form.status == 415)
            #expect(try await site.rows().isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an app's token sends and lists events of its own user only`(_ engine: SQLEngine) async throws {
        try await Site.run(engine) { site in
            let maya = try site.tenant.headers(site.app, user: "maya")
            let event = Site.event("e1", "17", [("Event Name", "Looked"), ("Primary User Id", "mallory")])
            _ = try await site.receipts(Site.body([event, Site.event("bad", "99")]), headers: maya)
            #expect(try await site.rows().map { try $0.text("user_id") } == ["maya"])
            let own = try await site.app.send("GET", "/rest/events/errors", headers: maya)
            #expect(own.text.contains("\"bad\""))
            let ada = try site.tenant.headers(site.app, user: "ada")
            let foreign = try await site.app.send("GET", "/rest/events/errors", headers: ada)
            #expect(foreign.text == "{\"errors\":[]}")
            #expect(try await site.submit(Site.body([event]), headers: [:]).status == 401)
            let wrong = ["Authorization": "Bearer oat_unknown"]
            #expect(try await site.submit(Site.body([event]), headers: wrong).status == 401)
        }
    }

    @Test func `an event's user is its contact, else what its attributes say`() async throws {
        try await Site.run { site in
            let contact = Site.event("a").replacing("{\"id\"", with: "{\"contactId\":\"c7\",\"id\"")
            let primary = Site.event("b", "13", [("Anonymous Id", "an"), ("Primary User Id", "pr")])
            let anonymous = Site.event("c", "13", [("Anonymous Id", "an"), ("Primary User Id", "")])
            _ = try await site.receipts(Site.body([contact, primary, anonymous]))
            #expect(try await site.rows().map { try $0.optionalText("user_id") } == ["c7", "pr", "an"])
        }
    }

    @Test(arguments: [
        ("1234567890123456", "1234567890123456"), ("9007199254740993", "9007199254740993"),
        ("9007199254740993.5", "9007199254740993.5"), ("12345678901234567890", "12345678901234567890"),
        ("10.50", "10.5"), ("1e3", "1000"), ("0.1", "0.1"), ("-0", "0"), ("7.0", "7"), ("true", "true"),
        ("null", ""),
        ("\"10.50\"", "10.50"), ("\"007\"", "007"),
    ])
    func `a number of an attribute keeps its digits, and a text its spelling`(_ json: String, _ text: String)
        throws
    {
        let body = #"{"events":[{"eventTypeCode":17,"attributes":[{"name":"Order","value":\#(json)}]}]}"#
        let batch = try JSONDecoder().decode(IncomingBatch.self, from: Data(body.utf8))
        guard case .event(let event)? = batch.events.first else { throw TestFailure("unreadable") }
        #expect(event.code == "17" && event.attributes == [EventAttributePair(name: "Order", value: text)])
    }

    @Test func `a user id that is valid in a token is valid in events, whatever its size in bytes`()
        async throws
    {
        try await Site.run { site in
            let name = String(repeating: "👩", count: 60)
            _ = try await site.receipts(
                Site.body([Site.event("e1")]), headers: site.tenant.headers(site.app, user: name))
            let contact = Site.event("e2").replacing("{\"id\"", with: "{\"contactId\":\"\(name)\",\"id\"")
            let long = contact.replacing(name, with: String(repeating: "x", count: 129)).replacing(
                "e2", with: "e3")
            let receipts = try await site.receipts(Site.body([contact, long]))
            #expect(receipts.map { $0.refusal?.code } == [nil, .invalidValue])
            #expect(try await site.rows().map { try $0.optionalText("user_id") } == [name, name])
        }
    }

    @Test func `the fast reader and JSONDecoder make the same rows`() throws {
        let caller = BehaviorCaller(environmentID: "e", userID: nil)
        let check = EventCheck(caller: caller, now: 1_772_366_400_000_000)
        let attributes = [
            ("Event Name", "Größe 漢字 🚢"), ("Campaign Name", "Spring"), ("Event Name", "second"),
            ("Empty", ""),
        ]
        let event = BehaviorSite.event("e1", "17", attributes)
        let swapped =
            "{\"attributes\":[{\"value\":\"v\",\"name\":\"Goal Name\"}],\"contactId\":\"c\" , "
            + "\"eventTimestamp\":\"2026-03-01T11:00:00Z\",\n\t\"eventTypeCode\":\"16\"}"
        let empty = "{\"eventTypeCode\":\"13\",\"eventTimestamp\":\"2026-03-01T11:00:00Z\",\"attributes\":[]}"
        let body = BehaviorSite.body([event, swapped, empty])
        let rows = try #require(EventScanner.rows(in: Data(body.utf8), check: check))
        let slow = try JSONDecoder().decode(IncomingBatch.self, from: Data(body.utf8)).events.map { entry in
            guard case .event(let event) = entry else { throw TestFailure("unreadable") }
            return try check.row(event)
        }
        #expect(rows == slow && rows.count == 3)
        #expect(rows[0].name == "Größe 漢字 🚢" && rows[0].campaign == "Spring")
        #expect(rows[1].name == "v" && rows[1].userID == "c")
        #expect(
            AttributeText.pairs(rows[0].attributes)
                == attributes.map { EventAttributePair(name: $0.0, value: $0.1) })
    }

    @Test(arguments: [
        "{\"events\":[]}", "{\"events\":[{}]}", "{\"events\":[{\"eventTypeCode\":17}]}", "{\"events\":[",
        "{\"events\":[{\"id\":\"a\\u0041\",\"eventTypeCode\":\"17\"}]}", "", "{", "[]", "{\"events\":\"x\"}",
        "{\"events\":[{\"id\":\"a\",\"id\":\"b\",\"eventTypeCode\":\"13\",\"eventTimestamp\":\"2026-03-01T11:00:00Z\",\"attributes\":[]}]}",
        "{\"events\":[{\"contactId\":\"a\u{85}b\",\"eventTypeCode\":\"13\",\"eventTimestamp\":\"2026-03-01T11:00:00Z\",\"attributes\":[]}]}",
        "{\"events\":[{\"eventTypeCode\":\"99\",\"eventTimestamp\":\"2026-03-01T11:00:00Z\",\"attributes\":[]}]}",
        "{\"events\":[{\"eventTypeCode\":\"13\",\"eventTimestamp\":\"2026-03-01T11:00:00Z\",\"attributes\":[]}]}x",
        "{\"events\":[{\"eventTypeCode\":\"13\",\"eventTimestamp\":\"2026-03-01T11:00:00Z\",\"attributes\":[{\"name\":\"\",\"value\":\"\"}]}]}",
    ])
    func `the fast reader leaves everything unusual to JSONDecoder`(_ body: String) {
        let check = EventCheck(
            caller: BehaviorCaller(environmentID: "e", userID: nil), now: 1_772_366_400_000_000)
        #expect(EventScanner.rows(in: Data(body.utf8), check: check) == nil)
    }

    @Test(arguments: [[], ["a"], ["a", "", "0198c0de-0000"], ["q\"", "b"], ["\\"], ["ü"]])
    func `a plain answer equals the output of JSONEncoder`(_ ids: [String]) throws {
        let receipts = ids.map { ItemReceipt(id: $0) }
        let plain = EventRoutes.plain(receipts)
        #expect((plain == nil) == ids.contains { ["q\"", "\\", "ü"].contains($0) })
        if let plain {
            #expect(try JSONDecoder().decode(BatchReceipt.self, from: Data(plain.utf8)).receipts == receipts)
            #expect(Data(plain.utf8) == (try JSONEncoder().encode(BatchReceipt(receipts: receipts))))
        }
        #expect(EventRoutes.plain([ItemReceipt(id: "a", refusal: .unknownEventCode)]) == nil)
    }

    @Test func `the fast reader never takes bytes that are not UTF-8`() {
        let check = EventCheck(
            caller: BehaviorCaller(environmentID: "e", userID: nil), now: 1_772_366_400_000_000)
        for place in ["§", "\"id\":\"§\","] {
            let event = place == "§" ? BehaviorSite.event("a", "17", [("n", "§")]) : BehaviorSite.event("§")
            var bytes = Array(BehaviorSite.body([event]).utf8)
            // Without its first byte 0xC2, the sign is invalid UTF-8.
            bytes.removeAll { $0 == 0xC2 }
            #expect(EventScanner.rows(in: Data(bytes), check: check) == nil)
        }
    }

    @Test(arguments: [
        ("1970-01-01T00:00:00.000Z", 0), ("2014-06-10T00:00:00.000Z", 1_402_358_400_000_000),
        ("2014-01-21T11:13:43.5+01:00", 1_390_299_223_500_000), ("2000-02-29T23:59:59Z", 951_868_799_000_000),
        ("1969-12-31T23:59:59.999999Z", -1),
    ])
    func `a timestamp is read to the microsecond`(_ text: String, _ microseconds: Int64) {
        #expect(EventTimestampParser.microseconds(text) == microseconds)
    }

    @Test(arguments: [
        "", "2014", "2014-13-01T00:00:00Z", "2014-02-30T00:00:00Z", "2014-06-10T24:00:00Z",
        "2014-06-10T00:00:00.Z", "2014-06-10T00:00:00Zz", "2014-06-10T00:00:00+25:00", "１４-06-10T00:00:00Z",
    ])
    func `an invalid timestamp is not read`(_ text: String) {
        #expect(EventTimestampParser.microseconds(text) == nil)
    }

    @Test(arguments: SQLEngine.allCases)
    func `many requests at once are each answered after their own events are kept`(
        _ engine: SQLEngine
    ) async throws {
        try await Site.run(engine) { site in
            try await withThrowingTaskGroup { group in
                for request in 0..<100 {
                    group.addTask {
                        let ids = (0..<5).map { "r\(request)-\($0)" }
                        let receipts = try await site.receipts(Site.body(ids.map { Site.event($0) }))
                        #expect(receipts.map(\.id) == ids)
                        let kept = try await site.app.services.database.read {
                            try $0.rows(
                                "SELECT 1 AS n FROM behavior_events WHERE environment_id = ? AND event_id LIKE ?",
                                [.id(site.environmentID), .text("r\(request)-%")])
                        }
                        #expect(kept.count == 5)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await site.rows().count == 500)
        }
    }
}
