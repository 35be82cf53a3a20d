import InlaySQL
@_spi(Inlay) import InlayWire

/// A check, with a time limit, that the database can be read and written.
struct DatabaseReadiness: Sendable {
    let database: any SQLDatabase
    /// The time limit, less than the two seconds that load balancers commonly wait.
    var limit = Duration.milliseconds(1_500)

    /// Throws the problem of the response when the check fails: 503 with the reason and `Retry-After`.
    func check() async throws {
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await database.check() }
                group.addTask {
                    for await _ in TimerSequence(every: limit) { break }
                    try Task.checkCancellation()
                    throw DatabaseTimeout()
                }
                defer { group.cancelAll() }
                try await group.next()
            }
        } catch is DatabaseTimeout {
            throw Self.refusal("The database does not answer.", seconds: 5)
        } catch let error as SQLError {
            throw Self.refusal(error.publicReason, seconds: error.retrySeconds ?? 5)
        }
    }

    private struct DatabaseTimeout: Error {}

    private static func refusal(_ reason: String, seconds: Int) -> Refusal {
        Refusal(
            Problem(.unavailable, status: 503, title: "The server is not ready.", detail: reason),
            headers: [.retryAfter: "\(seconds)"])
    }
}
