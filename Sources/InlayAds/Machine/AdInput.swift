@_spi(Inlay) import InlayWire

/// An input of an ad placement's state machine. An input that belongs to a load has the number of that load, so that
/// a late input of an earlier load changes nothing.
enum AdInput: Hashable, Sendable {
    /// The app loads an ad.
    case load
    /// A load returned an ad that can be shown.
    case loaded(Int, AdResponseTerms)
    /// A load failed.
    case loadFailed(Int, AdError)
    /// The app shows the ad.
    case show
    /// The first part of the ad is on screen.
    case rendered(Int)
    /// The ad cannot be drawn, or failed later.
    case failed(Int, AdError)
    /// Half of the ad was in view for long enough.
    case viewable(Int)
    /// Nothing of the ad was drawn in time.
    case renderTimedOut(Int)
    /// The user followed a link.
    case clicked(Int)
    /// An event of the video.
    case played(Int, AdEventName)
    /// The close delay is over.
    case unlocked(Int)
    /// The user closes the ad.
    case close(Int)
    /// The app takes the ad off screen.
    case dismiss
    /// The lifetime of the loaded ad is over.
    case expired(Int)
    /// The refresh interval of a banner is over.
    case refresh(Int)
    /// The app destroys the ad, in whatever state.
    case destroy
}
