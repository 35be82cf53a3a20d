import HeapModule
import NIOConcurrencyHelpers
import NIOCore

/// The limits of all work under way. A timer is set only for a limit that is earlier than all others.
///
/// Most work ends in time. A timer for each would wake a thread when it is set and again when it is cancelled: six times in
/// an auction with three bidders.
final class TimeLimits: Sendable {
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

    /// Has the clock and the timers.
    private let loop: any EventLoop
    private let state = NIOLockedValueBox(State())

    init(on loop: any EventLoop) { self.loop = loop }

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
        if isNext { setTimer(deadline) }
        return id
    }

    func remove(_ id: Int) { state.withLockedValue { $0.calls[id] = nil } }

    private func setTimer(_ deadline: NIODeadline) {
        loop.scheduleTask(deadline: deadline) { self.callPassed() }
    }

    private func callPassed() {
        let (passed, next) = state.withLockedValue { state in
            var passed: [@Sendable () -> Void] = []
            let now = loop.now
            // A timer that an earlier one has overtaken finds nothing to do.
            guard let last = state.next, last <= now else { return (passed, NIODeadline?.none) }
            while let first = state.limits.min, first.deadline <= now || state.calls[first.id] == nil {
                state.limits.removeMin()
                if let pass = state.calls.removeValue(forKey: first.id) { passed.append(pass) }
            }
            state.next = state.limits.min?.deadline
            return (passed, state.next)
        }
        if let next { setTimer(next) }
        passed.forEach { $0() }
    }
}
