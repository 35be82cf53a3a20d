import Foundation
import GRDB
import InlayCore
@_spi(Inlay) import InlayWire

/// The stored outcomes of requests, for callers that ask for them later, also after a restart.
enum XMLAPIResponses {
    static let schema = StoreSchema(
        feature: "xmlapi",
        migrations: [
            StoreMigration(
                "1-answers",
                sql: """
                    CREATE TABLE xmlapi_answer (
                        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
                        answer BLOB, status INTEGER, failure TEXT
                    ) STRICT
                    """)
        ])
    static let maximumStored = 64

    /// Stores the outcomes of requests, in the transaction that removes them from the outbox.
    static func settle(_ settlements: [OutboxSettlement], in database: Database) throws {
        for settlement in settlements {
            var (status, failure): (Int?, String?)
            switch settlement.outcome {
            case .accepted: break
            case .refused(_, let problem):
                (status, failure) = (problem.status, problem.detail ?? problem.title)
            case .dropped: failure = "given up"
            }
            try database.execute(
                sql: "INSERT OR REPLACE INTO xmlapi_answer (id, answer, status, failure) VALUES (?, ?, ?, ?)",
                arguments: [settlement.item.id, settlement.response, status, failure])
        }
        try database.execute(
            sql: "DELETE FROM xmlapi_answer WHERE number <= (SELECT max(number) FROM xmlapi_answer) - ?",
            arguments: [maximumStored])
    }

    /// Returns the outcome of a request; `nil` when it is unknown.
    static func outcome(of id: String, in store: Store) async throws(XMLAPIError) -> XMLAPIWaiters.Outcome? {
        struct Stored: Sendable {
            var answer: Data?
            var status: Int?
            var failure: String?
        }
        let stored: Stored?
        do {
            stored = try await store.read { database in
                let sql = "SELECT answer, status, failure FROM xmlapi_answer WHERE id = ?"
                return try Row.fetchOne(database, sql: sql, arguments: [id]).map {
                    Stored(answer: $0[0], status: $0[1], failure: $0[2])
                }
            }
        } catch {
            throw .notStored(error)
        }
        guard let stored else { return nil }
        if let answer = stored.answer {
            do throws(XMLError) { return .success(try XMLAPIResponse(reading: answer)) } catch {
                return .failure(.unreadable(error.description))
            }
        }
        if let status = stored.status, status > 0 { return .failure(.status(status)) }
        return .failure(.network(.unreachable(stored.failure ?? "")))
    }
}
