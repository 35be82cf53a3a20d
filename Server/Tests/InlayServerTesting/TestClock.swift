@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers

/// A server's clock that stands still until a test moves it.
final class TestClock: Sendable {
    private let moment: NIOLockedValueBox<Timestamp>

    /// Starts at 1 March 2026, noon.
    init(_ start: Timestamp = Timestamp(microseconds: 1_772_366_400_000_000)) {
        moment = NIOLockedValueBox(start)
    }

    var now: Timestamp { moment.withLockedValue { $0 } }

    func advance(by duration: Duration) { moment.withLockedValue { $0 = $0 + duration } }
}
