import InlayTesting

/// Looks again and again until the condition holds, for at most a minute.
func eventually(
    within limit: Duration = .seconds(60), _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < end else { throw WaitedTooLong(what: "a condition") }
        // A pause and not a yield: the work that is waited for shares two cores with this loop.
        try await Task.sleep(for: .milliseconds(1))
    }
}
