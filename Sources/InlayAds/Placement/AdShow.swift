@_spi(Inlay) public import InlayWire

/// One presentation of a creative: the data that a surface draws, and the methods by which it reports what
/// happens.
///
/// Only the SDK's own surface and player may call these methods, never the creative. A call for an ad that
/// was replaced or closed has no effect.
@_spi(Inlay) public struct AdShow: Sendable, Identifiable {
    /// Increases with every creative of the placement.
    public let id: Int
    /// The creative that is drawn.
    public let creative: AdCreative
    /// The type of the ad; a rewarded video is a video of type `.rewarded`.
    public let type: AdType
    /// The format of the ad: whether it covers the app's page.
    public let format: AdFormat
    /// The terms under which the ad is shown.
    package let terms: AdResponseTerms
    /// Whether the creative gets the MRAID bridge.
    public let allowsMRAID: Bool
    /// Whether the creative may show frames of other sites. A host of your own has to block them when it may not.
    public let allowsFrames: Bool
    /// The server's id of the impression; `nil` when the response had none.
    public let impressionID: String?
    let placement: AdPlacement

    init(id: Int, bid: AdBid, placement: AdPlacement) {
        (self.id, creative, terms, type) = (id, bid.creative, bid.terms, bid.terms.type)
        format = bid.terms.format
        (allowsMRAID, allowsFrames) = (bid.allowsMRAID, bid.allowsFrames)
        impressionID = bid.impressionID
        self.placement = placement
    }

    /// The complete media file of a video; `nil` for HTML, and after the ad was closed.
    public var mediaFile: MediaFile? { placement.mediaFile(of: id) }

    /// Reports that the first part of the ad is on screen ("begin to render"). The first call counts the
    /// impression, which is billed.
    ///
    /// Returns when the trackers are stored and survive a crash.
    public func rendered() async { await placement.send(.rendered(id)) }

    /// Reports that half of the ad was in view for 1 s, or for 2 s when it is a video.
    public func viewable() async { await placement.send(.viewable(id)) }

    /// Reports a touch, click or key of the user that the host received, never an event that the page made.
    public func touched() { placement.touched(id) }

    /// Opens a link of the ad.
    ///
    /// Allowed within a second after `touched`, for http and https, one at a time.
    ///
    /// - Parameter isClick: `false` for a link that does not count as a click, as that of the AdChoices icon.
    public func tapped(_ address: String, isClick: Bool = true) async -> AdLinkDecision {
        await placement.follow(address, id, isClick: isClick)
    }

    /// Reports that the user closed the web view that showed a link in the place of a browser.
    public func linkClosed() { placement.linkClosed(id) }

    /// Reports an event of the video. Mute, unmute, pause and resume count each time, all others once.
    public func played(_ event: AdEventName) async { await placement.send(.played(id, event)) }

    /// Reports the position that the video has reached, and calls the creative's progress trackers up to it.
    public func progressed(to place: Duration) async { await placement.progressed(to: place, id) }

    /// Calls the trackers of a companion or an icon of the video.
    public func called(_ addresses: [String]) async { await placement.call(addresses, id) }

    /// Closes the ad for the user. Returns `false` while the ad is locked.
    @discardableResult
    public func close() async -> Bool { await placement.send(.close(id)) == nil }

    /// Reports that the creative cannot be drawn or has failed. The ad ends at once, even while it is locked.
    public func failed(_ error: AdError) async { await placement.send(.failed(id, error)) }
}
