import InlayServer
import InlayWire
import NIOConcurrencyHelpers

/// A server clock that stands until it is moved; it starts in the past.
final class HistoryClock: Sendable {
    private let moment: NIOLockedValueBox<Timestamp>
    /// When the history ends: when the clock was made.
    let end: Timestamp

    init(daysAgo days: Int) {
        end = Timestamp.now()
        moment = NIOLockedValueBox(end + .seconds(-days * 86_400))
    }

    var now: @Sendable () -> Timestamp {
        { [moment] in moment.withLockedValue { $0 } }
    }

    /// Moves to a later moment, not past the end.
    func move(to next: Timestamp) { moment.withLockedValue { $0 = min(next, end) } }
}
