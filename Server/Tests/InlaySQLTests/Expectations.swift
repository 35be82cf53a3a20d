import InlaySQL
import Testing

/// Expects an ``SQLError`` of one kind; for another kind, the failure shows the error's text.
func expectError<T>(
    _ kind: SQLError.Kind, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> T
) async {
    do {
        _ = try await body()
        Issue.record("Nothing was thrown where \(kind) was expected.", sourceLocation: sourceLocation)
    } catch let error as SQLError {
        #expect(error.kind == kind, "\(error)", sourceLocation: sourceLocation)
    } catch {
        Issue.record("\(error) was thrown where \(kind) was expected.", sourceLocation: sourceLocation)
    }
}

/// Returns the first element that matches; throws after a minute.
func first<T: Sendable>(
    of stream: AsyncStream<T>, where matches: @escaping @Sendable (T) -> Bool = { _ in true }
) async throws -> T {
    try await within(.seconds(60)) {
        for await element in stream where matches(element) { return element }
        throw WaitError.ended
    }
}

/// Returns the body's result, or throws `tooLate` when the body takes longer than the limit.
func within<T: Sendable>(_ limit: Duration, _ body: @escaping @Sendable () async throws -> T) async throws
    -> T
{
    try await withThrowingTaskGroup(of: T.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await ContinuousClock().sleep(for: limit)
            throw WaitError.tooLate
        }
        defer { group.cancelAll() }
        guard let result = try await group.next() else { throw WaitError.ended }
        return result
    }
}

enum WaitError: Error { case tooLate, ended }
