import InlayCore
import InlayTesting
import InlayWire

@testable import InlayBehaviors

/// A plug-in that a test plays.
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

    /// A plug-in that adds one attribute.
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

/// A door that a test opens.
final class Door: Sendable {
    private let isOpen = Locked(false)
    private let watch = Watch()

    func open() {
        isOpen.withLock { $0 = true }
        watch.changed()
    }

    /// Returns when the door is open.
    func pass() async { try? await watch.until(within: .seconds(60)) { self.isOpen.withLock { $0 } } }
}

/// A location service that a test plays.
final class TestLocation: LocationSource {
    private struct State {
        var fixes = 0
        var places = 0
    }

    private let state = Locked(State())
    private let watch = Watch()
    private let answer: @Sendable () async throws -> LocationFix
    private let answerPlace: @Sendable () async throws -> Place

    init(
        fix: @escaping @Sendable () async throws -> LocationFix,
        place: @escaping @Sendable () async throws -> Place = {
            Place(address: "London W1A, United Kingdom (GB)", name: "London")
        }
    ) { (answer, answerPlace) = (fix, place) }

    /// London, measured when it is asked for.
    static func london(_ clock: ManualClock) -> TestLocation {
        TestLocation(fix: { LocationFix(Coordinates(latitude: 51.5, longitude: -0.1), time: clock.now()) })
    }

    var fixes: Int { state.withLock { $0.fixes } }
    var places: Int { state.withLock { $0.places } }

    func until(fixes: Int = 0, places: Int = 0) async throws {
        try await watch.until("questions") { self.fixes >= fixes && self.places >= places }
    }

    func fix() async throws -> LocationFix {
        state.withLock { $0.fixes += 1 }
        watch.changed()
        return try await answer()
    }

    func place(at coordinates: Coordinates) async throws -> Place {
        state.withLock { $0.places += 1 }
        watch.changed()
        return try await answerPlace()
    }
}

/// A network monitor that a test plays.
final class TestNetwork: NetworkStatus {
    private let reachable: Locked<Bool>
    private let stream: AsyncStream<Bool>
    private let continuation: AsyncStream<Bool>.Continuation

    init(reachable: Bool) {
        self.reachable = Locked(reachable)
        (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
    }

    var isReachable: Bool { reachable.withLock { $0 } }
    func changes() -> AsyncStream<Bool> { stream }

    func turn(_ isReachable: Bool) {
        reachable.withLock { $0 = isReachable }
        continuation.yield(isReachable)
    }
}
