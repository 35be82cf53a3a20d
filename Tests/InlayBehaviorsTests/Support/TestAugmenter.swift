@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire

@testable import InlayBehaviors

/// A plug-in whose readiness and result are set by a test.
final class TestAugmenter: BehaviorAugmenter {
    struct Failure: Error {}

    private struct State {
        var isReady: Bool
        var readinessChecks = 0
        var processed: [BehaviorEvent] = []
    }

    private let state: Locked<State>
    private let signal = ConditionSignal()
    let processesSynchronously: Bool
    private let body: @Sendable (BehaviorEvent) async throws -> BehaviorEvent

    init(
        ready: Bool = true, synchronous: Bool = true,
        _ body: @escaping @Sendable (BehaviorEvent) async throws -> BehaviorEvent = { $0 }
    ) {
        state = Locked(State(isReady: ready))
        processesSynchronously = synchronous
        self.body = body
    }

    /// Returns a plug-in that adds one attribute.
    static func adding(
        _ name: String, _ value: String, ready: Bool = true, synchronous: Bool = true
    ) -> TestAugmenter {
        TestAugmenter(ready: ready, synchronous: synchronous) { event in
            var event = event
            event.set(name, value)
            return event
        }
    }

    var readinessChecks: Int { state.withLock { $0.readinessChecks } }
    var processed: [BehaviorEvent] { state.withLock { $0.processed } }

    func becomeReady() { state.withLock { $0.isReady = true } }

    func untilChecked(_ count: Int = 1) async throws {
        try await signal.until("\(count) checks") { self.readinessChecks >= count }
    }

    func isSupplementalDataReady() async -> Bool {
        let isReady = state.withLock { state in
            state.readinessChecks += 1
            return state.isReady
        }
        signal.changed()
        return isReady
    }

    func process(_ event: BehaviorEvent) async throws -> BehaviorEvent {
        state.withLock { $0.processed.append(event) }
        signal.changed()
        return try await body(event)
    }
}
