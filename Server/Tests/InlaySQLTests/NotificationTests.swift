import InlaySQL
import InlaySQLTesting
@_spi(Inlay) import InlayTesting
import Testing

/// Notifications from one node to all.
@Suite struct NotificationTests {
    /// Returns a stream that already receives notifications: PostgreSQL starts to listen a moment after the call,
    /// and the stream then yields an empty payload.
    private func listen(_ database: any SQLDatabase, _ channel: String) async throws -> AsyncStream<String> {
        let stream = database.notifications(channel)
        if database.engine == .postgresql { _ = try await first(of: stream) { $0.isEmpty } }
        return stream
    }

    @Test(arguments: SQLEngine.allCases)
    func `a notification reaches its channel and no other`(engine: SQLEngine) async throws {
        try await TestDatabase.with(engine) { database in
            let cards = try await listen(database, "cards")
            let other = try await listen(database, "other \"quoted\"; --")
            for number in 0..<100 { try await database.notify("cards", "üñ 'x' \(number)") }
            try await database.notify("other \"quoted\"; --", "end")
            let end = try await first(of: other)
            #expect(end == "end")
            let payloads = try await within(.seconds(60)) {
                var payloads: [String] = []
                for await payload in cards {
                    payloads.append(payload)
                    if payloads.count == 100 { break }
                }
                return payloads
            }
            #expect(payloads == (0..<100).map { "üñ 'x' \($0)" })
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a node that hears a notification can read what was written before it`(engine: SQLEngine)
        async throws
    {
        let schema = SQLMigration(feature: "n", name: "1", sql: "CREATE TABLE items (id BIGINT PRIMARY KEY)")
        try await TestDatabase.with(engine, migrations: [schema]) { database in
            let stream = try await listen(database, "items")
            for number in 0..<20 {
                try await database.write { try $0.execute("INSERT INTO items VALUES (?)", [.int(number)]) }
                try await database.notify("items", "\(number)")
                _ = try await first(of: stream) { $0 == "\(number)" }
                let count = try await database.read {
                    try $0.rows("SELECT COUNT(*) AS n FROM items")[0].int("n")
                }
                #expect(count == number + 1)
            }
        }
    }

    @Test func `other nodes hear it too`() async throws {
        try await TestDatabase.withURL(.postgresql) { url in
            let (here, there) = (try await SQLDatabaseURL.open(url), try await SQLDatabaseURL.open(url))
            let stream = try await listen(there, "cards")
            try await here.notify("cards", "news")
            let news = try await first(of: stream)
            #expect(news == "news")
            here.close()
            there.close()
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `streams end when the database closes`(engine: SQLEngine) async throws {
        try await TestDatabase.with(engine) { database in
            let stream = database.notifications("cards")
            database.close()
            let rest = try await within(.seconds(60)) {
                await stream.reduce(into: [String]()) { $0.append($1) }
            }
            #expect(!rest.contains { !$0.isEmpty })
            let late = database.notifications("cards")
            let payload = try await within(.seconds(60)) { await late.first { _ in true } }
            #expect(payload == nil)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `channels and payloads that one engine would refuse are refused by both`(engine: SQLEngine)
        async throws
    {
        try await TestDatabase.with(engine) { database in
            let bad = [
                ("", "x"), (String(repeating: "c", count: 64), "x"), ("a\0", "x"), ("a", ""), ("a", "x\0"),
                ("a", String(repeating: "é", count: 3_951)),
            ]
            for (channel, payload) in bad {
                await expectError(.invalidValue) { try await database.notify(channel, payload) }
            }
            try await database.notify("a", String(repeating: "é", count: 3_950))
        }
    }

    // PostgreSQL has one lock for notifications. A transaction with one holds it until its commit is durable.
    @Test(.timeLimit(.minutes(5)))
    func `writes commit while a message waits for the commit of another`() async throws {
        let schema = SQLMigration(feature: "n", name: "1", sql: "CREATE TABLE items (id BIGINT)")
        try await PrivatePostgres.with { postgres in
            // The holder's commit may take as long as the test does.
            let holder = try await SQLDatabaseURL.open(postgres.url, statementLimit: nil)
            let here = try await SQLDatabaseURL.open(postgres.url)
            let there = try await SQLDatabaseURL.open(postgres.url)
            defer { for node in [holder, here, there] { node.close() } }
            try await holder.migrate([schema])
            let writer = try await here.write { $0.writerNumber }
            try await withThrowingDiscardingTaskGroup { group in
                defer {
                    group.cancelAll()
                    try? alterSystem("RESET synchronous_standby_names", postgres)
                }
                // No standby has this name, so a commit that waits for it waits until the setting is reset.
                try alterSystem("SET synchronous_standby_names = 'nobody'", postgres)
                group.addTask {
                    // Commits that come before the server has read the setting do not wait.
                    while !Task.isCancelled {
                        try await holder.write { connection in
                            try connection.execute("SET LOCAL synchronous_commit = on")
                            try connection.execute("INSERT INTO items (id) VALUES (0)")
                            try connection.execute("NOTIFY changes, 'held'")
                        }
                    }
                }
                try await eventually { try await processes(waitingFor: "SyncRep", here).count == 1 }
                // The server may refuse the notification after a while, which is not what this test checks.
                group.addTask { _ = try? await here.notify("changes", "next") }
                try await eventually { try await !processes(waitingFor: "object", here).isEmpty }
                #expect(try await !processes(waitingFor: "object", here).contains(writer))
                for node in [here, there] {
                    try await node.write { try $0.execute("INSERT INTO items (id) VALUES (1)") }
                }
            }
        }
    }

    private func alterSystem(_ change: String, _ postgres: PrivatePostgres) throws {
        // Two calls, because the first statement refuses to share a transaction.
        try PostgresAdmin.run("ALTER SYSTEM \(change)", at: postgres.url)
        try PostgresAdmin.run("SELECT pg_reload_conf()", at: postgres.url)
    }

    /// Returns the ids of the server's processes that wait for an event; a writer's number is its process's id.
    private func processes(waitingFor event: String, _ database: any SQLDatabase) async throws -> [Int64] {
        try await database.read {
            try $0.rows("SELECT pid FROM pg_stat_activity WHERE wait_event = ?", [.text(event)])
                .map { try $0.int64("pid") }
        }
    }
}
