import Foundation
import InlaySQL
import InlaySQLTesting
import InlayTesting
@_spi(Inlay) import InlayWire
import Logging
import Metrics
import NIOConcurrencyHelpers
import Testing

@testable import InlayBehaviorsServer
@testable import InlayCardsServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// Tests of deliveries to many users: to segments, in batches, by several nodes.
@Suite(.timeLimit(.minutes(5))) struct CardDeliveryTests {
    @Test(arguments: SQLEngine.allCases)
    func `a segment's users are found by one statement outside of the writer, after the answer`(
        _ engine: SQLEngine
    ) async throws {
        try await DeliveryFixture.with(engine, users: 1_100) { fixture in
            let node = fixture.node()
            let receipt = try await node.events.send("env", DeliveryFixture.toQuiet("evt"))
            #expect(receipt.eventID == "evt" && receipt.cards == 0 && !receipt.isComplete)
            #expect(node.statements("behavior_events").isEmpty)
            // The node goes on at once, because its wakeup was called already.
            try await within { await node.events.jobs.wakeup.sleep(atMost: .seconds(600)) }
            #expect(try await node.findAudiences() == 1)
            try await within { await node.events.jobs.wakeup.sleep(atMost: .seconds(600)) }
            #expect(try await node.deliverDue() == 3)
            #expect(node.statements("behavior_events").map(\.access) == [.analytics])
            #expect(try await fixture.cardAndUserCounts() == [1_100, 1_100])
            #expect(try await fixture.cards.feed("buyer").cards.elements.isEmpty)
            let record = try await fixture.record()
            #expect(record.cards == 1_100 && record.isComplete)
            #expect(Set(node.changes.all.map(\.userID)).count == 1_100)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a send to one user does not wait for a segment's query, which one node runs`(_ engine: SQLEngine)
        async throws
    {
        try await DeliveryFixture.with(engine, users: 10) { fixture in
            let (node, other) = (fixture.node(), fixture.node())
            try await node.events.send("env", DeliveryFixture.toQuiet())
            let (asked, release) = (AsyncStream<Void>.makeStream(), BlockingLatch())
            node.database.beforeEachStatement { statement in
                guard statement.sql.contains("behavior_events") else { return }
                asked.continuation.yield()
                try release.wait()
            }
            async let found = node.findAudiences()
            for await _ in asked.stream { break }
            defer { release.open() }
            let request = CardEventRequest(name: "ping", target: .users(["ada"]))
            let receipt = try await within { try await node.events.send("env", request) }
            #expect(receipt.cards == 1 && receipt.isComplete)
            #expect(try await other.findAudiences() == 0)
            #expect(try await other.deliverDue() == 0)
            release.open()
            #expect(try await found == 1)
            #expect(other.statements("behavior_events").isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an audience that a failed node stored in part is searched again, and each user has one card`(
        _ engine: SQLEngine
    ) async throws {
        try await DeliveryFixture.with(engine, users: 4_200) { fixture in
            let (node, other) = (fixture.node(), fixture.node())
            try await node.events.send("env", DeliveryFixture.toQuiet())
            node.failStatements(from: 2, containing: "INSERT INTO card_audiences")
            await #expect(throws: NodeStopped.self) { try await node.findAudiences() }
            #expect(try await other.findAudiences() == 0)
            fixture.cards.time.advance(by: CardAudienceJobs.lease)
            #expect(try await other.findAudiences() == 1)
            _ = try await other.deliverDue()
            #expect(try await fixture.cardAndUserCounts() == [4_200, 4_200])
            #expect(try await fixture.record().isComplete)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `when a node fails during a delivery, another continues within a second, and each user has one card`(
        _ engine: SQLEngine
    ) async throws {
        try await DeliveryFixture.with(engine, users: 3_000) { fixture in
            let (node, other, third) = (fixture.node(), fixture.node(), fixture.node())
            try await node.events.send("env", DeliveryFixture.toQuiet())
            _ = try await node.findAudiences()
            node.failStatements(from: 3, containing: "INSERT INTO card_instances")
            await #expect(throws: NodeStopped.self) { try await node.deliverDue() }
            #expect(try await fixture.cardAndUserCounts() == [1_024, 1_024])
            #expect(try await other.deliverDue() == 0)
            // Another node waits no longer than the lease.
            #expect(CardDeliveryJobs.lease < .seconds(1))
            fixture.cards.time.advance(by: CardDeliveryJobs.lease)
            async let pieces = other.deliverDue()
            async let more = third.deliverDue()
            #expect(try await pieces + more >= 4)
            #expect(try await fixture.cardAndUserCounts() == [3_000, 3_000])
            let record = try await fixture.record()
            #expect(record.cards == 3_000 && record.isComplete)
            let changes = other.changes.all + third.changes.all
            #expect(changes.count == 3_000 - 1_024 && changes.allSatisfy { $0.version == 1 })
            #expect(try await fixture.cards.analytics.totals("env").values.map(\.sent) == [3_000])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a delivery goes on without a pause when its sender has its answer`(_ engine: SQLEngine) async throws
    {
        try await DeliveryFixture.with(engine, users: 5_999) { fixture in
            let node = fixture.node()
            let receipt = try await node.events.send("env", CardEventRequest(name: "ping", target: .all))
            #expect((5_000..<6_000).contains(receipt.cards) && !receipt.isComplete)
            try await within { await node.events.jobs.wakeup.sleep(atMost: .seconds(600)) }
            // The clock has not advanced, so the delivery continues without a pause.
            #expect(try await node.deliverDue() == 2)
            #expect(try await fixture.cardAndUserCounts() == [6_000, 6_000])
            // Single sends have another lane.
            let lanes = node.statements("INSERT INTO card_instances").map(\.lane)
            #expect(lanes == ["main"] + Array(repeating: "card-deliveries", count: 11))
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a running server delivers by itself`(_ engine: SQLEngine) async throws {
        try await DeliveryFixture.with(engine, users: 700) { fixture in
            let node = fixture.node()
            try await withThrowingTaskGroup(of: Void.self) { group in
                let runner = node.runner(
                    CardAudienceJobs(events: node.events), CardDeliveryJobs(events: node.events))
                group.addTask { await runner.run() }
                try await node.events.send("env", DeliveryFixture.toQuiet())
                let done = fixture.cards.events
                try await eventually(within: .seconds(120)) {
                    try await done.recent("env").first?.isComplete == true
                }
                group.cancelAll()
            }
            #expect(try await fixture.cardAndUserCounts() == [700, 700])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a thousand users take at most twenty statements`(_ engine: SQLEngine) async throws {
        // With these numbers of users, the last batch is nearly empty or nearly full.
        try await DeliveryFixture.with(engine, users: 3_999) { fixture in
            let node = fixture.node()
            let named = (0..<5_000).map { UserID("new-\($0)") }
            for (target, users) in [(UserTarget.segment("quiet"), 4), (.all, 4), (.users(named), 5)] {
                node.database.clearStatements()
                node.wakes.withLockedValue { $0 = 0 }
                try await node.events.send("env", CardEventRequest(name: "ping", target: target))
                try await node.events.runJobs()
                // Renewals of leases depend on the time that passes. A clock that is woken runs two statements: one for
                // what is due, one for the next due time.
                let statements = node.database.statements.filter { $0.lane != "job-leases" }
                let count = statements.count + 2 * node.wakes.withLockedValue { $0 }
                #expect(count <= 20 * users, "\(users),000 users: \(count) statements")
            }
            #expect(try await fixture.cardAndUserCounts() == [3_999 + 4_000 + 5_000, 9_000])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a delivery wakes the clock for cards that are due at a moment, and for no others`(
        _ engine: SQLEngine
    ) async throws {
        try await DeliveryFixture.with(engine, users: 600) { fixture in
            let node = fixture.node()
            var event = CardEventRequest(name: "ping", target: .all, lifecycleID: "l")
            try await node.events.send("env", event)
            let cancel = CardCancelRequest(lifecycleID: "l", target: .all)
            #expect(try await node.events.cancel("env", cancel).cards == 601)
            #expect(node.wakes.withLockedValue { $0 } == 0)
            event.expiresAt = fixture.cards.time.now + .seconds(60)
            try await node.events.send("env", event)
            #expect(node.wakes.withLockedValue { $0 } == 2)
            event.expiresAt = nil
            event.embargoUntil = fixture.cards.time.now + .seconds(60)
            try await node.events.send("env", event)
            #expect(node.wakes.withLockedValue { $0 } == 4)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `cancelling for a segment searches its users once and cancels only their cards`(_ engine: SQLEngine)
        async throws
    {
        try await DeliveryFixture.with(engine, users: 600) { fixture in
            let node = fixture.node()
            var event = CardEventRequest(name: "ping", target: .all)
            event.lifecycleID = "l"
            try await node.events.send("env", event)
            node.database.clearStatements()
            let request = CardCancelRequest(lifecycleID: "l", target: .segment("quiet"))
            #expect(try await node.events.cancel("env", request).cards == 600)
            #expect(node.statements("behavior_events").map(\.access) == [.analytics])
            #expect(node.database.statements.count < 20)
            #expect(try await fixture.cards.feed("buyer").cards.elements.count == 1)
            #expect(try await fixture.cards.feed("user-7").cards.elements.isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a user who is erased leaves the audiences that wait, and gets no card`(_ engine: SQLEngine)
        async throws
    {
        try await DeliveryFixture.with(engine, users: 3) { fixture in
            let node = fixture.node()
            try await node.events.send("env", DeliveryFixture.toQuiet())
            _ = try await node.findAudiences()
            try await CardAudience.erase("user-1", "other", node.database)
            let kept = try await node.database.read {
                try $0.rows("SELECT user_ids FROM card_audiences").map { try $0.text("user_ids") }
            }
            #expect(kept == [#"["user-0","user-1","user-2"]"#])
            node.database.clearStatements()
            try await CardAudience.erase("user-1", "env", node.database)
            // The search through all audiences does not occupy the writer.
            #expect(node.statements("LIKE").map(\.access) == [.read])
            _ = try await node.deliverDue()
            #expect(try await fixture.cardAndUserCounts() == [2, 2])
            #expect(try await fixture.cards.feed("user-1").cards.elements.isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a user who is erased while the segment is searched gets no card`(_ engine: SQLEngine) async throws {
        try await DeliveryFixture.with(engine, users: 3) { fixture in
            let (node, erasing) = (fixture.node(), fixture.node())
            try await node.events.send("env", DeliveryFixture.toQuiet())
            let (searching, release) = (AsyncStream<Void>.makeStream(), BlockingLatch())
            node.database.beforeEachStatement { statement in
                guard statement.sql.contains("behavior_events") else { return }
                searching.continuation.yield()
                try release.wait()
            }
            async let found = node.findAudiences()
            for await _ in searching.stream { break }
            try await CardAudience.erase("user-1", "env", erasing.database)
            try await CardAudience.erase("user-2", "other", erasing.database)
            release.open()
            #expect(try await found == 1)
            _ = try await node.deliverDue()
            #expect(try await fixture.cards.feed("user-1").cards.elements.isEmpty)
            #expect(try await fixture.cardAndUserCounts() == [2, 2])
            // The event no longer contains the user's id.
            let kept = try await node.database.read {
                try $0.rows("SELECT erased_user_ids FROM card_events").map { try $0.text("erased_user_ids") }
            }
            #expect(kept == [""])
        }
    }

    @Test func `a user who is erased while an audience is stored gets no card`() async throws {
        try await DeliveryFixture.with(.postgresql, users: 3) { fixture in
            let (node, erasing) = (fixture.node(), fixture.node())
            try await node.events.send("env", DeliveryFixture.toQuiet())
            let (storing, release) = (AsyncStream<Void>.makeStream(), BlockingLatch())
            node.database.beforeEachStatement { statement in
                guard statement.sql.contains("INSERT INTO card_audiences") else { return }
                storing.continuation.yield()
                try release.wait()
            }
            async let found = node.findAudiences()
            for await _ in storing.stream { break }
            let isErased = NIOLockedValueBox(false)
            async let erased: Void = {
                try await CardAudience.erase("user-1", "env", erasing.database)
                isErased.withLockedValue { $0 = true }
            }()
            // The erasure either ends before the audience is stored, or waits for it.
            let database = fixture.cards.database
            try await eventually {
                if isErased.withLockedValue({ $0 }) { return true }
                return try await database.isAnyoneWaiting()
            }
            release.open()
            #expect(try await found == 1)
            try await erased
            _ = try await node.deliverDue()
            #expect(try await fixture.cards.feed("user-1").cards.elements.isEmpty)
            #expect(try await fixture.cardAndUserCounts() == [2, 2])
        }
    }

    /// Erases `user-1`, and on another node `user-2`, after the first erasure has read the rows that name both. SQLite
    /// has one writer: there, the second erasure waits for the first.
    private func eraseTwo(
        _ engine: SQLEngine, _ fixture: DeliveryFixture, before text: String,
        _ erase: @escaping @Sendable (UserID, any SQLDatabase) async throws -> Void
    ) async throws {
        let (first, second) = (fixture.node().database, fixture.node().database)
        let (read, release) = (AsyncStream<Void>.makeStream(), BlockingLatch())
        first.beforeEachStatement { statement in
            guard statement.sql.contains(text) else { return }
            read.continuation.yield()
            try release.wait()
        }
        async let erased: Void = erase("user-1", first)
        for await _ in read.stream { break }
        if engine == .sqlite { release.open() }
        let result = await Task { try await within { try await erase("user-2", second) } }.result
        release.open()
        try await erased
        try result.get()
    }

    @Test(arguments: SQLEngine.allCases)
    func `two erasures at a time leave neither user in an audience`(_ engine: SQLEngine) async throws {
        try await DeliveryFixture.with(engine, users: 3) { fixture in
            let node = fixture.node()
            try await node.events.send("env", DeliveryFixture.toQuiet())
            _ = try await node.findAudiences()
            try await eraseTwo(engine, fixture, before: "UPDATE card_audiences") {
                try await CardAudience.erase($0, "env", $1)
            }
            _ = try await node.deliverDue()
            #expect(try await fixture.cardAndUserCounts() == [1, 1])
            #expect(try await fixture.cards.feed("user-0").cards.elements.count == 1)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `two erasures at a time leave neither user's name in an event`(_ engine: SQLEngine) async throws {
        try await DeliveryFixture.with(engine, users: 3) { fixture in
            let users: [UserID] = ["user-0", "user-1", "user-2"]
            let event = CardEventRequest(name: "ping", target: .users(users))
            try await fixture.node().events.send("env", event)
            try await eraseTwo(engine, fixture, before: "UPDATE card_events SET request") {
                try await CardsFeature.eraseEvents("env", $0, $1)
            }
            let requests = try await fixture.cards.database.read {
                try $0.rows("SELECT request FROM card_events").map { try $0.text("request") }
            }
            #expect(requests.count == 1 && requests.allSatisfy { $0.contains("user-0") })
            #expect(!requests.contains { $0.contains("user-1") || $0.contains("user-2") })
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an event to a segment that is gone or empty ends without a card`(_ engine: SQLEngine) async throws {
        try await DeliveryFixture.with(engine, users: 0) { fixture in
            let node = fixture.node()
            try await node.events.send("env", DeliveryFixture.toQuiet())
            _ = try await node.findAudiences()
            _ = try await node.deliverDue()
            let record = try await fixture.record()
            #expect(record.cards == 0 && record.isComplete)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a segment larger than a query's limit is found and cancelled in several queries`(
        _ engine: SQLEngine
    )
        async throws
    {
        try await DeliveryFixture.with(engine, users: 1_200) { fixture in
            let node = fixture.node(usersPerQuery: 600)
            try await node.events.send("env", DeliveryFixture.toQuiet())
            #expect(try await node.findAudiences() == 1)
            #expect(node.statements("behavior_events").count == 3)
            _ = try await node.deliverDue()
            #expect(try await fixture.cardAndUserCounts() == [1_200, 1_200])
            #expect(try await fixture.record().isComplete)
            let again = CardEventRequest(name: "ping", target: .users(["buyer"]), lifecycleID: "l")
            try await node.events.send("env", again)
            node.database.clearStatements()
            let request = CardCancelRequest(lifecycleID: "l", target: .segment("quiet"))
            #expect(try await node.events.cancel("env", request).cards == 1_200)
            #expect(node.statements("behavior_events").count == 3)
            #expect(try await fixture.cards.feed("buyer").cards.elements.count == 1)
        }
    }

    /// The state of a delivery to the segment when it is cancelled.
    enum Progress: CaseIterable { case taken, listed, begun }

    @Test(arguments: SQLEngine.allCases, Progress.allCases)
    func `a cancel ends its delivery at every stage`(
        _ engine: SQLEngine, _ progress: Progress
    )
        async throws
    {
        try await DeliveryFixture.with(engine, users: 600) { fixture in
            let (node, other) = (fixture.node(), fixture.node())
            try await node.events.send("env", DeliveryFixture.toQuiet("evt"))
            if progress != .taken { _ = try await node.findAudiences() }
            if progress == .begun { _ = try await node.events.deliverNext("env", "evt") }
            let elsewhere = CardCancelRequest(lifecycleID: "other", target: nil)
            #expect(try await other.events.cancel("env", elsewhere).cards == 0)
            let single = CardCancelRequest(lifecycleID: "l", target: .users(["user-0"]))
            #expect(try await other.events.cancel("env", single).cards == (progress == .begun ? 1 : 0))
            #expect(try await !fixture.record().isComplete)
            let whole = CardCancelRequest(lifecycleID: "l", target: .segment("quiet"))
            #expect(try await other.events.cancel("env", whole).cards == (progress == .begun ? 511 : 0))
            #expect(try await node.findAudiences() == 0)
            #expect(try await node.deliverDue() == 0)
            let record = try await fixture.record()
            #expect(record.isComplete && record.isCancelled)
            #expect(try await fixture.cards.feed("user-7").cards.elements.isEmpty)
            let waiting = try await node.database.read {
                try $0.rows("SELECT piece FROM card_audiences").count
            }
            #expect(waiting == 0)
            let jobs = try await node.database.read { try $0.rows("SELECT key FROM jobs").count }
            #expect(jobs == 0)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a cancel reads only the deliveries with its lifecycle id`(_ engine: SQLEngine) async throws {
        try await DeliveryFixture.with(engine, users: 2) { fixture in
            let database = RowCountingDatabase(fixture.cards.database)
            let node = DeliveryNode(
                RecordingDatabase(database), fixture.cards.time, CardAudienceSearch.usersPerQuery, { $0 })
            // Characters that mean something in JSON or in a pattern.
            let id: CardLifecycleID = "l/\"%_!é"
            let others = (0..<9).map { CardLifecycleID("l\($0)") } + ["l/\"%_!"]
            for lifecycleID in others + [id] {
                var event = DeliveryFixture.toQuiet()
                event.lifecycleID = lifecycleID
                try await node.events.send("env", event)
            }
            database.found.withLockedValue { $0 = [] }
            let cancel = CardCancelRequest(lifecycleID: id, target: .segment("quiet"))
            _ = try await node.events.cancel("env", cancel)
            #expect(database.found.withLockedValue { $0.max() ?? 0 } <= 3)
            let records = try await fixture.cards.events.recent("env")
            #expect(records.count { $0.isCancelled } == 1)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a cancel for everyone ends a delivery to everyone`(_ engine: SQLEngine) async throws {
        try await DeliveryFixture.with(engine, users: 5_999) { fixture in
            let node = fixture.node()
            let event = CardEventRequest(name: "ping", target: .all, lifecycleID: "l")
            let receipt = try await node.events.send("env", event)
            #expect(!receipt.isComplete)
            let cancelled = try await node.events.cancel(
                "env", CardCancelRequest(lifecycleID: "l", target: .all))
            #expect(cancelled.cards == receipt.cards)
            #expect(try await node.deliverDue() == 0)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an error after an event is stored is not returned to the sender, who would send it again`(
        _ engine: SQLEngine
    )
        async throws
    {
        try await DeliveryFixture.with(engine, users: 1_499) { fixture in
            let node = fixture.node()
            node.failStatements(from: 2, containing: "INSERT INTO card_instances")
            let receipt = try await node.events.send("env", CardEventRequest(name: "ping", target: .all))
            #expect(receipt.cards == 512 && !receipt.isComplete)
            #expect(try await fixture.node().deliverDue() == 2)
            #expect(try await fixture.cardAndUserCounts() == [1_500, 1_500])
        }
    }

    @Test func `an event that a node holds keeps no other event waiting`() async throws {
        try await DeliveryFixture.with(.postgresql, users: 3) { fixture in
            let (node, other) = (fixture.node(), fixture.node())
            for id in ["held", "next"] {
                try await node.events.send(
                    "env", CardEventRequest(id: CardEventID(id), name: "ping", target: .segment("quiet")))
                _ = try await node.findAudiences()
                fixture.cards.time.advance(by: .seconds(1))
            }
            let (locked, release) = (AsyncStream<Void>.makeStream(), BlockingLatch())
            async let lock: Void = node.database.write { connection in
                try connection.execute("UPDATE card_events SET name = name WHERE event_id = 'held'")
                locked.continuation.yield()
                try release.wait()
            }
            defer { release.open() }
            for await _ in locked.stream { break }
            #expect(try await within { try await other.deliverDue() } == 1)
            #expect(try await fixture.cardAndUserCounts() == [3, 3])
            release.open()
            try await lock
            #expect(try await other.deliverDue() == 0)
            fixture.cards.time.advance(by: .milliseconds(250))
            #expect(try await other.deliverDue() == 1)
            #expect(try await fixture.cardAndUserCounts() == [6, 3])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func
        `an event is retried a second after an error, later after more, and other events are delivered meanwhile`(
            _ engine: SQLEngine
        ) async throws
    {
        try await DeliveryFixture.with(engine, users: 3) { fixture in
            let (node, other) = (fixture.node(), fixture.node())
            for id in ["bad", "good"] {
                try await node.events.send(
                    "env", CardEventRequest(id: CardEventID(id), name: "ping", target: .segment("quiet")))
                _ = try await node.findAudiences()
                // The age of an event must have no effect.
                fixture.cards.time.advance(by: .seconds(1_000))
            }
            node.database.beforeEachStatement { statement in
                guard statement.sql.contains("INSERT INTO card_instances") else { return }
                // The event that has waited longest comes first.
                if node.statements("RETURNING user_ids").count == 1 { throw NodeStopped() }
            }
            node.database.clearStatements()
            #expect(try await node.deliverDue() == 1)
            #expect(try await fixture.cardAndUserCounts() == [3, 3])
            #expect(try await other.deliverDue() == 0)
            let bad = try await fixture.cards.events.recent("env").first { $0.id == "bad" }
            #expect(bad?.failure == "NodeStopped" && bad?.isComplete == false)
            fixture.cards.time.advance(by: .seconds(1))
            node.database.clearStatements()
            #expect(try await node.deliverDue() == 0)
            fixture.cards.time.advance(by: .seconds(1))
            #expect(try await other.deliverDue() == 0)
            fixture.cards.time.advance(by: .seconds(1))
            #expect(try await other.deliverDue() == 1)
            #expect(try await fixture.cardAndUserCounts() == [6, 3])
            #expect(
                try await fixture.cards.events.recent("env").allSatisfy { $0.failure == nil && $0.isComplete }
            )
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an error delays no delivery that another node has taken over`(_ engine: SQLEngine) async throws {
        try await DeliveryFixture.with(engine, users: 1_100) { fixture in
            let (node, other) = (fixture.node(), fixture.node())
            try await node.events.send("env", DeliveryFixture.toQuiet("evt"))
            _ = try await node.findAudiences()
            fixture.cards.time.advance(by: .seconds(1))
            let handler = CardDeliveryJobs(events: node.events)
            let job = try #require(try await node.runner(handler).claimDue().batches.first?.jobs.first)
            fixture.cards.time.advance(by: CardDeliveryJobs.lease)
            let taken = try await other.runner(CardDeliveryJobs(events: other.events)).claimDue()
            #expect(taken.batches.first?.jobs.map(\.key) == ["evt"])
            // The failed node's result comes after the other node's claim.
            await JobSettlements(queue: node.events.jobs, logger: .quiet).add(
                job, .retry(at: fixture.cards.time.now + .seconds(600), error: "NodeStopped"), handler)
            #expect(try await fixture.record().failure == nil)
            fixture.cards.time.advance(by: CardDeliveryJobs.lease)
            #expect(try await other.deliverDue() == 3)
            #expect(try await fixture.cardAndUserCounts() == [1_100, 1_100])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an audience that cannot be found is given up after twenty tries, and the event says why`(
        _ engine: SQLEngine
    ) async throws {
        try await DeliveryFixture.with(engine, users: 3) { fixture in
            let node = fixture.node()
            try await node.events.send("env", DeliveryFixture.toQuiet())
            node.database.beforeEachStatement {
                if $0.sql.contains("behavior_events") { throw NodeStopped() }
            }
            for count in 1...CardAudienceJobs.maximumSearches {
                #expect(try await !fixture.record().isComplete)
                #expect(try await node.findAudiences() == 0)
                #expect(try await fixture.record().failure == "NodeStopped", "after \(count)")
                fixture.cards.time.advance(by: .seconds(600))
            }
            let record = try await fixture.record()
            #expect(record.isComplete && !record.isCancelled && record.cards == 0)
            #expect(try await node.findAudiences() == 0)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an event whose audience was given up goes on when an operator runs its job again, once`(
        _ engine: SQLEngine
    ) async throws {
        try await DeliveryFixture.with(engine, users: 3) { fixture in
            let node = fixture.node(), jobs = CardAudienceJobs(events: node.events)
            try await node.events.send("env", DeliveryFixture.toQuiet("evt"))
            try await failSearches(node, fixture)
            let given = try await node.events.jobs.givenUp("env", limit: 9)
            #expect(given.map { "\($0.id.key) \($0.error)" } == ["evt NodeStopped"])
            #expect(try await node.events.jobs.requeue(given[0].id, jobs).enqueued == 1)
            await #expect(throws: Problem.self) { try await node.events.jobs.requeue(given[0].id, jobs) }
            #expect(try await node.findAudiences() == 1)
            #expect(try await node.deliverDue() == 1)
            #expect(try await fixture.cardAndUserCounts() == [3, 3])
            let record = try await fixture.record()
            #expect(record.isComplete && record.failure == nil && record.cards == 3)
        }
    }

    /// Makes every search of a node fail until its event is given up.
    private func failSearches(_ node: DeliveryNode, _ fixture: DeliveryFixture) async throws {
        node.database.beforeEachStatement { if $0.sql.contains("behavior_events") { throw NodeStopped() } }
        for _ in 1...CardAudienceJobs.maximumSearches {
            #expect(try await node.findAudiences() == 0)
            fixture.cards.time.advance(by: .seconds(600))
        }
        node.database.beforeEachStatement { _ in }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an event that was given up and cancelled, or whose cards expired, does not go on`(
        _ engine: SQLEngine
    ) async throws {
        try await DeliveryFixture.with(engine, users: 3) { fixture in
            let node = fixture.node(), jobs = CardAudienceJobs(events: node.events)
            try await node.events.send("env", DeliveryFixture.toQuiet("cancelled"))
            var brief = DeliveryFixture.toQuiet("brief")
            brief.lifecycleID = "brief"
            brief.expiresAt = fixture.cards.time.now + .seconds(3_600)
            try await node.events.send("env", brief)
            try await failSearches(node, fixture)
            let given = try await node.events.jobs.givenUp("env", limit: 9)
            #expect(given.map(\.id.key).sorted() == ["brief", "cancelled"])

            _ = try await node.events.cancel("env", CardCancelRequest(lifecycleID: "l", target: .all))
            #expect(try await node.events.jobs.givenUp("env", limit: 9).map(\.id.key) == ["brief"])
            let all = try await node.events.jobs.requeueAll("env", jobs)
            #expect(all.enqueued == 0 && all.obsolete == 1)
            let id = Job.ID(environmentID: "env", kind: CardAudienceJobs.kind, key: "cancelled")
            await #expect(throws: Problem.self) { try await node.events.jobs.requeue(id, jobs) }
            #expect(try await node.findAudiences() == 0)
            #expect(try await fixture.cardAndUserCounts() == [0, 0])
            let events = try await node.events.recent("env")
            #expect(events.filter(\.isCancelled).map(\.id) == ["cancelled"])
            #expect(events.map(\.isComplete) == [true, true])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a cancel for a named user waits for no delivery`(_ engine: SQLEngine) async throws {
        try await DeliveryFixture.with(engine, users: 3) { fixture in
            let node = fixture.node()
            let event = CardEventRequest(name: "ping", target: .users(["user-1"]), lifecycleID: "l")
            try await node.events.send("env", event)
            node.database.clearStatements()
            let request = CardCancelRequest(lifecycleID: "l", target: .users(["user-1"]))
            #expect(try await node.events.cancel("env", request).cards == 1)
            #expect(node.database.statements.allSatisfy { $0.lane == "main" })
        }
    }

    @Test func `an erasure keeps the position that another node's delivery has reached`() async throws {
        try await DeliveryFixture.with(.postgresql, users: 1_100) { fixture in
            let (node, other) = (fixture.node(), fixture.node())
            var event = CardEventRequest(id: "evt", name: "ping", target: .all, lifecycleID: "l")
            event.variables = ["name": "user-1"]
            node.failStatements(from: 2, containing: "INSERT INTO card_instances")
            try await node.events.send("env", event)
            let erasing = fixture.node().database
            let (read, release) = (AsyncStream<Void>.makeStream(), BlockingLatch())
            erasing.beforeEachStatement { statement in
                guard statement.sql.contains("UPDATE card_events SET request") else { return }
                read.continuation.yield()
                try release.wait()
            }
            async let erased: Void = CardsFeature.eraseEvents("env", "user-1", erasing)
            for await _ in read.stream { break }
            #expect(try await other.events.deliverNext("env", "evt") != nil)
            release.open()
            try await erased
            _ = try await other.deliverDue()
            #expect(try await fixture.record().cards == 1_101)
            #expect(try await fixture.cardAndUserCounts() == [1_101, 1_101])
        }
    }
}
