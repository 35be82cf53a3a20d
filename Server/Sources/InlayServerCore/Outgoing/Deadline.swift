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

/// The limits of all work under way. A timer is set only for a limit that is earlier than all others.
///
/// Most work ends in time. A timer for each would wake a thread when it is set and again when it is cancelled: six times in
/// an auction with three bidders.
private final class TimeLimits: Sendable {
    private struct Limit: Comparable {
        let deadline: NIODeadline
        let id: Int

        static func < (a: Limit, b: Limit) -> Bool { (a.deadline, a.id) < (b.deadline, b.id) }
    }

    private struct State {
        /// The earliest first. Limits are seconds long, so a removed one stays until its moment.
        var limits = Heap<Limit>()
        var calls: [Int: @Sendable () -> Void] = [:]
        var lastID = 0
        /// The earliest timer; `nil` when none is set.
        var next: NIODeadline?
    }

    private let state = NIOLockedValueBox(State())

    /// Calls `pass` at the deadline, unless the limit is removed before by the id that this returns.
    func add(_ deadline: NIODeadline, _ pass: @escaping @Sendable () -> Void) -> Int {
        let (id, isNext) = state.withLockedValue { state in
            state.lastID += 1
            state.calls[state.lastID] = pass
            state.limits.insert(Limit(deadline: deadline, id: state.lastID))
            let isNext = deadline < state.next ?? .distantFuture
            if isNext { state.next = deadline }
            return (state.lastID, isNext)
        }
        if isNext { ring(at: deadline) }
        return id
    }

    func remove(_ id: Int) { state.withLockedValue { $0.calls[id] = nil } }

    private func ring(at deadline: NIODeadline) {
        MultiThreadedEventLoopGroup.singleton.any().scheduleTask(deadline: deadline) { self.rang() }
    }

    private func rang() {
        let (passed, next) = state.withLockedValue { state in
            var passed: [@Sendable () -> Void] = []
            let now = NIODeadline.now()
            // A timer that an earlier one has overtaken finds nothing to do.
            guard let last = state.next, last <= now else { return (passed, NIODeadline?.none) }
            while let first = state.limits.min, first.deadline <= now || state.calls[first.id] == nil {
                state.limits.removeMin()
                if let pass = state.calls.removeValue(forKey: first.id) { passed.append(pass) }
            }
            state.next = state.limits.min?.deadline
            return (passed, state.next)
        }
        if let next { ring(at: next) }
        passed.forEach { $0() }
    }
}
