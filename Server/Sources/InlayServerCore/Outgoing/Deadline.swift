import NIOCore
import NIOPosix

/// The time limit of a whole piece of work, whatever it waits for.
enum Deadline {
    /// The work was not finished in time.
    struct Passed: Error, CustomStringConvertible {
        let description = "it took too long"
    }

    /// Returns what the work returns, or throws ``Passed`` at the deadline. The work has to end when it is cancelled.
    static func run<Value: Sendable>(
        until deadline: NIODeadline, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard NIODeadline.now() < deadline else { throw Passed() }
        // Ends with the work, at the deadline, or with the caller: all three cancel it.
        let task = Task { try await work() }
        let limit = limits.add(deadline) { task.cancel() }
        defer { limits.remove(limit) }
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch {
            throw NIODeadline.now() < deadline ? error : Passed()
        }
    }

    private static let limits = TimeLimits(on: MultiThreadedEventLoopGroup.singleton.any())
}
