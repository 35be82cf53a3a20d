import Foundation
import InlaySQL
import InlaySQLTesting
import InlayWire
import Logging
import NIOConcurrencyHelpers
import Testing

@testable import InlayServer

/// Who does not answer holds up nobody else.
@Suite(.timeLimit(.minutes(3))) struct AdNoticeLaneTests {
    private static let day = Duration.seconds(86_400)

    private func bill(_ number: Int, of bidder: String, at moment: Timestamp) -> AdNotice {
        var impression = AdImpression(
            environmentID: "harbor", id: "\(bidder)-\(number)", unitID: "u", priceNanos: 1, madeAt: moment,
            expiresAt: moment + Self.day, endsAt: moment + Self.day)
        impression.bidderID = bidder
        return AdNotice(
            impression, .burl, url: "http://\(bidder).example/\(number)", amountNanos: 1, at: moment)
    }

    private func loss(_ number: Int, of bidder: String, at moment: Timestamp) -> AdNotice {
        AdNotice(
            lost: "auction", "harbor", bidderID: bidder, number: number,
            url: "http://\(bidder).example/\(number)", at: moment)
    }

    private func queue(_ notices: [AdNotice], _ database: any SQLDatabase) async throws {
        try await database.write { connection in
            for notice in notices { try notice.queue(connection) }
        }
    }

    private func states(_ database: any SQLDatabase) async throws -> [String: Int] {
        let rows = try await database.read {
            try $0.rows("SELECT state, COUNT(*) AS n FROM ad_notices GROUP BY state")
        }
        return Dictionary(try rows.map { (try $0.text("state"), try $0.int("n")) }) { $0 + $1 }
    }

    /// Looks, with every call still under way, until a look brings nothing.
    private func looks(at store: AdNoticeStore) async throws -> [AdNoticeStore.Due] {
        var slots = AdNoticeSlots()
        var looks: [AdNoticeStore.Due] = []
        repeat {
            let due = try await store.claimDue(slots, most: 128)
            for notice in due.notices { slots.enter(notice.lane) }
            looks.append(due)
        } while looks.last?.notices.isEmpty == false
        return looks
    }

    @Test func `a lane has an eighth of the calls, and a few while nobody answers there`() {
        var slots = AdNoticeSlots()
        for _ in 0..<AdNoticeSlots.mostOfLane {
            #expect(slots.room(in: "stuck") > 0)
            slots.enter("stuck")
        }
        #expect(slots.room(in: "stuck") == 0 && slots.room(in: "quick") == AdNoticeSlots.mostOfLane)
        var rang = 0
        for _ in 0..<AdNoticeSlots.mostOfLane where slots.leave("stuck", isSilent: true) { rang += 1 }
        #expect(rang == 1, "whoever waits is woken when there is room, and not by every call")
        #expect(slots.room(in: "stuck") == AdNoticeSlots.mostOfSilent)
        slots.enter("stuck")
        let hadRoom = !slots.leave("stuck", isSilent: false)
        #expect(
            hadRoom && slots.room(in: "stuck") == AdNoticeSlots.mostOfLane, "one answer, and all is as before"
        )
        for lane in 0..<8 { for _ in 0..<AdNoticeSlots.mostOfLane { slots.enter("\(lane)") } }
        #expect(slots.room == 0 && slots.room(in: "quick") == 0)
        let hasRoom = slots.leave("3", isSilent: false)
        #expect(hasRoom && slots.room(in: "quick") == 1)
    }

    @Test func `a lane that falls silent while all calls are taken leaves its call to another, who is woken`()
    {
        var slots = AdNoticeSlots()
        for lane in 0..<8 { for _ in 0..<AdNoticeSlots.mostOfLane { slots.enter("\(lane)") } }
        #expect(slots.room(in: "quick") == 0)
        let hasRoom = slots.leave("3", isSilent: true)
        #expect(hasRoom && slots.room(in: "quick") == 1 && slots.room(in: "3") == 0)
        let hasMore = slots.leave("3", isSilent: true)
        #expect(!hasMore, "whoever waits has been woken")
    }

    @Test(arguments: SQLEngine.allCases)
    func `hundreds that wait for one buyer are not in the way of another's bill, nor of its own`(
        _ engine: SQLEngine
    ) async throws {
        try await TestDatabase.with(engine, migrations: AdsSchema.migrations) { database in
            let clock = TestClock()
            let store = AdNoticeStore(database: database) { clock.now }
            try await queue((0..<400).map { loss($0, of: "stuck", at: clock.now) }, database)
            clock.advance(by: .seconds(5))
            try await queue(
                [bill(1, of: "stuck", at: clock.now), bill(1, of: "quick", at: clock.now)], database)
            let looks = try await looks(at: store)
            #expect(Set(looks.first?.notices.map(\.lane) ?? []).count == 3, "in the first look")
            // Of those that are under way. What has no room must not be told: it would be looked at for ever.
            #expect(looks.last?.next == clock.now + AdNoticeStore.claim)
            let lanes = looks.flatMap(\.notices).map(\.lane)
            let claimed = Dictionary(lanes.map { ($0, 1) }, uniquingKeysWith: +)
            #expect(
                claimed == [
                    "harbor/stuck/news": AdNoticeSlots.mostOfLane, "harbor/stuck/bills": 1,
                    "harbor/quick/bills": 1,
                ])
            var slots = AdNoticeSlots()
            for lane in lanes.dropFirst() { slots.enter(lane) }
            #expect(try await store.claimDue(slots, most: 128).notices.count == 1)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `what a claim holds is due again when the claim ends, and nobody's before`(_ engine: SQLEngine)
        async throws
    {
        try await TestDatabase.with(engine, migrations: AdsSchema.migrations) { database in
            let clock = TestClock()
            let store = AdNoticeStore(database: database) { clock.now }
            try await queue([bill(1, of: "b", at: clock.now)], database)
            #expect(try await store.claimDue(AdNoticeSlots(), most: 128).notices.count == 1)
            let other = try await store.claimDue(AdNoticeSlots(), most: 128)
            #expect(other.notices.isEmpty && other.next == clock.now + AdNoticeStore.claim)
            clock.advance(by: AdNoticeStore.claim)
            #expect(try await store.claimDue(AdNoticeSlots(), most: 128).notices.map(\.tries) == [2])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `news is given up after ten minutes, a bill after a day and never untried`(_ engine: SQLEngine)
        async throws
    {
        try await TestDatabase.with(engine, migrations: AdsSchema.migrations) { database in
            let clock = TestClock()
            let store = AdNoticeStore(database: database) { clock.now }
            try await queue(
                (0..<600).map { loss($0, of: "b", at: clock.now) } + [bill(1, of: "b", at: clock.now)],
                database)
            clock.advance(by: .seconds(600))
            try await store.giveUp()
            #expect(try await states(database) == ["waiting": 601])
            clock.advance(by: .seconds(1))
            try await store.giveUp()
            #expect(try await states(database) == ["failed": 600, "waiting": 1])
            clock.advance(by: Self.day)
            try await store.giveUp()
            #expect(try await states(database)["waiting"] == 1, "the server was away, and nobody was asked")
            let due = try await store.claimDue(AdNoticeSlots(), most: 128)
            try await store.giveUp()
            #expect(try await states(database)["waiting"] == 1, "it is under way")
            try await store.settle(due.notices.map { ($0, .silent("nobody")) })
            #expect(try await states(database) == ["failed": 601])
        }
    }

    @Test func `a bill that waits in a slow lane is given up after a day, and its answer is kept`()
        async throws
    {
        try await TestDatabase.with(.sqlite, migrations: AdsSchema.migrations) { database in
            let clock = TestClock()
            let store = AdNoticeStore(database: database) { clock.now }
            try await queue([bill(1, of: "b", at: clock.now)], database)
            let due = try await store.claimDue(AdNoticeSlots(), most: 128)
            try await store.settle(due.notices.map { ($0, .later(503)) })
            clock.advance(by: Self.day)
            try await store.giveUp()
            #expect(try await states(database) == ["waiting": 1])
            clock.advance(by: .seconds(1))
            try await store.giveUp()
            let row = try #require(
                try await database.read { try $0.row("SELECT state, last_answer FROM ad_notices") })
            #expect(try row.text("state") == "failed" && row.text("last_answer") == "503")
        }
    }

    /// A buyer that never answers, until it does.
    private struct Buyers: Sendable {
        let latch = Latch()
        let called = NIOLockedValueBox<[String: Int]>([:])

        @Sendable func call(_ notice: AdNotice) async -> AdNoticeAnswer {
            called.withLockedValue { $0[notice.bidderID, default: 0] += 1 }
            if notice.bidderID == "stuck" { await latch.wait() }
            return .acknowledged(204)
        }
    }

    @Test func `a buyer with hundreds of calls that hang leaves the others their calls`() async throws {
        try await TestDatabase.with(.sqlite, migrations: AdsSchema.migrations) { database in
            let clock = TestClock(), buyers = Buyers()
            try await queue((0..<400).map { loss($0, of: "stuck", at: clock.now) }, database)
            clock.advance(by: .seconds(1))
            try await queue((0..<300).map { bill($0, of: "quick", at: clock.now) }, database)
            let store = AdNoticeStore(database: database) { clock.now }
            let sender = AdNoticeSender(store: store, logger: Logger(label: "test"), call: buyers.call)
            try await within(.seconds(60)) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    defer { buyers.latch.open() }
                    group.addTask { await sender.run() }
                    for await _ in Ticks(every: .milliseconds(10)) {
                        if try await states(database)["acknowledged"] == 300 { break }
                    }
                    let called = buyers.called.withLockedValue { $0 }
                    #expect(called["quick"] == 300 && called["stuck", default: 0] <= AdNoticeSlots.mostOfLane)
                    buyers.latch.open()
                    for await _ in Ticks(every: .milliseconds(10)) {
                        if try await states(database) == ["acknowledged": 700] { break }
                    }
                    group.cancelAll()
                }
            }
            #expect(buyers.called.withLockedValue { $0 } == ["stuck": 400, "quick": 300], "each once")
        }
    }

    @Test func `a reward has its host's lane, whichever bidder's ad it was earned with`() {
        let moment = TestClock().now
        var impression = AdImpression(
            environmentID: "harbor", id: "1", unitID: "u", priceNanos: 1, madeAt: moment, expiresAt: moment,
            endsAt: moment)
        impression.bidderID = "b"
        let reward = AdNotice(
            impression, .reward, url: "https://Shop.example:8443/r?a=1", amountNanos: 0, at: moment)
        #expect(reward.lane == "reward/shop.example")
    }
}
