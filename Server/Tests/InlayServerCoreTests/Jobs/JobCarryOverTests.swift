import InlaySQL
import InlaySQLTesting
import InlayTesting
@_spi(Inlay) import InlayWire
import Metrics
import Testing

@testable import InlayAdsServer
@testable import InlayCardsServer
@testable import InlayDevicesServer
@testable import InlayHubServer
@testable import InlayServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// The migration of rows that wait in a database of an earlier version to jobs.
@Suite(.timeLimit(.minutes(3))) struct JobCarryOverTests {
    /// Migrates up to the step before `name`, runs the statements, and migrates the rest.
    private func carryOver(
        _ engine: SQLEngine, after earlier: [SQLMigration] = [], _ steps: [SQLMigration], to name: String,
        _ statements: [String], _ body: (any SQLDatabase) async throws -> Void
    ) async throws {
        let old = Array(steps.prefix { $0.name != name })
        #expect(old.count < steps.count)
        try await TestDatabase.with(engine, migrations: earlier + AccountsSchema.migrations + old) {
            database in
            try await database.write { for statement in statements { try $0.execute(statement) } }
            let jobs = steps.contains { $0.feature == "jobs" } ? [] : JobsSchema.migrations
            try await database.migrate(jobs + AccountsSchema.migrations + steps)
            try await body(database)
        }
    }

    private func jobs(_ database: any SQLDatabase) async throws -> [String] {
        try await database.read {
            try $0.rows("SELECT * FROM jobs ORDER BY kind, key").map { row in
                let expiry = try row.optionalInt64("expires_at").map { " until \($0)" } ?? ""
                return """
                    \(try row.text("environment_id")) \(try row.text("lane")) \(try row.text("key")) at \
                    \(try row.int64("due_at"))\(expiry) tried \(try row.int("attempts")) of at least \
                    \(try row.int("minimum_attempts")) '\(try row.text("payload"))'
                    """
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `mails and ended users that waited become jobs with their attempts and times`(_ engine: SQLEngine)
        async throws
    {
        let statements =
            OldRows.environment + OldRows.application + [
                try OldRows.mail("waits", isSent: false), try OldRows.mail("sent", isSent: true),
                OldRows.endedUser("once", rounds: 1, next: 80), OldRows.endedUser("new", rounds: 0, next: 90),
            ]
        try await carryOver(engine, DevicesSchema.migrations, to: "0010-jobs", statements) { database in
            #expect(
                try await jobs(database) == [
                    "e devices.erasure/e new at 90 tried 0 of at least 0 ''",
                    "e devices.erasure/e once at 80 tried 0 of at least 0 '1'",
                    "e devices.mail/e waits at 70 until 899 tried 3 of at least 0 ''",
                ])
            let feature = FailingErasure(), time = TestClock(Timestamp(microseconds: 100))
            try await UserErasureJobs.runner(database, time, [feature]).runDue()
            #expect(feature.erased.value.sorted() == ["new", "once"])
            let store = MailStore(database: database, now: { time.now })
            let queue = JobQueue(database: database, now: { time.now })
            let handler = MailJobs(
                mails: store,
                client: SMTPClient(
                    try SMTPSettings(
                        host: "127.0.0.1", port: 1, security: .none, user: nil, password: nil,
                        sender: "a@b.example")), logger: .quiet)
            let runner = JobRunner(
                queue, [handler], logger: .quiet, metrics: NOOPMetricsHandler.instance)
            let claimed = try await runner.claimDue().batches.flatMap(\.jobs)
            let due = try await store.waitingMails(of: claimed)
            #expect(due.values.map(\.recipient) == ["ada@example.com"] && claimed.map(\.attempts) == [4])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `open pairings become jobs at the end of their tokens, and their periodic task ends`(
        _ engine: SQLEngine
    ) async throws {
        let task = """
            INSERT INTO jobs (environment_id, kind, key, lane, due_at, attempts, minimum_attempts, payload, last_error)
            VALUES ('', 'maintenance', 'devices.pairings', 'maintenance/devices.pairings', 50, 0, 0, '', '')
            """
        let statements = [
            OldRows.pairing("issued", "issued", settled: "NULL"),
            OldRows.pairing("seen", "seen", settled: "NULL"),
            OldRows.pairing("held", "seen", settled: "60"),
            OldRows.pairing("paired", "paired", settled: "60"), task,
        ]
        let steps = JobsSchema.migrations + DevicesSchema.migrations
        try await carryOver(engine, steps, to: "0011-pairing-jobs", statements) { database in
            let found = try await self.jobs(database)
            #expect(
                found == [
                    "e devices.pairing/e issued at 70 tried 0 of at least 0 ''",
                    "e devices.pairing/e seen at 70 tried 0 of at least 0 ''",
                ])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `notices that waited become jobs in their lanes, with the time after which they are given up`(
        _ engine: SQLEngine
    ) async throws {
        let statements = [
            OldRows.notice("bill", "burl", lane: "e/b/bills", next: "70"),
            OldRows.notice("loss", "lurl", lane: "e/b/news", next: "80"),
            OldRows.notice("sent", "burl", lane: "e/b/bills", next: "NULL"),
        ]
        try await carryOver(engine, AdsSchema.migrations, to: "0009-jobs", statements) { database in
            #expect(
                try await jobs(database) == [
                    "e ads.notice/e/b/bills bill at 70 until 86400000010 tried 2 of at least 1 ''",
                    "e ads.notice/e/b/news loss at 80 until 600000010 tried 2 of at least 0 ''",
                ])
            let called = SharedValue<[String]>([]), time = TestClock(Timestamp(microseconds: 100))
            let handler = AdNoticeJobs(store: AdNoticeStore(database: database) { time.now }) { notice in
                called.change { $0.append(notice.id) }
                return .acknowledged(204)
            }
            try await JobRunner(
                JobQueue(database: database, now: { time.now }), [handler], logger: .quiet,
                metrics: NOOPMetricsHandler.instance
            ).runDue()
            #expect(called.value.sorted() == ["bill", "loss"])
            #expect(try await jobs(database).isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `sources that waited become jobs at their moments`(_ engine: SQLEngine) async throws {
        let statements = [
            OldRows.source("published", next: "70"), OldRows.source("draft", next: "NULL"),
        ]
        try await carryOver(engine, HubSchema.migrations, to: "0005-jobs", statements) { database in
            let found = try await self.jobs(database)
            #expect(found == ["e hub.source/e published at 70 tried 0 of at least 0 ''"])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `feeds in which something is due become jobs at their moments`(_ engine: SQLEngine) async throws {
        let statements = [OldRows.feed("ada/1", next: "70"), OldRows.feed("bob", next: "NULL")]
        try await carryOver(engine, CardsSchema.migrations, to: "0010-jobs", statements) { database in
            #expect(
                try await jobs(database) == ["e cards.feed/e main/ada/1 at 70 tried 0 of at least 0 ''"])
            let time = TestClock(Timestamp(microseconds: 100))
            try await CardsServerFixture(database, time: time).feedJobs.runner.runDue()
            #expect(try await jobs(database).isEmpty, "the feed has no card that changes")
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `events that were not finished become jobs with their times and failures, and are finished`(
        _ engine: SQLEngine
    ) async throws {
        let statements = try OldRows.events
        try await carryOver(
            engine, after: JobsSchema.migrations, CardsSchema.migrations + AnalyticsSchema.migrations,
            to: "0011-event-jobs", statements
        ) { database in
            #expect(
                try await jobs(database) == [
                    "e cards.audience/e searched at 70 tried 2 of at least 0 ''",
                    "e cards.delivery/e listed at 70 tried 2 of at least 0 ''",
                ])
            let fixture = CardsServerFixture(database, time: TestClock(Timestamp(microseconds: 100)))
            try await fixture.events.runJobs()
            #expect(try await jobs(database).isEmpty)
            let events = try await fixture.events.recent("e")
            #expect(events.count == 3 && events.allSatisfy(\.isComplete))
            let users = try await database.read {
                try $0.rows("SELECT user_id FROM card_instances").map { try $0.text("user_id") }
            }
            #expect(users == ["ada"])
        }
    }

    /// Returns the jobs of environments with their attempts and payloads.
    private func waiting(_ database: any SQLDatabase) async throws -> [String] {
        try await database.read {
            try $0.rows("SELECT * FROM jobs WHERE environment_id <> '' ORDER BY kind, key").map { row in
                [
                    try row.text("kind"), try row.text("key"), "\(try row.int("attempts"))",
                    try row.text("payload"),
                ].filter { !$0.isEmpty }.joined(separator: " ")
            }
        }
    }

    /// Returns the migrations of a server version that had no jobs yet.
    private func oldSteps() async throws -> [SQLMigration] {
        let all = try await TestDatabase.withFolder { folder in
            var configuration = InlayServerConfiguration()
            configuration.database = SecretString("sqlite:\(folder)/new.sqlite")
            let server = try await InlayServer.make(configuration, logger: .quiet)
            defer { server.close() }
            return server.features.migrations
        }
        let firstNew = ["cards": "0010-jobs", "devices": "0010-jobs", "ads": "0009-jobs", "hub": "0005-jobs"]
        var ended: Set<String> = ["jobs"]
        return all.filter { step in
            if firstNew[step.feature] == step.name { ended.insert(step.feature) }
            return !ended.contains(step.feature)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a server takes over a database in which work of every kind waits, and goes on with it`(
        _ engine: SQLEngine
    ) async throws {
        let steps = try await oldSteps()
        let statements =
            try OldRows.environment + OldRows.application + OldRows.events + [
                OldRows.mail("waits", isSent: false),
                OldRows.endedUser("once", rounds: 1, next: 80), OldRows.endedUser("new", rounds: 0, next: 90),
                OldRows.notice("bill", "burl", lane: "e/b/bills", next: "70"),
                OldRows.notice("loss", "lurl", lane: "e/b/news", next: "200"),
                OldRows.source("published", next: "200"), OldRows.feed("bob", next: "70"),
                OldRows.pairing("issued", "issued", settled: "NULL"),
            ]
        try await TestDatabase.withURL(engine) { url in
            let old = try await SQLDatabaseURL.open(url)
            try await old.migrate(steps)
            try await old.write { for statement in statements { try $0.execute(statement) } }
            old.close()
            let clock = TestClock(Timestamp(microseconds: 100))
            try await TestApp.run(url: url, clock: clock) { app in
                let database = app.services.database
                // The mail waits for a mail server, and `bill` for its next attempt, as its address was refused.
                let expected = [
                    "ads.notice bill 3", "ads.notice loss 2", "devices.erasure new 0 1",
                    "devices.mail waits 3",
                    "hub.source published 0",
                ]
                try await eventually { try await waiting(database) == expected }
                let events = try await app.server.features.cards.events.recent("e")
                #expect(events.count == 3 && events.allSatisfy(\.isComplete))
                let users = try await database.read {
                    try $0.rows("SELECT user_id FROM card_instances").map { try $0.text("user_id") }
                }
                #expect(users == ["ada"])
                let pairing = try await database.read { try $0.row("SELECT state FROM device_pairings") }
                #expect(try pairing?.text("state") == "expired")
            }
        }
    }
}
