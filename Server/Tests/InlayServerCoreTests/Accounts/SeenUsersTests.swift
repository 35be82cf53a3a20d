import Foundation
import InlaySQL
import InlaySQLTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// The memory of recently seen users: its bound, its eviction by halves, and its writes in batches.
@Suite(.timeLimit(.minutes(5))) struct SeenUsersTests {
    private static let now = CardsServerFixture.start

    private static func name(_ number: Int) -> SeenUsers.Name {
        SeenUsers.Name(environmentID: "env", userID: "user-\(number)")
    }

    /// Discards the times that wait to be written, and lets other tests run.
    private static func discardUnwritten(_ seen: SeenUsers) async {
        _ = seen.takeUnwritten(maximum: .max)
        await Task.yield()
    }

    @Test func `of 300,000 users the last seen are remembered, and at most 200,000`() async {
        let seen = SeenUsers()
        var maximum = 0, smallest = Int.max
        for number in 0..<300_000 {
            seen.record(Self.name(number), at: Self.now)
            if number % 1_000 == 0 { await Self.discardUnwritten(seen) }
            maximum = max(maximum, seen.count)
            if number >= 200_000 { smallest = min(smallest, seen.count) }
        }
        #expect(maximum == 2 * SeenUsers.maximumPerGeneration)
        // Users are never forgotten all at once: at every moment, half of the memory stays.
        #expect(smallest >= SeenUsers.maximumPerGeneration)
        let isKnown = { !seen.isDue(Self.name($0), at: Self.now) }
        #expect(stride(from: 200_000, to: 300_000, by: 97).allSatisfy(isKnown))
        #expect(!stride(from: 0, to: 100_000, by: 97).contains(where: isKnown))
    }

    @Test func `a user who is seen again stays in memory`() async {
        let seen = SeenUsers()
        for number in 0..<500_000 {
            if number % 50_000 == 0 { seen.record(Self.name(-1), at: Self.now) }
            seen.record(Self.name(number), at: Self.now)
            if number % 1_000 == 0 { await Self.discardUnwritten(seen) }
        }
        #expect(!seen.isDue(Self.name(-1), at: Self.now))
        #expect(seen.isDue(Self.name(-1), at: Self.now + .seconds(3_600)))
    }

    @Test func `while times cannot be written the memory of them is bounded too`() async {
        let seen = SeenUsers()
        for number in 0..<250_000 {
            seen.record(Self.name(number), at: Self.now)
            if number % 1_000 == 0 { await Task.yield() }
        }
        // A user for whom there was no space is due again with the next request.
        #expect(seen.isDue(Self.name(249_999), at: Self.now))
        let batch = seen.takeUnwritten(maximum: .max)
        #expect(batch.count == SeenUsers.maximumUnwritten)
        seen.restore(batch)
        #expect(seen.takeUnwritten(maximum: .max).count == SeenUsers.maximumUnwritten)
        seen.record(Self.name(249_999), at: Self.now)
        #expect(!seen.isDue(Self.name(249_999), at: Self.now))
    }

    // SQLite proves the number of batches; PostgreSQL, with fewer users, that it accepts the statement.
    @Test(arguments: [(SQLEngine.sqlite, 60_000), (.postgresql, 20_000)])
    func `the times of 60,000 users are written in batches of at most 512, one statement each`(
        _ engine: SQLEngine, count: Int
    ) async throws {
        let round = 10_000
        try await TestDatabase.with(engine, migrations: JobsSchema.migrations + AccountsSchema.migrations) {
            database in
            try await database.write { connection in
                try connection.execute(
                    """
                    INSERT INTO users (environment_id, id, fields, created_at, updated_at)
                    WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
                    SELECT 'env', 'user-' || i, '{}', 0, 0 FROM n
                    """, [.int(count - 1)])
            }
            let counted = RowCountingDatabase(database)
            let users = UserStore(database: counted, now: { Self.now })
            for number in 0..<count {
                users.seen.record(Self.name(number), at: Self.now + .microseconds(number))
                if (number + 1) % round == 0 { try await users.writeSeen() }
                if number % 1_000 == 0 { await Task.yield() }
            }
            let wrong = try await database.read {
                try $0.row(
                    """
                    SELECT COUNT(*) AS n FROM users WHERE last_seen_at IS NULL
                        OR last_seen_at - ? <> CAST(SUBSTR(id, 6) AS BIGINT)
                    """, [.moment(Self.now)])?.int("n")
            }
            #expect(wrong == 0)
            let batches = counted.changed.withLockedValue { $0 }
            #expect(batches.allSatisfy { $0 <= 512 })
            #expect(batches.count == count / round * ((round + 511) / 512))
        }
    }
}
