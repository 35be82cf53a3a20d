import Foundation
import InlaySQLTesting
import InlayTesting
import Testing

@testable import InlaySQL

private struct OwnError: Error {}

/// The order, isolation and failures of the bodies of one group, mostly on real engines.
@Suite struct GroupTests {
    static let schema = SQLMigration(
        feature: "groups", name: "0001",
        sql: """
            CREATE TABLE parents (id BIGINT PRIMARY KEY);
            CREATE TABLE items (
                seq INTEGER PRIMARY KEY AUTOINCREMENT, id BIGINT UNIQUE,
                parent BIGINT REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED);
            """)

    private func stored(_ database: any SQLDatabase) async throws -> [Int] {
        try await database.read { try $0.rows("SELECT id FROM items ORDER BY seq").map { try $0.int("id") } }
    }

    @Test(arguments: SQLEngine.allCases)
    func `bodies run in the order in which they were handed in`(engine: SQLEngine) async throws {
        try await TestDatabase.with(engine, migrations: [Self.schema]) { database in
            var random = SeededRandom(seed: 42)
            let numbers = (0..<700).shuffled(using: &random)
            var group = try HeldGroup(database)
            for number in numbers {
                group.add("\(number)") { try $0.execute("INSERT INTO items (id) VALUES (?)", [.int(number)]) }
            }
            let jobs = try await group.run()
            #expect(jobs.map(\.name) == numbers.map(String.init))
            #expect(jobs.allSatisfy { $0.error == nil && $0.runs == 1 })
            let rows = try await stored(database)
            #expect(rows == numbers)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a body sees what earlier bodies of its group wrote but not what was rolled back`(
        engine: SQLEngine
    ) async throws {
        try await TestDatabase.with(engine, migrations: [Self.schema]) { database in
            let seen = Locked<[Int]>([])
            var group = try HeldGroup(database)
            group.add("first") { try $0.execute("INSERT INTO items (id) VALUES (1)") }
            group.add("broken") {
                try $0.execute("INSERT INTO items (id) VALUES (2)")
                throw OwnError()
            }
            group.add("twice") { try $0.execute("INSERT INTO items (id) VALUES (1)") }
            group.add("last") { connection in
                let ids = try connection.rows("SELECT id FROM items ORDER BY id").map { try $0.int("id") }
                seen.withLock { $0 = ids }
            }
            let jobs = try await group.run()
            #expect(seen.withLock { $0 } == [1])
            #expect(jobs.map { $0.error == nil } == [true, false, false, true])
            #expect(jobs[1].error is OwnError)
            #expect(jobs[2].kind == .uniqueViolation)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a commit that fails fails every body of its group and leaves nothing`(engine: SQLEngine)
        async throws
    {
        try await TestDatabase.with(engine, migrations: [Self.schema]) { database in
            var group = try HeldGroup(database)
            for number in 0..<5 {
                group.add("\(number)") { connection in
                    try connection.execute(
                        "INSERT INTO items (id, parent) VALUES (?, ?)",
                        [.int(number), number == 3 ? 99 : nil])
                }
            }
            let jobs = try await group.run()
            #expect(jobs.map(\.kind) == Array(repeating: .foreignKeyViolation, count: 5))
            let rows = try await stored(database)
            #expect(rows == [])
            // The writer still works after the failed commit.
            try await database.write { try $0.execute("INSERT INTO items (id) VALUES (7)") }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `after a conflict the bodies of a group run again alone, in their order`(engine: SQLEngine)
        async throws
    {
        try await TestDatabase.with(engine, migrations: [Self.schema]) { database in
            let isFirst = Locked(true)
            var group = try HeldGroup(database)
            for number in 0..<4 {
                group.add("\(number)") { connection in
                    let known = try connection.rows("SELECT id FROM items ORDER BY seq").map {
                        try $0.int("id")
                    }
                    #expect(known == Array(0..<number))
                    try connection.execute("INSERT INTO items (id) VALUES (?)", [.int(number)])
                    let isConflict =
                        number == 2
                        && isFirst.withLock { first in
                            defer { first = false }
                            return first
                        }
                    if isConflict { throw SQLError(.conflict, "Two transactions waited for each other.") }
                    if number == 3 { throw OwnError() }
                }
            }
            let jobs = try await group.run()
            #expect(jobs.map(\.runs) == [2, 2, 2, 1])
            #expect(jobs.map { $0.error == nil } == [true, true, true, false])
            #expect(try await stored(database) == [0, 1, 2])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `in a lane that shares no commits a commit that fails fails its own body only`(engine: SQLEngine)
        async throws
    {
        try await TestDatabase.with(engine, migrations: [Self.schema]) { database in
            var group = try HeldGroup(database.lane("alone", sharesCommits: false))
            for number in 0..<3 {
                group.add("\(number)") { connection in
                    try connection.execute(
                        "INSERT INTO items (id, parent) VALUES (?, ?)",
                        [.int(number), number == 1 ? 99 : nil])
                }
            }
            #expect(try await group.run().map(\.kind) == [nil, .foreignKeyViolation, nil])
            #expect(try await stored(database) == [0, 2])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `whether a lane shares commits is each caller's choice, not that of the first caller alone`(
        engine: SQLEngine
    ) async throws {
        try await TestDatabase.with(engine, migrations: [Self.schema]) { database in
            for sharesCommits in [true, false, true] {
                var group = try HeldGroup(database.lane("cards", sharesCommits: sharesCommits))
                for number in 0..<2 {
                    group.add("\(number)") {
                        try $0.execute("INSERT INTO items (parent) VALUES (?)", [number == 1 ? 99 : nil])
                    }
                }
                let first = sharesCommits ? SQLError.Kind.foreignKeyViolation : nil
                #expect(try await group.run().map(\.kind) == [first, .foreignKeyViolation])
            }
        }
    }

    /// Runs a group of bodies without a database and returns its events in order. `conflicts` are the numbers of
    /// the transactions that meet a conflict when they begin.
    private func events(of bodies: Int, failing: Int? = nil, conflicts: Set<Int>) -> [String] {
        let connection = ScriptedConnection(conflicts: conflicts)
        let isFirst = Locked(true)
        let jobs = (0..<bodies).map { number in
            ScriptedJob(
                "\(number)",
                onEnd: { job in
                    connection.note("answer \(number)" + (job.kind.map { " \($0)" } ?? ""))
                },
                body: { _ in
                    connection.note("body \(number)")
                    let fails =
                        number == failing
                        && isFirst.withLock { first in
                            defer { first = false }
                            return first
                        }
                    if fails { throw SQLError(.conflict, "Two transactions waited for each other.") }
                })
        }
        WriteGroup(jobs: jobs).commit(on: connection)
        return connection.events
    }

    @Test func `a conflict at the beginning of a transaction lets the whole group begin again`() {
        #expect(
            events(of: 2, conflicts: [1]) == [
                "begin 1", "rollback", "begin 2", "body 0", "body 1", "commit", "answer 0", "answer 1",
            ])
    }

    @Test func `a conflict at each beginning fails the group without running it`() {
        let begun = (1...5).flatMap { ["begin \($0)", "rollback"] }
        #expect(
            events(of: 2, conflicts: Set(1...5)) == begun + ["answer 0 conflict", "answer 1 conflict"])
    }

    @Test func `bodies that run alone are answered after their own commits and before the next begins`() {
        #expect(
            events(of: 3, failing: 1, conflicts: [2]) == [
                "begin 1", "body 0", "body 1", "rollback",
                "begin 2", "rollback", "begin 3", "body 0", "commit", "answer 0",
                "begin 4", "body 1", "commit", "answer 1", "begin 5", "body 2", "commit", "answer 2",
            ])
    }

    @Test func `a body that runs alone and never comes to begin fails alone`() {
        let begun = (2...6).flatMap { ["begin \($0)", "rollback"] }
        #expect(
            events(of: 2, failing: 1, conflicts: Set(2...6)) == ["begin 1", "body 0", "body 1", "rollback"]
                + begun + ["answer 0 conflict", "begin 7", "body 1", "commit", "answer 1"])
    }

    @Test func `every body waits for locks until ten seconds after its own arrival, together and alone`() {
        let first = ContinuousClock.now
        let arrivals = [Duration.seconds(-8), .seconds(-3), .zero].map { first + $0 }
        let ends = arrivals.map { $0 + .seconds(10) }
        let isFirst = Locked(true)
        let jobs = arrivals.map { arrival in
            ScriptedJob("body", arrival: arrival, onEnd: { _ in }) { _ in
                let fails = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst && arrival == first
                }
                if fails { throw SQLError(.conflict, "Two transactions waited for each other.") }
            }
        }
        let together = ScriptedConnection(conflicts: [])
        WriteGroup(jobs: Array(jobs.prefix(2))).commit(on: together)
        #expect(together.deadlines == [ends[0], ends[0], ends[1]])
        let alone = ScriptedConnection(conflicts: [])
        isFirst.withLock { $0 = true }
        WriteGroup(jobs: Array(jobs.reversed().prefix(2))).commit(on: alone)
        // The transaction of both and the first savepoint, then each body in a transaction of its own.
        #expect(alone.deadlines == [ends[2], ends[2], ends[2], ends[1]])
    }

    @Test func `waiting bodies are refused by their time of arrival, and newer ones stay`() {
        let writer = GroupWriter { _ in true }
        let refused = Locked<[String]>([])
        for (name, waited) in [("late", Duration.milliseconds(9_500)), ("early", .zero)] {
            writer.add(
                ScriptedJob(
                    name, arrival: ContinuousClock.now - waited,
                    onEnd: { job in
                        #expect(job.kind == .overloaded)
                        refused.withLock { $0.append(job.name) }
                    }
                ) { _ in })
        }
        writer.refuseWaiting(longerThan: WaitLimit.maximum - PostgresMonitor.interval)
        #expect(refused.withLock { $0 } == ["late"])
        #expect(writer.waitingCount == 1)
    }

    @Test func `SQLite's writers take turns on its one thread`() async throws {
        try await TestDatabase.with(.sqlite, migrations: [Self.schema]) { database in
            var group = try HeldGroup(database.lane("alone", sharesCommits: false))
            for number in 0..<3 {
                group.add("\(number)") { try $0.execute("INSERT INTO items (id) VALUES (?)", [.int(number)]) }
            }
            let writer = try #require(database as? any GroupCommitting).writer
            writer.add(
                ScriptedJob("other", onEnd: { _ in }) {
                    try $0.execute("INSERT INTO items (id) VALUES (10)")
                })
            _ = try await group.run()
            #expect(try await stored(database) == [10, 0, 1, 2])
        }
    }

    @Test func `a full disk fails all bodies whose work it undid and says why`() async throws {
        try await TestDatabase.with(.sqlite, migrations: [Self.schema]) { database in
            try await database.write { connection in
                let pages = try connection.rows("PRAGMA page_count")[0].int("page_count")
                _ = try connection.rows("PRAGMA max_page_count = \(pages + 40)")
                try connection.execute("CREATE TABLE big (id BIGINT PRIMARY KEY, b BLOB)")
            }
            var group = try HeldGroup(database)
            for number in 0..<20 {
                group.add("\(number)") { connection in
                    try connection.execute(
                        "INSERT INTO big VALUES (?, ?)", [.int(number), .blob(Data(count: 20_000))])
                }
            }
            let jobs = try await group.run()
            let acknowledged = jobs.filter { $0.error == nil }.map(\.name)
            let rows = try await database.read {
                try $0.rows("SELECT id FROM big ORDER BY id").map { try String($0.int("id")) }
            }
            #expect(rows == acknowledged)
            #expect(jobs.contains { $0.kind == .diskFull })
            #expect(jobs.allSatisfy { $0.error == nil || $0.kind == .diskFull })
        }
    }

    @Test func `a writer with ten thousand waiting bodies refuses more`() async throws {
        let held = Locked<[@Sendable () -> Void]>([])
        let writer = GroupWriter { _ in
            held.withLock { $0.append({}) }
            return true
        }
        let refused = Locked(0)
        for number in 0..<10_003 {
            writer.add(
                ScriptedJob(
                    "\(number)",
                    onEnd: { job in
                        #expect(job.kind == .overloaded)
                        refused.withLock { $0 += 1 }
                    }
                ) { _ in })
        }
        #expect(writer.waitingCount == 10_000)
        #expect(refused.withLock { $0 } == 3)
        #expect(held.withLock { $0.count } == 1)
    }

    @Test func `bodies that are handed over while the engine closes are refused, not dropped`()
        async throws
    {
        let writer = GroupWriter { _ in false }
        await expectError(.closed) { try await writer.write { _ in } }
        writer.close()
        await expectError(.closed) { try await writer.write { _ in } }
    }
}
