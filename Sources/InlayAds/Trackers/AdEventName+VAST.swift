@_spi(Inlay) import InlayWire

/// The events that advertisers track and the exchange does not.
extension AdEventName {
    /// The video is ready to be played.
    static let loaded: Self = "loaded"
    /// The ad is on screen; the name of VAST 2 and 3.
    static let creativeView: Self = "creativeView"
    /// The ad left the screen before it was viewable.
    static let notViewable: Self = "notViewable"
}
