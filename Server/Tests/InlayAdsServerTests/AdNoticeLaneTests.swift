import Foundation
import InlaySQL
import InlaySQLTesting
@_spi(Inlay) import InlayWire
import Logging
import Metrics
import NIOConcurrencyHelpers
import Testing

@testable import InlayAdsServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// Tests that a bidder that does not answer delays no other bidder.
@Suite(.timeLimit(.minutes(3))) struct AdNoticeLaneTests {
    private static let day = Duration.seconds(86_400)

    private func bill(_ number: Int, of bidder: AdBidderID, at moment: Timestamp) -> AdNotice {
        var impression = AdImpression(
            environmentID: "harbor", id: "\(bidder)-\(number)", unitID: AdUnitID("u"), priceNanos: 1,
            madeAt: moment,
            expiresAt: moment + Self.day, endsAt: moment + Self.day)
        impression.bidderID = bidder
        return AdNotice(
            impression, .burl, url: "http://\(bidder).example/\(number)", amountNanos: 1, at: moment)
    }

    private func loss(_ number: Int, of bidder: AdBidderID, at moment: Timestamp) -> AdNotice {
        AdNotice(
            lost: "auction", "harbor", bidderID: bidder, number: number,
            url: "http://\(bidder).example/\(number)", at: moment)
    }

    private func queue(_ notices: [AdNotice], _ database: any SQLDatabase) async throws {
        try await database.write { try AdNotice.queue(notices, $0) }
    }

    private func states(_ database: any SQLDatabase) async throws -> [String: Int] {
        let rows = try await database.read {
            try $0.rows("SELECT state, COUNT(*) AS n FROM ad_notices GROUP BY state")
        }
        return Dictionary(try rows.map { (try $0.text("state"), try $0.int("n")) }) { $0 + $1 }
    }

    /// A node whose calls are answered by the closure.
    private struct Node {
        let jobs: AdNoticeJobs
        let queue: JobQueue

        init(
            _ database: any SQLDatabase, _ clock: TestClock,
            call: @escaping AdNoticeJobs.Call = { _ in .unanswered("nobody") }
        ) {
            jobs = AdNoticeJobs(store: AdNoticeStore(database: database) { clock.now }, call: call)
            queue = JobQueue(database: database, now: { clock.now })
        }

        /// A runner with its own capacity.
        var runner: JobRunner {
            JobRunner(
                queue, [jobs], logger: .quiet, metrics: NOOPMetricsHandler.instance, chance: { 0 })
        }

        func giveUp() async throws { try await JobExpiry(queue: queue, logger: .quiet).giveUp([jobs]) }
    }

    /// Claims due jobs without finishing any, until a claim is empty, and returns all claims.
    private func claims(of runner: JobRunner) async throws -> [JobRunner.Found] {
        var claims: [JobRunner.Found] = []
        repeat { claims.append(try await runner.claimDue()) } while claims.last?.batches.isEmpty == false
        return claims
    }

    private var slots: JobSlots { JobSlots(AdNoticeJobs.limits) }

    @Test func `a lane has an eighth of the slots, and fewer while its host does not answer`() {
        var slots = slots
        for _ in 0..<AdNoticeJobs.maximumPerLane {
            #expect(slots.freeCount(in: "stuck") > 0)
            slots.enter("stuck")
        }
        #expect(
            slots.freeCount(in: "stuck") == 0 && slots.freeCount(in: "quick") == AdNoticeJobs.maximumPerLane)
        var wakes = 0
        for _ in 0..<AdNoticeJobs.maximumPerLane where slots.leave("stuck", isUnanswered: true) { wakes += 1 }
        #expect(wakes == 1, "a waiting task is woken when there is capacity, and not by every call")
        #expect(slots.freeCount(in: "stuck") == AdNoticeJobs.maximumPerUnansweredLane)
        slots.enter("stuck")
        let hadFreeSlots = !slots.leave("stuck", isUnanswered: false)
        #expect(
            hadFreeSlots && slots.freeCount(in: "stuck") == AdNoticeJobs.maximumPerLane,
            "one answer, and all is as before"
        )
        for lane in 0..<8 { for _ in 0..<AdNoticeJobs.maximumPerLane { slots.enter("\(lane)") } }
        #expect(slots.freeCount == 0 && slots.freeCount(in: "quick") == 0)
        let hasFreeSlots = slots.leave("3", isUnanswered: false)
        #expect(hasFreeSlots && slots.freeCount(in: "quick") == 1)
    }

    @Test
    func `a lane that becomes unanswered while all slots are taken frees its slot, and wakes a waiting task`()
    {
        var slots = slots
        for lane in 0..<8 { for _ in 0..<AdNoticeJobs.maximumPerLane { slots.enter("\(lane)") } }
        #expect(slots.freeCount(in: "quick") == 0)
        let hasFreeSlots = slots.leave("3", isUnanswered: true)
        #expect(hasFreeSlots && slots.freeCount(in: "quick") == 1 && slots.freeCount(in: "3") == 0)
        let hasMore = slots.leave("3", isUnanswered: true)
        #expect(!hasMore, "the waiting task has already been woken")
    }

    @Test(arguments: SQLEngine.allCases)
    func `a notice whose run takes too long counts as tried and waits`(_ engine: SQLEngine) async throws {
        try await TestDatabase.with(engine, migrations: JobsSchema.migrations + AdsSchema.migrations) {
            database in
            let clock = TestClock()
            let node = Node(database, clock) { _ in
                for await _ in TimerSequence(every: .seconds(600)) {}
                return .unanswered("cut off")
            }
            try await queue([bill(1, of: "stuck", at: clock.now)], database)
            let runner = JobRunner(
                node.queue, [ShortRuns(node.jobs)], logger: .quiet, metrics: NOOPMetricsHandler.instance,
                chance: { 0 })
            try await within { try await runner.runDue() }
            let job = try #require(
                try await database.read {
                    try $0.row("SELECT attempts, due_at, last_error FROM jobs")
                })
            #expect(try job.int("attempts") == 1 && job.text("last_error").contains("took longer"))
            #expect(try job.moment("due_at") == clock.now + .seconds(10))
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `hundreds of loss notices to one buyer delay neither its bills nor another buyer's`(
        _ engine: SQLEngine
    ) async throws {
        try await TestDatabase.with(engine, migrations: JobsSchema.migrations + AdsSchema.migrations) {
            database in
            let clock = TestClock()
            let node = Node(database, clock)
            try await queue((0..<400).map { loss($0, of: "stuck", at: clock.now) }, database)
            clock.advance(by: .seconds(5))
            try await queue(
                [bill(1, of: "stuck", at: clock.now), bill(1, of: "quick", at: clock.now)], database)
            let claims = try await claims(of: node.runner)
            #expect(
                Set(claims.first?.batches.flatMap(\.jobs).map(\.laneName) ?? []).count == 3,
                "in the first look")
            // The time is that of the running jobs. A job without a free slot must not be found, or the runner would
            // check again at once for ever.
            #expect(claims.last?.next == clock.now + AdNoticeJobs.lease)
            let lanes = claims.flatMap(\.batches).flatMap(\.jobs).map(\.laneName)
            let claimed = Dictionary(lanes.map { ($0, 1) }, uniquingKeysWith: +)
            #expect(
                claimed == [
                    "ads.notice/harbor/stuck/news": AdNoticeJobs.maximumPerLane,
                    "ads.notice/harbor/stuck/bills": 1, "ads.notice/harbor/quick/bills": 1,
                ])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `claimed notices are due again when the claim ends, and not before`(_ engine: SQLEngine)
        async throws
    {
        try await TestDatabase.with(engine, migrations: JobsSchema.migrations + AdsSchema.migrations) {
            database in
            let clock = TestClock(), node = Node(database, clock)
            try await queue([bill(1, of: "b", at: clock.now)], database)
            #expect(try await node.runner.claimDue().batches.flatMap(\.jobs).count == 1)
            let other = try await node.runner.claimDue()
            #expect(other.batches.isEmpty && other.next == clock.now + AdNoticeJobs.lease)
            clock.advance(by: AdNoticeJobs.lease)
            #expect(try await node.runner.claimDue().batches.flatMap(\.jobs).map(\.attempts) == [1])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a loss notice is given up after ten minutes, a bill after a day and at least one attempt`(
        _ engine: SQLEngine
    )
        async throws
    {
        try await TestDatabase.with(engine, migrations: JobsSchema.migrations + AdsSchema.migrations) {
            database in
            let clock = TestClock(), node = Node(database, clock)
            try await queue(
                (0..<600).map { loss($0, of: "b", at: clock.now) } + [bill(1, of: "b", at: clock.now)],
                database)
            clock.advance(by: .seconds(600))
            try await node.giveUp()
            #expect(try await states(database) == ["waiting": 601])
            clock.advance(by: .seconds(1))
            try await node.giveUp()
            #expect(try await states(database) == ["failed": 600, "waiting": 1])
            clock.advance(by: Self.day)
            try await node.giveUp()
            #expect(try await states(database)["waiting"] == 1, "the server was away, and nobody was asked")
            let due = try await node.runner.claimDue().batches.flatMap(\.jobs)
            try await node.giveUp()
            #expect(try await states(database)["waiting"] == 1 && due.count == 1, "it is under way")
            clock.advance(by: AdNoticeJobs.lease)
            try await node.runner.runDue()
            #expect(try await states(database) == ["failed": 601])
        }
    }

    @Test func `a bill that waits in a slow lane is given up after a day, and its answer is kept`()
        async throws
    {
        try await TestDatabase.with(.sqlite, migrations: JobsSchema.migrations + AdsSchema.migrations) {
            database in
            let clock = TestClock(), node = Node(database, clock) { _ in .rejected(503) }
            try await queue([bill(1, of: "b", at: clock.now)], database)
            try await node.runner.runDue()
            clock.advance(by: Self.day)
            try await node.giveUp()
            #expect(try await states(database) == ["waiting": 1])
            clock.advance(by: .seconds(1))
            try await node.giveUp()
            let row = try #require(
                try await database.read { try $0.row("SELECT state, last_answer FROM ad_notices") })
            #expect(try row.text("state") == "failed" && row.text("last_answer") == "503")
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an operator can send a given-up bill for another day, and a given-up loss is not kept`(
        _ engine: SQLEngine
    ) async throws {
        try await TestDatabase.with(engine, migrations: JobsSchema.migrations + AdsSchema.migrations) {
            database in
            let clock = TestClock(), isBack = Flag()
            let node = Node(database, clock) { _ in isBack.isSet ? .acknowledged(204) : .rejected(503) }
            try await queue([bill(1, of: "b", at: clock.now), loss(1, of: "b", at: clock.now)], database)
            try await node.runner.runDue()
            clock.advance(by: Self.day + .seconds(1))
            try await node.giveUp()
            #expect(try await states(database) == ["failed": 2])
            let given = try await node.queue.givenUp("harbor", limit: 9)
            #expect(given.map { "\($0.id.key) \($0.error)" } == ["b-1/burl 503"])

            let id = try #require(given.first?.id)
            #expect(try await node.queue.requeue(id, node.jobs).enqueued == 1)
            #expect(try await states(database) == ["failed": 1, "waiting": 1])
            // The bill is tried for another whole day; its first end no longer counts.
            try await node.runner.runDue()
            #expect(try await states(database) == ["failed": 1, "waiting": 1])
            clock.advance(by: Self.day - .seconds(1))
            try await node.giveUp()
            #expect(try await states(database) == ["failed": 1, "waiting": 1])
            isBack.set()
            try await node.runner.runDue()
            #expect(try await states(database) == ["acknowledged": 1, "failed": 1])
            await #expect(throws: Problem.self) { try await node.queue.requeue(id, node.jobs) }
        }
    }

    /// Buyers that answer every call; `stuck` answers only once the latch is open.
    private struct Buyers: Sendable {
        let latch = Latch()
        let called = NIOLockedValueBox<[AdBidderID: Int]>([:])

        @Sendable func call(_ notice: AdNotice) async -> AdNoticeOutcome {
            called.withLockedValue { $0[notice.bidderID, default: 0] += 1 }
            if notice.bidderID == "stuck" { await latch.wait() }
            return .acknowledged(204)
        }
    }

    @Test func `a buyer with hundreds of calls that hang leaves the others their calls`() async throws {
        try await TestDatabase.with(.sqlite, migrations: JobsSchema.migrations + AdsSchema.migrations) {
            database in
            let clock = TestClock(), buyers = Buyers()
            try await queue((0..<400).map { loss($0, of: "stuck", at: clock.now) }, database)
            clock.advance(by: .seconds(1))
            try await queue((0..<300).map { bill($0, of: "quick", at: clock.now) }, database)
            let sender = Node(database, clock, call: buyers.call).runner
            try await within(.seconds(60)) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    defer { buyers.latch.open() }
                    group.addTask { await sender.run() }
                    for await _ in TimerSequence(every: .milliseconds(10)) {
                        if try await states(database)["acknowledged"] == 300 { break }
                    }
                    let called = buyers.called.withLockedValue { $0 }
                    #expect(
                        called["quick"] == 300 && called["stuck", default: 0] <= AdNoticeJobs.maximumPerLane)
                    buyers.latch.open()
                    for await _ in TimerSequence(every: .milliseconds(10)) {
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
            environmentID: "harbor", id: "1", unitID: AdUnitID("u"), priceNanos: 1, madeAt: moment,
            expiresAt: moment,
            endsAt: moment)
        impression.bidderID = "b"
        let reward = AdNotice(
            impression, .reward, url: "https://Shop.example:8443/r?a=1", amountNanos: 0, at: moment)
        #expect(reward.lane == "reward/shop.example")
    }
}
