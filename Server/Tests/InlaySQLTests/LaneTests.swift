import Foundation
import InlaySQLTesting
import InlayTesting
import Testing

@testable import InlaySQL

/// The lanes that keep features on one database from delaying each other.
@Suite(.timeLimit(.minutes(5))) struct LaneTests {
    private static let schema = SQLMigration(
        feature: "lanes", name: "1",
        sql: """
            CREATE TABLE one (id BIGINT PRIMARY KEY); CREATE TABLE two (id BIGINT PRIMARY KEY);
            INSERT INTO two (id) VALUES (0)
            """)

    /// Runs the body while another session has locked table `one`.
    private func whileLocked(
        _ body: @escaping @Sendable (any SQLDatabase) async throws -> Void
    ) async throws {
        try await TestDatabase.withURL(.postgresql) { url in
            let (database, other) = (try await SQLDatabaseURL.open(url), try await SQLDatabaseURL.open(url))
            defer {
                database.close()
                other.close()
            }
            try await database.migrate([Self.schema])
            let (locked, release) = (AsyncStream.makeStream(of: Void.self), BlockingLatch())
            async let lock: Void = other.write { connection in
                try connection.execute("LOCK TABLE one IN ACCESS EXCLUSIVE MODE")
                locked.continuation.yield()
                try release.wait()
            }
            for await _ in locked.stream { break }
            let result = await Task { try await within(.seconds(60)) { try await body(database) } }.result
            release.open()
            try await lock
            try result.get()
        }
    }

    /// Returns whether a connection to the database waits for a lock.
    private static func isAnyoneWaiting(_ database: any SQLDatabase) async throws -> Bool {
        try await database.read {
            try $0.row(
                """
                SELECT 1 AS n FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event_type = 'Lock' LIMIT 1
                """) != nil
        }
    }

    @Test func `a locked table delays the writes of its lane and no other's`() async throws {
        try await whileLocked { database in
            let (one, two) = (database.lane("one"), database.lane("two"))
            // The task ends when the lock is released, or when its write has waited too long for it.
            Task { try? await one.write { try $0.execute("INSERT INTO one (id) VALUES (1)") } }
            try await eventually { try await Self.isAnyoneWaiting(two) }
            try await two.write { try $0.execute("INSERT INTO two (id) VALUES (1)") }
            // In one lane, the second write would have waited for the end of the first.
            #expect(try await Self.isAnyoneWaiting(two))
            for id in 2...50 {
                try await two.write { try $0.execute("INSERT INTO two (id) VALUES (?)", [.int(id)]) }
            }
        }
    }

    @Test func `a locked table leaves connections for the reads of other lanes`() async throws {
        let waiting = Locked(0)
        try await whileLocked { database in
            let (one, two) = (database.lane("one"), database.lane("two"))
            for _ in 0..<100 {
                Task {
                    _ = try? await one.read { connection in
                        waiting.withLock { $0 += 1 }
                        _ = try connection.rows("SELECT id FROM one")
                        waiting.withLock { $0 -= 1 }
                    }
                }
            }
            try await eventually { waiting.withLock { $0 } >= 4 }
            let row = try await two.read { try $0.row("SELECT COUNT(*) AS n FROM two LIMIT 1") }
            #expect(try row?.int("n") == 1)
            #expect(waiting.withLock { $0 } >= 4)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `six slow queries of analytics take no connection from the reads of apps`(engine: SQLEngine)
        async throws
    {
        try await TestDatabase.with(engine, migrations: [Self.schema]) { database in
            let (begun, release) = (Locked(0), BlockingLatch())
            async let slow: Void = withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        try await database.forAnalytics.read { connection in
                            begun.withLock { $0 += 1 }
                            try release.wait()
                            _ = try connection.rows("SELECT id FROM two")
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await eventually { begun.withLock { $0 } > 0 }
            for _ in 0..<100 {
                _ = try await within(.seconds(60)) {
                    try await database.lane("cards").read { try $0.rows("SELECT id FROM two") }
                }
            }
            release.open()
            try await slow
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `the bodies of a lane run in the order of their calls`(engine: SQLEngine)
        async throws
    {
        try await TestDatabase.with(engine, migrations: [Self.schema]) { database in
            let order = Locked<[Int]>([])
            var group = try HeldGroup(database.lane("cards"))
            for id in 0..<50 {
                group.add("\(id)") { connection in
                    order.withLock { $0.append(id) }
                    try connection.execute("INSERT INTO one (id) VALUES (?)", [.int(id)])
                }
            }
            let jobs = try await group.run()
            #expect(jobs.allSatisfy { $0.error == nil })
            #expect(order.withLock { $0 } == Array(0..<50))
        }
    }

    @Test(arguments: SQLEngine.allCases, [false, true])
    func `a lane that is requested after the database was closed is closed too`(
        engine: SQLEngine, sharesCommits: Bool
    ) async throws {
        for isAbandoned in [true, false] {
            try await TestDatabase.with(engine, migrations: [Self.schema]) { database in
                let early = database.lane("early", sharesCommits: sharesCommits)
                if isAbandoned { database.abandon() } else { database.close() }
                let late = database.lane("late", sharesCommits: sharesCommits)
                for lane in [early, late, late.lane("later", sharesCommits: sharesCommits)] {
                    await expectError(.closed) {
                        try await lane.write { try $0.execute("INSERT INTO one (id) VALUES (1)") }
                    }
                }
            }
        }
    }

    @Test func `a message leaves while every writer is in a transaction`() async throws {
        try await TestDatabase.withURL(.postgresql) { url in
            let (here, there) = (try await SQLDatabaseURL.open(url), try await SQLDatabaseURL.open(url))
            defer {
                here.close()
                there.close()
            }
            let stream = there.notifications("cards")
            _ = try await first(of: stream) { $0.isEmpty }
            let (begun, release) = (Locked(0), BlockingLatch())
            async let held: Void = withThrowingTaskGroup(of: Void.self) { group in
                for database in [here, here.lane("cards")] {
                    group.addTask {
                        try await database.write { connection in
                            _ = try connection.rows("SELECT 1 AS one")
                            begun.withLock { $0 += 1 }
                            try release.wait()
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await eventually { begun.withLock { $0 } >= 2 }
            let sent = await Task {
                try await within(.seconds(30)) { try await here.notify("cards", "changed") }
                return try await first(of: stream)
            }.result
            release.open()
            try await held
            #expect(try sent.get() == "changed")
        }
    }
}
