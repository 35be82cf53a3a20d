@_spi(Inlay) public import InlayWire

/// An event of an ad placement. A placement publishes its events in order.
///
/// Every load ends with exactly one of `loadFailed`, `showFailed`, `closed`, `expired` and `destroyed`.
public enum AdEvent: Hashable, Sendable {
    /// The ad was loaded and may be shown.
    case loaded
    /// No ad could be loaded; the load is over.
    case loadFailed(AdError)
    /// The surface is to draw the ad in `AdPlacement.current`. Published again for each refresh of a banner.
    case showing
    /// The ad is on screen. Once for each impression; the billed view tracker is called with it.
    case shown
    /// Half of the ad was in view for 1 s, or for 2 s when it is a video; once for each impression.
    case viewable
    /// The user followed a link of the ad; once for each impression.
    case clicked
    /// An event of the video: start, pause, resume, mute, unmute, a quartile, skip or the end.
    case video(AdEventName)
    /// The user may close the ad from now on.
    case closable
    /// The user earned the reward; once, and only after the whole video.
    case rewarded(AdReward?)
    /// The ad could not be drawn and was never on screen; the load is over.
    case showFailed(AdError)
    /// The ad left the screen; the load is over.
    case closed(AdEvent.CloseReason)
    /// The ad was not shown within its lifetime; the load is over.
    case expired
    /// The app destroyed the ad before it was on screen; the load is over.
    case destroyed

    /// Whether this is the last event of its load.
    public var isTerminal: Bool {
        switch self {
        case .loadFailed, .showFailed, .closed, .expired, .destroyed: true
        default: false
        }
    }
}

extension AdEvent {
    /// The reason why an ad left the screen.
    public enum CloseReason: Hashable, Sendable {
        /// The user closed the ad.
        case user
        /// The app dismissed or destroyed the ad, or the session ended.
        case app
        /// A refreshing banner shows its next ad.
        case replaced
        /// The ad failed after it had been on screen. It closes at once, without waiting for the close delay.
        case error(AdError)
    }
}
