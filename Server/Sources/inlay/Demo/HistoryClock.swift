import InlayServer
import InlayServerCore
@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers

/// A server clock that starts in the past and moves only by ``move(to:)``.
final class HistoryClock: Sendable {
    private let moment: NIOLockedValueBox<Timestamp>
    /// The end of the history, which is the time at which the clock was made.
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
