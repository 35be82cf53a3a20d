@_spi(Inlay) import InlayWire

/// The events that advertisers track and the exchange does not.
extension AdEventName {
    /// It is ready to be played.
    static let loaded: Self = "loaded"
    /// It is on screen, in the words of VAST 2 and 3.
    static let creativeView: Self = "creativeView"
    /// It went before enough of it was in sight for long enough.
    static let notViewable: Self = "notViewable"
}
