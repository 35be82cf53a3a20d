import Foundation
import InlaySQLTesting
import Testing

@testable import InlaySQL

/// Failures of a database server at the other end of a connection.
@Suite struct PostgresTests {
    private static let schema = SQLMigration(
        feature: "p", name: "1",
        sql: "CREATE TABLE items (seq INTEGER PRIMARY KEY AUTOINCREMENT, id BIGINT)")
    private static let killOthers = """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()
        """

    /// Runs a body with a database and its address, through which the body can cause failures.
    private func with(_ body: (any SQLDatabase, String) async throws -> Void) async throws {
        try await TestDatabase.withURL(.postgresql) { url in
            let database = try await SQLDatabaseURL.open(url)
            defer { database.close() }
            try await database.migrate([Self.schema])
            try await body(database, url)
        }
    }

    private func ids(_ database: any SQLDatabase) async throws -> [Int] {
        try await database.read { try $0.rows("SELECT id FROM items ORDER BY seq").map { try $0.int("id") } }
    }

    @Test func `readers, writer and listener come back after the server cut every connection`() async throws {
        try await with { database, url in
            let stream = database.notifications("cards")
            _ = try await first(of: stream)
            for round in 0..<3 {
                try await database.write {
                    try $0.execute("INSERT INTO items (id) VALUES (?)", [.int(round)])
                }
                try PostgresAdmin.run(Self.killOthers, at: url)
                let missed = try await first(of: stream)
                #expect(missed == "")
                let rows = try await ids(database)
                #expect(rows == Array(0...round))
                try await database.notify("cards", "round \(round)")
                let heard = try await first(of: stream) { !$0.isEmpty }
                #expect(heard == "round \(round)")
            }
        }
    }

    @Test
    func `after a connection is lost in the middle of a group, the group runs again and takes effect once`()
        async throws
    {
        try await with { database, url in
            let runs = Locked(0)
            var group = try HeldGroup(database)
            group.add("before") { try $0.execute("INSERT INTO items (id) VALUES (1)") }
            group.add("harm") { connection in
                try connection.execute("INSERT INTO items (id) VALUES (2)")
                let isFirst = runs.withLock { count in
                    count += 1
                    return count == 1
                }
                if isFirst { try PostgresAdmin.run(Self.killOthers, at: url) }
                try connection.execute("INSERT INTO items (id) VALUES (3)")
            }
            group.add("after") { try $0.execute("INSERT INTO items (id) VALUES (4)") }
            let jobs = try await group.run()
            #expect(jobs.allSatisfy { $0.error == nil })
            #expect(runs.withLock { $0 } == 2)
            let rows = try await ids(database)
            #expect(rows == [1, 2, 3, 4])
        }
    }

    @Test func `a connection lost during the commit is reported as unknown, not as failed`() async throws {
        try await with { database, url in
            try PostgresAdmin.run(
                """
                CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(5); RETURN NULL; END';
                CREATE CONSTRAINT TRIGGER die AFTER INSERT ON items DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW WHEN (NEW.id = 13) EXECUTE FUNCTION die()
                """, at: url)
            await expectError(.commitUnknown) {
                try await database.write { try $0.execute("INSERT INTO items (id) VALUES (13)") }
            }
            try await database.write { try $0.execute("INSERT INTO items (id) VALUES (14)") }
            let rows = try await ids(database)
            #expect(rows == [14])
        }
    }

    @Test func `a serialization failure is tried again until it works`() async throws {
        try await with { database, url in
            // A sequence is not rolled back, so it can count tries.
            try PostgresAdmin.run(
                """
                CREATE SEQUENCE tries;
                CREATE FUNCTION flaky() RETURNS bigint LANGUAGE plpgsql AS
                'BEGIN IF nextval(''tries'') < 4 THEN RAISE ''again'' USING ERRCODE = ''40001''; END IF; RETURN 1; END'
                """, at: url)
            var group = try HeldGroup(database)
            group.add("one") { try $0.execute("INSERT INTO items (id) VALUES (1)") }
            group.add("flaky") { _ = try $0.rows("SELECT flaky()") }
            let jobs = try await group.run()
            // Both bodies run together once, then each alone.
            #expect(jobs.allSatisfy { $0.error == nil } && jobs.map(\.runs) == [2, 4])
            let rows = try await ids(database)
            #expect(rows == [1])
        }
    }

    @Test func `two nodes that deadlock both get through`() async throws {
        try await with { one, url in
            let two = try await SQLDatabaseURL.open(url)
            defer { two.close() }
            try await one.write { try $0.execute("INSERT INTO items (id) VALUES (1), (2)") }
            let (turns, runs) = ([BlockingLatch(), BlockingLatch()], Locked([0, 0]))
            let add = "UPDATE items SET id = id + 10 WHERE seq = ?"
            let run = { @Sendable (node: any SQLDatabase, mine: Int) async throws in
                try await node.write { connection in
                    runs.withLock { $0[mine] += 1 }
                    try connection.execute(add, [.int(mine + 1)])
                    turns[mine].open()
                    try turns[1 - mine].wait()
                    _ = try connection.execute(add, [.int(2 - mine)])
                }
            }
            async let left: Void = run(one, 0)
            async let right: Void = run(two, 1)
            _ = try await (left, right)
            let rows = try await ids(one)
            #expect(rows == [21, 22])
            // A node that runs again may take its row before the other wakes, and then they meet once more.
            #expect(runs.withLock { $0.reduce(0, +) } > 2, "one of them met a deadlock and ran again")
        }
    }

    @Test(arguments: [
        ("53100", SQLError.Kind.diskFull), ("57014", .timeout), ("55P03", .timeout),
        ("23514", .constraintViolation),
    ])
    func `the server's codes have a kind to branch on`(state: String, kind: SQLError.Kind) async throws {
        try await with { database, url in
            try PostgresAdmin.run(
                """
                CREATE FUNCTION fail() RETURNS bigint LANGUAGE plpgsql AS
                'BEGIN RAISE ''no'' USING ERRCODE = ''\(state)''; END'
                """, at: url)
            await expectError(kind) { try await database.write { try $0.rows("SELECT fail()") } }
        }
    }

    @Test func `a wrong password is an error at once, which does not show it`() async throws {
        try await TestDatabase.withURL(.postgresql) { url in
            var address = try #require(URLComponents(string: url))
            address.password = "not-the-password"
            do {
                _ = try await SQLDatabaseURL.open(address.string ?? "")
                Issue.record("A wrong password opened the database.")
            } catch let error as SQLError {
                #expect(error.kind == .cannotOpen)
                #expect(!error.message.contains("not-the-password"))
            }
            await expectError(.cannotOpen) { try await SQLDatabaseURL.open("postgres://127.0.0.1:1/nobody") }
        }
    }

    @Test func `more statements than a connection keeps still work`() async throws {
        try await with { database, _ in
            let sums = try await database.read { connection in
                try (0..<2_100).map { try connection.rows("SELECT \($0) + ? AS n", [1])[0].int("n") }
            }
            #expect(sums == Array(1...2_100))
        }
    }

    @Test func `a database on a server names the tool that backs it up`() async throws {
        try await with { database, _ in
            do {
                try await database.backup(to: "/nowhere")
                Issue.record("A backup of PostgreSQL was claimed.")
            } catch {
                #expect("\(error)".contains("pg_dump"))
            }
        }
    }
}
