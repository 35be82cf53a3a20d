/// Checks the condition repeatedly, in the caller's isolation, until it holds.
///
/// - Parameter limit: The limit in real time; the default is long enough for a busy machine.
/// - Throws: ``WaitTimedOut`` after the limit, or what the condition throws.
public func eventually(
    within limit: Duration = .seconds(60), isolation: isolated (any Actor)? = #isolation,
    _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < end else { throw WaitTimedOut(what: "a condition") }
        // A pause, not a yield, because the awaited work shares the processor cores with this loop.
        try await Task.sleep(for: .milliseconds(1))
    }
}
