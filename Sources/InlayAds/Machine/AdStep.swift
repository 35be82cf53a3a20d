@_spi(Inlay) import InlayWire

/// The effects of an input: events to publish, trackers to call, and work to start.
struct AdStep: Hashable, Sendable {
    /// The events for the app, in this order.
    var events: [AdEvent] = []
    /// The events whose trackers to call, of the ad that the input is about.
    var trackers: [AdEventName] = []
    /// The number of a load to start.
    var load: Int?
    /// The timers to start; each has the number of its load.
    var timers: [Timer] = []
    /// The number of the load whose creative is drawn from now on.
    var drawnLoad: Int?
    /// Whether the ad, its timers and its load are released.
    var releasesAd = false
    /// The error that the app's call throws; the step has no other effects then.
    var misuse: AdError?

    /// The error that ended the ad, if an error did.
    var error: AdError? {
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
            case .drawing(let load, _): .renderTimedOut(load)
            }
        }
    }

    static func misused(_ error: AdError) -> AdStep { AdStep(misuse: error) }
}
