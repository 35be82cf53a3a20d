@_spi(Inlay) import InlayWire

/// The effects of an input: events to publish, trackers to call, and work to start.
struct AdStep: Hashable, Sendable {
    /// The events for the app, in this order.
    var events: [AdEvent] = []
    /// Trackers to call, of the ad that the input is about.
    var trackers: [AdEventName] = []
    /// The number of a load to start.
    var load: Int?
    /// Timers to start for the ad of this number.
    var timers: [Timer] = []
    /// The creative of this load is what `show` draws from now on.
    var draws: Int?
    /// Nothing of the ad is kept any more.
    var drops = false
    /// The reason why the app's call cannot be done; nothing else happened then.
    var misuse: AdError?

    /// The reason why the ad is over, when it did not end well.
    var fault: AdError? {
        for event in events {
            switch event {
            case .showFailed(let error), .closed(.error(let error)): return error
            default: continue
            }
        }
        return nil
    }

    enum Timer: Hashable, Sendable {
        case expiry(Int, Duration)
        case unlock(Int, Duration)
        case refresh(Int, Duration)
        case drawing(Int, Duration)

        /// The duration of the timer.
        var delay: Duration {
            switch self {
            case .expiry(_, let delay), .unlock(_, let delay), .refresh(_, let delay),
                .drawing(_, let delay):
                delay
            }
        }

        /// The input at the end of the timer.
        var input: AdInput {
            switch self {
            case .expiry(let load, _): .expired(load)
            case .unlock(let load, _): .unlocked(load)
            case .refresh(let load, _): .refresh(load)
            case .drawing(let load, _): .undrawn(load)
            }
        }
    }

    static func misused(_ error: AdError) -> AdStep { AdStep(misuse: error) }
}
