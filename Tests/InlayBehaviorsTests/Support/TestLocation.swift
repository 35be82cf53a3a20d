@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire

@testable import InlayBehaviors

/// A location service with scripted results that counts its calls.
final class TestLocation: LocationSource {
    private struct State {
        var fixes = 0
        var places = 0
    }

    private let state = Locked(State())
    private let signal = ConditionSignal()
    private let answer: @Sendable () async throws -> LocationFix
    private let answerPlace: @Sendable () async throws -> Place

    init(
        fix: @escaping @Sendable () async throws -> LocationFix,
        place: @escaping @Sendable () async throws -> Place = {
            Place(address: "London W1A, United Kingdom (GB)", name: "London")
        }
    ) { (answer, answerPlace) = (fix, place) }

    /// Returns a service that reports London, measured at the time of each call.
    static func london(_ clock: ManualClock) -> TestLocation {
        TestLocation(fix: { LocationFix(Coordinates(latitude: 51.5, longitude: -0.1), time: clock.now()) })
    }

    var fixes: Int { state.withLock { $0.fixes } }
    var places: Int { state.withLock { $0.places } }

    func until(fixes: Int = 0, places: Int = 0) async throws {
        try await signal.until("questions") { self.fixes >= fixes && self.places >= places }
    }

    func fix() async throws -> LocationFix {
        state.withLock { $0.fixes += 1 }
        signal.changed()
        return try await answer()
    }

    func place(at coordinates: Coordinates) async throws -> Place {
        state.withLock { $0.places += 1 }
        signal.changed()
        return try await answerPlace()
    }
}
