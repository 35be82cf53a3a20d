import InlayCore

/// A signal with which a test waits for a condition, with a limit in real time.
public final class ConditionSignal: Sendable {
    private struct State {
        var waiters: [Int: AsyncStream<Void>.Continuation] = [:]
        var nextID = 0
    }

    private let state = Locked(State())

    /// Creates a signal without waiters.
    public init() {}

    /// Makes every waiter check its condition.
    public func changed() {
        let waiters = state.withLock { $0.waiters.values.map { $0 } }
        waiters.forEach { $0.yield() }
    }

    /// Waits until the condition holds. It is checked now and after every change.
    ///
    /// - Throws: `WaitTimedOut` after `limit` of real time.
    public func until(
        within limit: Duration = WaitTimedOut.limit,
        _ what: @autoclosure @Sendable () -> String = "a change",
        _ condition: @escaping @Sendable () -> Bool
    ) async throws {
        let (changes, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            state.nextID += 1
            state.waiters[state.nextID] = continuation
            return state.nextID
        }
        defer { state.withLock { _ = $0.waiters.removeValue(forKey: id) } }
        if condition() { return }
        let isMet = await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                for await _ in changes where condition() { return true }
                return condition()
            }
            group.addTask {
                try? await Task.sleep(for: limit)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
        guard isMet || condition() else { throw WaitTimedOut(what: what()) }
    }
}

/// The error of a test that waited in vain.
public struct WaitTimedOut: Error, CustomStringConvertible {
    /// The event that did not occur.
    public let what: String

    /// The default limit of waits. It only determines when a failure is reported, so it is long enough for a busy
    /// machine.
    public static let limit = Duration.seconds(240)

    /// Creates an error; `what` is the awaited event.
    public init(what: String) { self.what = what }

    public var description: String { "waited too long for \(what)" }
}
