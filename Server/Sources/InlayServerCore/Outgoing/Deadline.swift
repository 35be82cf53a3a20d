import HeapModule
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
            return try await withTaskCancellationHandler(
                operation: { try await task.value }, onCancel: { task.cancel() })
        } catch {
            throw NIODeadline.now() < deadline ? error : Passed()
        }
    }

    private static let limits = TimeLimits(on: MultiThreadedEventLoopGroup.singleton.any())
}

/// The limits of all work under way. A timer is set only for a limit that is earlier than all others.
///
/// Most work ends in time. A timer for each would wake a thread when it is set and again when it is cancelled: six
/// times in an auction with three bidders.
final class TimeLimits: Sendable {
    private struct Limit: Comparable {
        let deadline: NIODeadline
        let id: Int

        static func < (a: Limit, b: Limit) -> Bool { (a.deadline, a.id) < (b.deadline, b.id) }
    }

    private struct State {
        /// The earliest first. Limits are minutes long at most, so a removed one stays until its deadline.
        var limits = Heap<Limit>()
        var calls: [Int: @Sendable () -> Void] = [:]
        var lastID = 0
        /// The deadline of the earliest timer.
        var timer = NIODeadline.distantFuture
    }

    /// The event loop with the clock and the timers.
    private let loop: any EventLoop
    private let state = NIOLockedValueBox(State())

    init(on loop: any EventLoop) { self.loop = loop }

    /// Calls `pass` at the deadline, unless the limit is removed before by the id that this returns.
    func add(_ deadline: NIODeadline, _ pass: @escaping @Sendable () -> Void) -> Int {
        state.withLockedValue { state in
            state.lastID += 1
            state.calls[state.lastID] = pass
            state.limits.insert(Limit(deadline: deadline, id: state.lastID))
            setTimer(&state)
            return state.lastID
        }
    }

    func remove(_ id: Int) { state.withLockedValue { $0.calls[id] = nil } }

    private func setTimer(_ state: inout State) {
        guard let first = state.limits.min?.deadline, first < state.timer else { return }
        state.timer = first
        loop.scheduleTask(deadline: first) { self.callPassed() }
    }

    private func callPassed() {
        let passed = state.withLockedValue { state in
            var passed: [@Sendable () -> Void] = []
            let now = loop.now
            // A timer that an earlier one has overtaken finds nothing to do.
            guard state.timer <= now else { return passed }
            while let first = state.limits.min, first.deadline <= now || state.calls[first.id] == nil {
                state.limits.removeMin()
                if let pass = state.calls.removeValue(forKey: first.id) { passed.append(pass) }
            }
            state.timer = .distantFuture
            setTimer(&state)
            return passed
        }
        passed.forEach { $0() }
    }
}
