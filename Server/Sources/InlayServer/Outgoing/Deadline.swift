import NIOConcurrencyHelpers
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

    private static let limits = TimeLimits()
}

/// The limits of all work under way, with one timer for the next of them.
///
/// Most work ends in time. A timer for each would wake a thread when it is set and again when it is cancelled: six times in
/// an auction with three bidders.
private final class TimeLimits: Sendable {
    private struct Limit {
        let deadline: NIODeadline
        let pass: @Sendable () -> Void
    }

    private struct State {
        var limits: [Int: Limit] = [:]
        var lastID = 0
        /// When the timer that rings first does so.
        var next: NIODeadline?
    }

    private let state = NIOLockedValueBox(State())

    /// Calls `pass` at the deadline, unless the limit is removed before.
    func add(_ deadline: NIODeadline, _ pass: @escaping @Sendable () -> Void) -> Int {
        let (id, isNext) = state.withLockedValue { state in
            state.lastID += 1
            state.limits[state.lastID] = Limit(deadline: deadline, pass: pass)
            let isNext = state.next.map { deadline < $0 } ?? true
            if isNext { state.next = deadline }
            return (state.lastID, isNext)
        }
        if isNext { ring(at: deadline) }
        return id
    }

    func remove(_ id: Int) { state.withLockedValue { _ = $0.limits.removeValue(forKey: id) } }

    private func ring(at deadline: NIODeadline) {
        MultiThreadedEventLoopGroup.singleton.any().scheduleTask(deadline: deadline) { self.rang() }
    }

    private func rang() {
        let now = NIODeadline.now()
        let (passed, next) = state.withLockedValue { state in
            let passed = state.limits.filter { $0.value.deadline <= now }
            passed.keys.forEach { state.limits[$0] = nil }
            // A timer that was set for a later moment still rings then.
            guard let next = state.next, next <= now else { return (passed, NIODeadline?.none) }
            state.next = state.limits.values.map(\.deadline).min()
            return (passed, state.next)
        }
        if let next { ring(at: next) }
        passed.values.forEach { $0.pass() }
    }
}
