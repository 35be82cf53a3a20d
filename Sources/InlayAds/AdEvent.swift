@_spi(Inlay) public import InlayWire

/// An event of an ad placement, in order.
///
/// Every load ends with exactly one of `loadFailed`, `showFailed`, `closed`, `expired` and `destroyed`.
public enum AdEvent: Hashable, Sendable {
    /// A creative is there and may be shown.
    case loaded
    /// No creative came; the load is over.
    case loadFailed(AdError)
    /// It is to be drawn: `AdPlacement.current` has what. A banner that refreshes says it again.
    case showing
    /// It is on screen. Once for each impression; the view that is billed is sent along.
    case shown
    /// Half of it was in sight for 1 s, or 2 s of a video; once for each impression.
    case viewable
    /// The user followed its link; once for each impression.
    case clicked
    /// Something happened in the video: start, a quartile, the end, sound on or off.
    case video(AdEventName)
    /// The user may close it from now on.
    case closable
    /// The user earned the reward; once, and only after the whole video.
    case rewarded(AdReward?)
    /// It could not be drawn and was never seen; the load is over.
    case showFailed(AdError)
    /// It is gone from the screen; the load is over.
    case closed(AdEvent.CloseReason)
    /// It waited too long to be shown; the load is over.
    case expired
    /// The app gave it up; the load is over.
    case destroyed

    /// Whether nothing more comes of this load.
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
        /// The user closed it.
        case user
        /// The app took it away, or the session ended.
        case app
        /// A refreshing banner shows the next one.
        case replaced
        /// It broke after it had been seen. An error never keeps anybody waiting for a close button.
        case error(AdError)
    }
}
