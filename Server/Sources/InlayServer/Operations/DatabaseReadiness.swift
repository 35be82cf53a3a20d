import InlaySQL
import InlayWire

/// Whether the database can be read and written, found out within a limit.
struct DatabaseReadiness: Sendable {
    let database: any SQLDatabase
    /// Under the two seconds that load balancers commonly wait.
    var limit = Duration.milliseconds(1_500)

    /// Throws the problem to answer with: 503, the reason, and when to ask again.
    func check() async throws {
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await database.check() }
                group.addTask {
                    for await _ in Ticks(every: limit) { break }
                    try Task.checkCancellation()
                    throw SilentDatabase()
                }
                defer { group.cancelAll() }
                try await group.next()
            }
        } catch is SilentDatabase {
            throw Self.refusal("The database does not answer.", seconds: 5)
        } catch let error as SQLError {
            throw Self.refusal(error.publicReason, seconds: error.retrySeconds ?? 5)
        }
    }

    private struct SilentDatabase: Error {}

    private static func refusal(_ reason: String, seconds: Int) -> Refusal {
        Refusal(
            Problem(.unavailable, status: 503, title: "The server is not ready.", detail: reason),
            headers: [.retryAfter: "\(seconds)"])
    }
}
