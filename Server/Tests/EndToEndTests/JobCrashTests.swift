import Foundation
@_spi(Inlay) import InlayCore
import InlayNIO
import InlaySQL
import InlaySQLTesting
import InlayServer
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayBehaviorsServer
@testable import InlayCardsServer
@testable import InlayDevicesServer
@testable import InlayServerCore

/// Tests of the built server, which is killed repeatedly while it runs jobs: audiences, deliveries, feeds and erasures.
@Suite(.serialized) struct JobCrashTests {
    private static let users = (0..<60).map { UserID("user-\($0)") }
    private static let erased = (0..<40).map { UserID("gone-\($0)") }
    /// The time after which a card expires. A job of the card's feed does this.
    private static let expirySeconds: Int64 = 2

    /// The server's current address, and the ids of the events that it has accepted.
    private actor Load {
        private(set) var address: URL
        /// Whether the senders begin no new event.
        var isPaused = false
        private(set) var accepted: Set<String> = []
        private var isEnded = false

        /// Whether the senders must stop; also when the test has failed, because they would retry for ever.
        var isOver: Bool { isEnded || Task.isCancelled }

        init(_ address: URL) { self.address = address }

        func moved(to address: URL) { self.address = address }
        func pause(_ isPaused: Bool) { self.isPaused = isPaused }
        func accept(_ id: String) { accepted.insert(id) }
        func end() { isEnded = true }
    }

    private struct Access {
        let segmentID: SegmentID
        let secret: String
    }

    /// Creates the users and the segment, and enqueues the erasure of some users.
    private func prepare(_ url: String) async throws -> Access {
        let sender = try await RunningServer.start(on: url)
        let (server, id) = (sender.server, RunningServer.environmentID)
        let moment = server.services.now()
        _ = try await server.services.database.write {
            try UserStore.ensure(id, Self.users + Self.erased, at: moment, in: $0)
        }
        let template = try await server.features.cards.templates.create(
            id,
            CardTemplateDraft(
                name: "Brief", eventName: "brief",
                containerIDs: [CardContainerID(RunningServer.containerID)],
                definition: CardTemplateDefinition(
                    elements: [.headline("Hello")], expirySeconds: Self.expirySeconds)))
        try await server.features.cards.templates.publish(id, template.id)
        let rule = SegmentRule([SegmentCondition(.init(code: 16, days: 7), isNot: true)])
        let segment = try await server.features.behaviors.segments.save(id, name: "All", rule)
        let key = try await server.services.environments.addSecretKey(id, name: "backend")
        await sender.stop()
        let database = try await SQLDatabaseURL.open(url)
        defer { database.close() }
        try await database.write { connection in
            for user in Self.erased { try UserErasureJobs.add(id, user: user, at: moment, in: connection) }
        }
        return Access(segmentID: segment.id, secret: key.secret)
    }

    /// Sends one event after another to the segment, each until it was accepted twice.
    private func send(_ load: Load, _ transport: NIOTransport, _ access: Access, sender: Int) async throws {
        var number = 0
        while await !load.isOver {
            if await load.isPaused {
                await pause()
                continue
            }
            number += 1
            let id = "\(sender)-\(number)"
            let event = CardEventRequest(
                id: CardEventID(id), name: "brief", target: .segment(access.segmentID),
                lifecycleID: CardLifecycleID(id))
            let body = try JSONEncoder().encode(event)
            var copies = 0
            while copies < 2 {
                if await load.isOver { return }
                let request = TransportRequest(
                    method: "POST", url: await load.address.appendingPathComponent("v1/events"),
                    headers: [
                        "Authorization": "Bearer \(access.secret)", "Content-Type": "application/json",
                        "Inlay-Environment": RunningServer.environmentID.rawValue,
                    ], body: body)
                guard let answer = try? await transport.send(request), answer.status == 202 else {
                    await pause()
                    continue
                }
                copies += 1
            }
            await load.accept(id)
        }
    }

    /// Waits between attempts, because a server that starts shares the cores with the senders.
    private func pause() async { for await _ in TimerSequence(every: .milliseconds(5)) { break } }

    @Test(.timeLimit(.minutes(15)), arguments: SQLEngine.allCases)
    func `kills while jobs run lose no job, and no job has its effect twice`(_ engine: SQLEngine) async throws
    {
        try await TestDatabase.withURL(engine) { url in
            let folder = try TemporaryFolder(), access = try await prepare(url)
            var server = try await ServerProcess.start(on: url, in: folder)
            let transport = try NIOTransport(), load = Load(server.address)
            var marker = Timestamp(microseconds: 0)
            try await withThrowingTaskGroup { group in
                for sender in 0..<3 {
                    group.addTask { try await send(load, transport, access, sender: sender) }
                }
                for kill in 0..<25 {
                    if kill == 12 {
                        await load.pause(true)
                        marker = try await untilErased(url)
                        await load.pause(false)
                    }
                    let more = await load.accepted.count + kill % 5 * 4 + 1
                    try await eventually { await load.accepted.count >= more }
                    try await server.crash()
                    server = try await ServerProcess.start(on: url, in: folder)
                    await load.moved(to: server.address)
                }
                await load.end()
                try await group.waitForAll()
            }
            let database = try await SQLDatabaseURL.open(url)
            defer { database.close() }
            // A killed server's claims end with their leases.
            try await eventually(within: .seconds(300)) { try await waiting(database).isEmpty }
            try await server.crash()
            try await check(database, await load.accepted, erasedAt: marker)
        }
    }

    /// Waits until the users whose erasure was enqueued are erased, and delays their second erasure; returns the time.
    private func untilErased(_ url: String) async throws -> Timestamp {
        let database = try await SQLDatabaseURL.open(url)
        defer { database.close() }
        try await eventually(within: .seconds(300)) {
            try await database.read { connection in
                try connection.row("SELECT 1 AS n FROM jobs WHERE kind = 'devices.erasure' AND payload = ''")
                    == nil
            }
        }
        // The second erasures are due after ten minutes, which a slow machine may need for the rest of the test.
        try await database.write { connection in
            try connection.execute(
                "UPDATE jobs SET due_at = due_at + ? WHERE kind = 'devices.erasure'",
                [.integer(Duration.seconds(86_400).microseconds)])
        }
        return Timestamp.now()
    }

    /// Returns the environment's jobs, except the second erasure of each user, which is not due yet.
    private func waiting(_ database: any SQLDatabase) async throws -> [String] {
        try await database.read {
            try $0.rows(
                """
                SELECT kind, key FROM jobs
                WHERE environment_id <> '' AND NOT (kind = 'devices.erasure' AND payload = '1') ORDER BY kind, key
                """
            ).map { "\(try $0.text("kind")) \(try $0.text("key"))" }
        }
    }

    /// Checks that each event is complete and gave each user one card, which has expired, and that the erased users are
    /// gone.
    private func check(
        _ database: any SQLDatabase, _ accepted: Set<String>, erasedAt marker: Timestamp
    ) async throws {
        let count = Self.users.count
        let (events, cards, erasures) = try await database.read { connection in
            func number(_ sql: String) throws -> Int { try connection.row(sql)?.int("n") ?? 0 }
            return (
                try connection.rows("SELECT * FROM card_events").map { row in
                    // An event before the erasures also counts the cards of erased users.
                    let isExact = try row.moment("created_at") > marker
                    let cards = try row.int("cards")
                    let isRight = isExact ? cards == count : cards >= count
                    return try row.bool("is_done") && row.optionalText("failure") == nil && isRight
                        ? "" : "\(row)"
                }.filter { !$0.isEmpty },
                try connection.rows(
                    """
                    SELECT event_id, COUNT(*) AS n, COUNT(DISTINCT user_id) AS users,
                        CAST(SUM(is_open) AS BIGINT) AS open,
                        COUNT(CASE WHEN user_id LIKE 'gone-%' THEN 1 END) AS gone
                    FROM card_instances GROUP BY event_id
                    """
                ).map { row in
                    (
                        event: try row.text("event_id"),
                        numbers: try ["n", "users", "open", "gone"].map { try row.int($0) }
                    )
                },
                [
                    try number("SELECT COUNT(*) AS n FROM jobs WHERE kind = 'devices.erasure'"),
                    try number("SELECT COUNT(*) AS n FROM users WHERE id LIKE 'gone-%'"),
                ]
            )
        }
        let wrong = cards.filter { $0.numbers != [count, count, 0, 0] }
        #expect(wrong.isEmpty, "\(wrong.count) of \(cards.count), for example \(wrong.prefix(3))")
        #expect(events.isEmpty, "\(events.count), for example \(events.prefix(3))")
        #expect(accepted.count > 100 && accepted.isSubset(of: Set(cards.map(\.event))))
        #expect(erasures == [Self.erased.count, 0])
    }
}
