import InlaySQL
import InlaySQLTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayBehaviorsServer
@testable import InlayCardsServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// Tests of the maximum number of stored answers of an environment.
@Suite(.timeLimit(.minutes(3))) struct XMLAPIResponseStoreTests {
    @Test(arguments: SQLEngine.allCases)
    func `an environment keeps its newest hundred thousand answers, and older ones are removed in batches`(
        _ engine: SQLEngine
    ) async throws {
        let migrations =
            JobsSchema.migrations + AccountsSchema.migrations + CardsSchema.migrations
            + BehaviorsSchema.migrations
        try await TestDatabase.with(engine, migrations: migrations) { plain in
            _ = try await plain.write {
                try $0.execute(
                    """
                    INSERT INTO xmlapi_answers (environment_id, sender_id, request_id, document_hash, answer,
                        answered_at)
                    WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 105001)
                    SELECT 'e', 's', 'r' || x, 'h', '', x FROM n UNION ALL SELECT 'other', 's', 'r', 'h', '', 1
                    """)
            }
            let database = RowCountingDatabase(plain)
            try await XMLAPIResponseStore.prune(database, at: Timestamp(microseconds: 0))
            #expect(database.changed.withLockedValue { $0 }.filter { $0 > 0 } == [5_000, 1])
            let left = try await plain.read {
                try $0.rows(
                    """
                    SELECT environment_id, COUNT(*) AS n, MIN(answered_at) AS oldest FROM xmlapi_answers
                    GROUP BY environment_id ORDER BY environment_id
                    """
                ).map { [try $0.text("environment_id"), "\(try $0.int("n"))", "\(try $0.int("oldest"))"] }
            }
            #expect(left == [["e", "100000", "5002"], ["other", "1", "1"]])
        }
    }
}
