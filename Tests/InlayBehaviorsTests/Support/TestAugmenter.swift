@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire

@testable import InlayBehaviors

/// A plug-in whose readiness and result are set by a test.
final class TestAugmenter: BehaviorAugmenter {
    struct Failure: Error {}

    private struct State {
        var isReady: Bool
        var asked = 0
        var processed: [BehaviorEvent] = []
    }

    private let state: Locked<State>
    private let watch = Watch()
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

    var asked: Int { state.withLock { $0.asked } }
    var processed: [BehaviorEvent] { state.withLock { $0.processed } }

    func becomeReady() { state.withLock { $0.isReady = true } }

    func untilAsked(_ count: Int = 1) async throws {
        try await watch.until("\(count) questions") { self.asked >= count }
    }

    func isSupplementalDataReady() async -> Bool {
        let isReady = state.withLock { state in
            state.asked += 1
            return state.isReady
        }
        watch.changed()
        return isReady
    }

    func process(_ event: BehaviorEvent) async throws -> BehaviorEvent {
        state.withLock { $0.processed.append(event) }
        watch.changed()
        return try await body(event)
    }
}
