import InlaySQL
import InlaySQLTesting
@_spi(Inlay) import InlayWire
import Metrics
import Testing

@testable import InlayAdsServer
@testable import InlayCardsServer
@testable import InlayDevicesServer
@testable import InlayHubServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// What waits in a database of an earlier version, and becomes jobs.
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
        let message = try JSONColumn.text(MailMessage.welcome("Harbor", code: "ABCDEFGH"))
        let mail = """
            INSERT INTO device_mails (environment_id, id, application_id, recipient, kind, subject, body, state, tries,
                next_at, useless_at, created_at) VALUES
            """
        let statements = [
            "INSERT INTO organisations (id, name, created_at) VALUES ('o', 'Harbor', 0)",
            "INSERT INTO environments (id, organisation_id, name, created_at) VALUES ('e', 'o', 'Harbor', 0)",
            """
            INSERT INTO device_applications (environment_id, id, name, opens_at_once, pairs_unproven,
                shortest_password, created_at) VALUES ('e', 'app', 'Harbor', 0, 0, 8, 0)
            """,
            "\(mail) ('e', 'waits', 'app', 'ada@example.com', 'welcome', 's', '\(message)', 'waiting', 3, 70, 900, 1)",
            "\(mail) ('e', 'sent', 'app', 'ada@example.com', 'welcome', 's', NULL, 'sent', 1, 70, 900, 1)",
            "INSERT INTO device_ended_users (environment_id, user_id, rounds, next_at) VALUES ('e', 'once', 1, 80)",
            "INSERT INTO device_ended_users (environment_id, user_id, rounds, next_at) VALUES ('e', 'new', 0, 90)",
        ]
        try await carryOver(engine, DevicesSchema.migrations, to: "0010-jobs", statements) { database in
            #expect(
                try await jobs(database) == [
                    "e devices.erasure/e new at 90 tried 0 of at least 0 ''",
                    "e devices.erasure/e once at 80 tried 0 of at least 0 '1'",
                    "e devices.mail/e waits at 70 until 899 tried 3 of at least 0 ''",
                ])
            let room = UnwillingRoom(), time = TestTime(Timestamp(microseconds: 100))
            try await EndedUsers.runner(database, time, [room]).runDue()
            #expect(room.asked.value.sorted() == ["new", "once"])
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
            let due = try await store.due(claimed)
            #expect(due.values.map(\.recipient) == ["ada@example.com"] && claimed.map(\.attempts) == [4])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `open pairings become jobs at the end of their tokens, and their periodic task ends`(
        _ engine: SQLEngine
    ) async throws {
        func pairing(_ id: String, _ state: String, settled: String) -> String {
            """
            INSERT INTO device_pairings (environment_id, id, token_hash, account_id, application_id, session_id, state,
                is_held, created_at, settled_at, expires_at)
            VALUES ('e', '\(id)', '\(id)', 'a', 'app', 's', '\(state)', 0, 1, \(settled), 70)
            """
        }
        let task = """
            INSERT INTO jobs (environment_id, kind, key, lane, due_at, attempts, minimum_attempts, payload, last_error)
            VALUES ('', 'maintenance', 'devices.pairings', 'maintenance/devices.pairings', 50, 0, 0, '', '')
            """
        let statements = [
            pairing("issued", "issued", settled: "NULL"), pairing("seen", "seen", settled: "NULL"),
            pairing("held", "seen", settled: "60"), pairing("paired", "paired", settled: "60"), task,
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
        func notice(_ id: String, _ kind: String, _ lane: String, _ next: String, made: Int) -> String {
            """
            INSERT INTO ad_notices (environment_id, id, kind, impression_id, bidder_id, url, amount_nanos, device_ip,
                user_agent, lane, state, tries, next_at, made_at)
            VALUES ('e', '\(id)', '\(kind)', 'i', 'b', 'http://b.example/', 1, '', '', '\(lane)',
                '\(next == "NULL" ? "acknowledged" : "waiting")', 2, \(next), \(made))
            """
        }
        let statements = [
            notice("bill", "burl", "e/b/bills", "70", made: 10),
            notice("loss", "lurl", "e/b/news", "80", made: 10),
            notice("sent", "burl", "e/b/bills", "NULL", made: 10),
        ]
        try await carryOver(engine, AdsSchema.migrations, to: "0009-jobs", statements) { database in
            #expect(
                try await jobs(database) == [
                    "e ads.notice/e/b/bills bill at 70 until 86400000010 tried 2 of at least 1 ''",
                    "e ads.notice/e/b/news loss at 80 until 600000010 tried 2 of at least 0 ''",
                ])
            let called = Kept<[String]>([]), time = TestTime(Timestamp(microseconds: 100))
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
        func source(_ id: String, _ next: String) -> String {
            """
            INSERT INTO hub_sources (environment_id, id, name, settings, policy, notifications, version,
                content_version, timestamp_version, root_version, next_due_at, created_at, updated_at)
            VALUES ('e', '\(id)', 'Main', '{}', '{}', '{}', 1, 1, 1, 1, \(next), 0, 0)
            """
        }
        let statements = [source("published", "70"), source("draft", "NULL")]
        try await carryOver(engine, HubSchema.migrations, to: "0005-jobs", statements) { database in
            let found = try await self.jobs(database)
            #expect(found == ["e hub.source/e published at 70 tried 0 of at least 0 ''"])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `feeds in which something is due become jobs at their moments`(_ engine: SQLEngine) async throws {
        func feed(_ user: String, _ next: String) -> String {
            """
            INSERT INTO card_feeds (environment_id, user_id, container_id, version, had_cards, next_due_at, claim,
                claimed_until) VALUES ('e', '\(user)', 'main', 1, 0, \(next), 'c', 90)
            """
        }
        let statements = [feed("ada/1", "70"), feed("bob", "NULL")]
        try await carryOver(engine, CardsSchema.migrations, to: "0010-jobs", statements) { database in
            #expect(
                try await jobs(database) == ["e cards.feed/e main/ada/1 at 70 tried 0 of at least 0 ''"])
            let time = TestTime(Timestamp(microseconds: 100))
            try await CardWorld(database, time: time).clock.runner.runDue()
            #expect(try await jobs(database).isEmpty, "the feed has no card that changes")
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `events that were not finished become jobs with their times and failures, and are finished`(
        _ engine: SQLEngine
    ) async throws {
        let plan = try JSONColumn.text(
            CardPlan(
                target: .users([]), lifecycleID: "l",
                parts: [
                    CardPlan.Part(
                        templateID: "t", version: 1, containerIDs: ["main"], embargoUntil: nil,
                        expiresAt: nil,
                        payload: "{}")
                ]))
        let request = try JSONColumn.text(CardEventRequest(name: "ping", target: .users(["ada"])))
        func event(_ id: String, isDone: Int, isListed: Int, claim: String) -> String {
            """
            INSERT INTO card_events (environment_id, event_id, name, request, plan, position, cards, is_done,
                is_listed, next_at, claim, failures, failure, created_at, updated_at)
            VALUES ('e', '\(id)', 'ping', '\(request)', '\(plan)', '', 0, \(isDone), \(isListed), 70, \(claim), 2,
                'Dead', 0, 0)
            """
        }
        let statements = [
            event("ended", isDone: 1, isListed: 1, claim: "NULL"),
            event("listed", isDone: 0, isListed: 1, claim: "NULL"),
            event("searched", isDone: 0, isListed: 0, claim: "'c'"),
            "INSERT INTO card_audiences (environment_id, event_id, piece, user_ids, is_last) "
                + "VALUES ('e', 'listed', 0, '[\"ada\"]', 1)",
            // Of a search that was under way.
            "INSERT INTO card_audiences (environment_id, event_id, piece, user_ids, is_last) "
                + "VALUES ('e', 'searched', 0, '[\"bob\"]', 0)",
        ]
        try await carryOver(
            engine, after: JobsSchema.migrations, CardsSchema.migrations + AnalyticsSchema.migrations,
            to: "0011-event-jobs", statements
        ) { database in
            #expect(
                try await jobs(database) == [
                    "e cards.audience/e searched at 70 tried 2 of at least 0 ''",
                    "e cards.delivery/e listed at 70 tried 2 of at least 0 ''",
                ])
            let world = CardWorld(database, time: TestTime(Timestamp(microseconds: 100)))
            try await world.events.runJobs()
            #expect(try await jobs(database).isEmpty)
            let events = try await world.events.recent("e")
            #expect(events.count == 3 && events.allSatisfy(\.isComplete))
            let users = try await database.read {
                try $0.rows("SELECT user_id FROM card_instances").map { try $0.text("user_id") }
            }
            #expect(users == ["ada"])
        }
    }
}
