/// A body in the group writer's queue. It runs, perhaps several times; then its caller is resumed once.
protocol WriteJob: AnyObject, Sendable {
    /// The time at which the caller added the body to the queue.
    var arrival: ContinuousClock.Instant { get }
    /// Runs the body and stores its result; rethrows the body's error.
    func run(on connection: any SQLConnection) throws
    /// Stores an error as the body's result.
    func fail(_ error: any Error)
    /// Resumes the caller with the stored result. Called exactly once, after the commit.
    func resumeCaller()
}

/// A body with the continuation of its caller.
///
/// Unchecked: created by the caller, then used by the writer's thread alone.
final class WriteBody<T: Sendable>: WriteJob, @unchecked Sendable {
    let arrival = ContinuousClock.now
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

    func resumeCaller() {
        caller.resume(
            with: result ?? .failure(SQLError(.other, "The writer resumed a body that it never ran.")))
    }
}
