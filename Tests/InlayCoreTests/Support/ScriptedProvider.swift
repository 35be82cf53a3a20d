@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire

@_spi(Inlay) @testable import InlayCore

/// A token provider whose tokens are set by a test.
final class ScriptedProvider: Sendable {
    private struct State {
        var calls = 0
        var answers: [String?] = []
        var isHolding = false
        var held: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())
    private let signal = ConditionSignal()
    private let clock: ManualClock

    init(clock: ManualClock) { self.clock = clock }

    /// The number of calls of the provider.
    var calls: Int { state.withLock { $0.calls } }

    /// Sets the next tokens; when none is left, a new token of `user-1` for an hour is returned.
    func next(_ answers: String?...) { state.withLock { $0.answers += answers } }

    /// Makes later calls wait until `release`.
    func hold() { state.withLock { $0.isHolding = true } }

    /// Ends the waits, and lets later calls return at once.
    func release() {
        let held = state.withLock { state in
            state.isHolding = false
            defer { state.held = [] }
            return state.held
        }
        held.forEach { $0.resume() }
    }

    func untilCalled(_ count: Int) async throws {
        try await signal.until("\(count) questions, not \(self.calls)") { self.calls >= count }
    }

    /// Waits until a call waits, so that `release` ends the wait.
    func untilHeld(_ count: Int = 1) async throws {
        try await signal.until("\(count) held questions") { self.state.withLock { $0.held.count } >= count }
    }

    func token(subject: String = "user-1", lasting life: Duration = .seconds(3600)) -> String {
        TestToken.unsigned(subject: subject, expires: clock.now() + life)
    }

    @Sendable func provide() async -> String? {
        let fallback = token()
        let answer = state.withLock { state -> String? in
            state.calls += 1
            return state.answers.isEmpty ? fallback : state.answers.removeFirst()
        }
        signal.changed()
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                if state.isHolding { state.held.append(continuation) }
                return state.isHolding
            }
            if isHeld { signal.changed() } else { continuation.resume() }
        }
        return answer
    }
}
