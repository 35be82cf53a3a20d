import Foundation
import InlaySQL
import InlaySQLTesting
import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayAdsServer
@testable import InlayCardsServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// Sums to which many writers add: no writer waits for another, and nothing is lost or counted twice.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CounterTests {
    private static let now = CardsServerFixture.start

    private static func add(_ connection: any SQLConnection, at moment: Timestamp = now) throws {
        try CardCounters.add(.displayed, "env", templateID: "t", at: moment, in: connection)
    }

    /// Holds a transaction of one writer open while another commits.
    private func commit(
        _ second: any SQLDatabase, while first: any SQLDatabase,
        _ add: @escaping @Sendable (any SQLConnection) throws -> Void
    ) async throws {
        try await whileOpen(on: first, add) { try await second.write { try add($0) } }
    }

    /// Calls the body while a transaction is open that has run a statement.
    private func whileOpen(
        on first: any SQLDatabase, _ statement: @escaping @Sendable (any SQLConnection) throws -> Void,
        body: () async throws -> Void
    ) async throws {
        let entered = Flag(), end = BlockingLatch()
        async let held: Void = first.write { connection in
            try statement(connection)
            entered.set()
            // The latch's limit matters only when the test has failed: the other statement ends after 10 s.
            try end.wait()
        }
        let outcome: Result<Void, any Error>
        do {
            try await eventually(within: .seconds(120)) { entered.isSet }
            try await body()
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        end.open()
        try await held
        try outcome.get()
    }

    @Test func `a writer commits its count while another holds its own of the same template open`()
        async throws
    {
        try await Nodes.with(2, .postgresql, migrations: CardsServerFixture.migrations) { nodes in
            try await commit(nodes[1], while: nodes[0]) { try Self.add($0) }
            // The lanes of one node are writers like any other.
            try await commit(nodes[0].lane("analytics"), while: nodes[0].lane("cards")) { try Self.add($0) }
            let fixture = CardsServerFixture(nodes[0])
            #expect(try await fixture.analytics.totals("env")["t"]?.displayed == 4)
        }
    }

    @Test func `a writer commits a display of a seen card while another holds its own display of it open`()
        async throws
    {
        try await Nodes.with(2, .postgresql, migrations: CardsServerFixture.migrations) { nodes in
            let fixture = CardsServerFixture(nodes[0])
            let template = try await fixture.publish()
            let card = try await fixture.card()
            let display: @Sendable (any SQLConnection) throws -> Void = { connection in
                let intake = AnalyticsIntake(
                    environmentID: "env", userID: "ada", now: Self.now, connection: connection)
                let event = AnalyticsEvent(
                    id: UUID().uuidString, name: "card-displayed", time: Self.now, containerID: "main",
                    cardID: card.id)
                _ = try intake.receipt(for: event)
            }
            try await nodes[0].write { try display($0) }
            try await commit(nodes[1], while: nodes[0], display)
            #expect(try await fixture.analytics.totals("env")[template.id]?.displayed == 3)
        }
    }

    @Test func `a writer commits a day's line of ads while another holds its own of the same line open`()
        async throws
    {
        try await Nodes.with(2, .postgresql, migrations: JobsSchema.migrations + AdsSchema.migrations) {
            nodes in
            var count = AdDayCount()
            count.impressions = 2
            count.revenueNanos = 3
            let line = AdDayCount.Line(
                environmentID: "env", day: 5, unitID: AdUnitID("unit"), campaignID: "campaign")
            try await commit(nodes[1], while: nodes[0]) { [count] in try count.add(to: line, $0) }
            let total = try await AdReportStore(database: nodes[0]).total("env", days: 5...5)
            #expect(total.impressions == 4 && total.revenueNanos == 6)
        }
    }

    /// Stores displays of a card on all nodes at the same time; each batch is sent again until it is stored.
    private func display(
        _ count: Int, on nodes: [any SQLDatabase], card: String, killing kill: (@Sendable () throws -> Void)?
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (node, database) in nodes.enumerated() {
                group.addTask {
                    let store = AnalyticsStore(database: database, now: { Self.now })
                    for number in 0..<count {
                        if node == 0, number == count / 3 || number == count * 2 / 3 { try kill?() }
                        let events = (0..<50).map { part in
                            AnalyticsEvent(
                                id: "\(node)-\(number)-\(part)", name: "card-displayed", time: Self.now,
                                containerID: "main", cardID: card)
                        }
                        try await Self.untilTaken(events, by: store)
                        // A body that fails rolls its counts back.
                        await #expect(throws: TestFailure.self) {
                            try await Self.rolledBack(on: database)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func untilTaken(_ events: [AnalyticsEvent], by store: AnalyticsStore) async throws {
        for _ in 0..<20 {
            do {
                _ = try await store.ingest("env", "ada", events)
                return
            } catch is SQLError {}
        }
        throw TestFailure("The database took no events.")
    }

    private static func rolledBack(on database: any SQLDatabase) async throws {
        for _ in 0..<20 {
            do {
                try await database.write { connection in
                    try CardCounters.add(
                        .displayed, count: 1_000, "env", templateID: "t", at: now, in: connection)
                    throw TestFailure("on purpose")
                }
            } catch is SQLError {}
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `sums equal the rows after four writers, bodies that fail, and two kills`(_ engine: SQLEngine)
        async throws
    {
        try await Nodes.with(4, engine, migrations: CardsServerFixture.migrations) { nodes in
            let fixture = CardsServerFixture(nodes[0])
            let template = try await fixture.publish()
            let card = try await fixture.card()
            var kill: (@Sendable () throws -> Void)?
            if engine == .postgresql {
                let name = try await nodes[0].read {
                    try $0.row("SELECT current_database() AS name")?.text("name")
                }
                kill = { try Self.killConnections(name ?? "") }
            }
            try await display(40, on: nodes, card: card.id, killing: kill)
            let rows = try await nodes[1].read {
                try $0.row("SELECT COUNT(*) AS n FROM analytics_events")?.int("n")
            }
            #expect(rows == 4 * 40 * 50)
            let totals = try await fixture.analytics.totals("env")
            #expect(totals[template.id]?.displayed == rows && totals["t"] == nil)
        }
    }

    /// Terminates every connection of the nodes, also in the middle of a statement.
    private static func killConnections(_ database: String) throws {
        let url = try #require(ProcessInfo.processInfo.environment["INLAY_TEST_POSTGRES"])
        try PostgresAdmin.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(database)'", at: url)
    }

    @Test(arguments: SQLEngine.allCases)
    func `rows of slots that are over are folded into one, and the sums stay`(_ engine: SQLEngine)
        async throws
    {
        try await Nodes.with(3, engine, migrations: CardsServerFixture.migrations) { nodes in
            let fixture = CardsServerFixture(nodes[0])
            @Sendable func add(at moment: Timestamp) async throws {
                for writer in 1...3 {
                    try await nodes[0].write {
                        try Self.add(NumberedConnection(base: $0, writerNumber: Int64(writer)), at: moment)
                    }
                }
            }
            func writers() async throws -> [Int64] {
                try await nodes[0].read {
                    try $0.rows("SELECT writer FROM card_numbers ORDER BY slot, writer")
                        .map { try $0.int64("writer") }
                }
            }
            let old = Self.now + .seconds(-7_200)
            try await add(at: old)
            try await add(at: Self.now)
            #expect(try await writers() == [1, 2, 3, 1, 2, 3])
            // All nodes fold at the same time, while another task adds to what they fold.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for node in nodes { group.addTask { try await CardCounters.fold(at: Self.now, in: node) } }
                group.addTask { try await add(at: old) }
                try await group.waitForAll()
            }
            try await CardCounters.fold(at: Self.now, in: nodes[1])
            #expect(try await writers() == [0, 1, 2, 3])
            #expect(try await fixture.analytics.totals("env")["t"]?.displayed == 9)
        }
    }

    @Test func `a fold leaves rows that another node holds, and adds those of one key at once`() async throws
    {
        try await Nodes.with(2, .postgresql, migrations: CardsServerFixture.migrations) { nodes in
            let fixture = CardsServerFixture(nodes[0])
            let old = Self.now + .seconds(-7_200)
            for writer in Int64(1)...4 {
                try await nodes[0].write {
                    try Self.add(NumberedConnection(base: $0, writerNumber: writer), at: old)
                }
            }
            let folding = RecordingDatabase(nodes[1])
            try await whileOpen(on: nodes[0]) {
                try $0.execute("UPDATE card_numbers SET displayed = displayed WHERE writer = 2")
            } body: {
                try await CardCounters.fold(at: Self.now, in: folding)
            }
            #expect(folding.statements.count { $0.sql.contains("INSERT") } == 1)
            func writers() async throws -> [Int64] {
                try await nodes[0].read {
                    try $0.rows("SELECT writer FROM card_numbers ORDER BY writer").map {
                        try $0.int64("writer")
                    }
                }
            }
            #expect(try await writers() == [0, 2])
            try await CardCounters.fold(at: Self.now, in: folding)
            #expect(try await writers() == [0])
            #expect(try await fixture.analytics.totals("env")["t"]?.displayed == 4)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `lines of ads of days that are over are folded into one, and the sums stay`(_ engine: SQLEngine)
        async throws
    {
        try await TestDatabase.with(engine, migrations: JobsSchema.migrations + AdsSchema.migrations) {
            database in
            let today = AdPace.day(of: Self.now)
            var count = AdDayCount()
            count.clicks = 1
            for day in [today - 2, today] {
                for writer in 1...3 {
                    let line = AdDayCount.Line(environmentID: "env", day: day, unitID: AdUnitID("unit"))
                    try await database.write { [count] in
                        try count.add(to: line, NumberedConnection(base: $0, writerNumber: Int64(writer)))
                    }
                }
            }
            try await AdSweeper(database: database, now: { Self.now }).sweep()
            let writers = try await database.read {
                try $0.rows("SELECT writer FROM ad_days ORDER BY day, writer").map { try $0.int64("writer") }
            }
            #expect(writers == [0, 1, 2, 3])
            let total = try await AdReportStore(database: database).total("env", days: today - 2...today)
            #expect(total.clicks == 6)
        }
    }
}
