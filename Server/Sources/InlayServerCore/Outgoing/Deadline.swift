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

/// The limits of all work under way, to the millisecond. A timer is set only for a limit that is earlier than all others.
///
/// Most work ends in time. A timer for each would wake a thread when it is set and again when it is cancelled: six times in
/// an auction with three bidders.
private final class TimeLimits: Sendable {
    struct Limit {
        /// The first whole millisecond of NIO's clock that is not before the deadline.
        fileprivate let millisecond: UInt64
        fileprivate let id: Int
    }

    private struct State {
        var calls: [UInt64: [Int: @Sendable () -> Void]] = [:]
        var lastID = 0
        /// The millisecond of the earliest timer; `nil` when none is set.
        var next: UInt64?
    }

    private let state = NIOLockedValueBox(State())

    /// Calls `pass` at the deadline, unless the limit is removed before.
    func add(_ deadline: NIODeadline, _ pass: @escaping @Sendable () -> Void) -> Limit {
        let millisecond = (deadline.uptimeNanoseconds + 999_999) / 1_000_000
        let (id, isNext) = state.withLockedValue { state in
            state.lastID += 1
            state.calls[millisecond, default: [:]][state.lastID] = pass
            let isNext = state.next.map { millisecond < $0 } ?? true
            if isNext { state.next = millisecond }
            return (state.lastID, isNext)
        }
        if isNext { ring(at: millisecond) }
        return Limit(millisecond: millisecond, id: id)
    }

    func remove(_ limit: Limit) {
        state.withLockedValue { state in
            state.calls[limit.millisecond]?[limit.id] = nil
            if state.calls[limit.millisecond]?.isEmpty == true { state.calls[limit.millisecond] = nil }
        }
    }

    private func ring(at millisecond: UInt64) {
        let moment = min(NIODeadline.uptimeNanoseconds(millisecond * 1_000_000), .distantFuture)
        MultiThreadedEventLoopGroup.singleton.any().scheduleTask(deadline: moment) { self.rang() }
    }

    private func rang() {
        let now = NIODeadline.now().uptimeNanoseconds / 1_000_000
        let (passed, next) = state.withLockedValue { state in
            // A timer that an earlier one has overtaken finds nothing to do.
            guard let last = state.next, last <= now else {
                return ([(@Sendable () -> Void)](), UInt64?.none)
            }
            let over = state.calls.keys.filter { $0 <= now }
            let passed = over.flatMap { state.calls.removeValue(forKey: $0)?.values.map { $0 } ?? [] }
            state.next = state.calls.keys.min()
            return (passed, state.next)
        }
        if let next { ring(at: next) }
        passed.forEach { $0() }
    }
}
