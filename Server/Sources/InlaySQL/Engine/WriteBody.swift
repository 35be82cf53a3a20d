/// One body on its way through the group writer: run, perhaps again, then answered once.
protocol WriteJob: AnyObject, Sendable {
    /// Runs the body and keeps its result; throws what the body throws.
    func run(on connection: any SQLConnection) throws
    /// Keeps the body's own error; the rest of the group goes on.
    func fail(_ error: any Error)
    /// Hands the kept result to the caller. Called exactly once, after the commit.
    func answer()
}

/// A body with the caller that waits for its result.
///
/// Unchecked: made by the caller, then touched by the writer's thread alone.
final class WriteBody<T: Sendable>: WriteJob, @unchecked Sendable {
    private let body: @Sendable (any SQLConnection) throws -> T
    private let caller: CheckedContinuation<T, any Error>
    private var result: Result<T, any Error>?

    init(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T, caller: CheckedContinuation<T, any Error>
    ) {
        self.body = body
        self.caller = caller
    }

    func run(on connection: any SQLConnection) throws {
        result = .success(try BodyConnection.run(body, on: connection))
    }

    func fail(_ error: any Error) { result = .failure(error) }

    func answer() {
        caller.resume(with: result ?? .failure(SQLError(.other, "The writer answered a body it never ran.")))
    }
}
