import InlayBehaviors
import InlayCore
import InlayWire

/// Keeps every event in HOLD for a moment, so that kills come there too.
struct SlowAugmenter: BehaviorAugmenter {
    var processesSynchronously: Bool { false }

    func isSupplementalDataReady() async -> Bool { true }

    func process(_ event: BehaviorEvent) async throws -> BehaviorEvent {
        try await SystemClock().sleep(for: .milliseconds(Int.random(in: 0..<10)))
        var event = event
        event.set("augmented", "yes")
        return event
    }
}
