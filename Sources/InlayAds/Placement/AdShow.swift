public import InlayWire

/// One creative in front of the user: what a surface draws, and whom it tells what happens to it.
///
/// Only the SDK's own surface and player may call these, never the creative. Words about an ad that was
/// replaced or is gone change nothing.
public struct AdShow: Sendable, Identifiable {
    /// Grows with every creative of the place.
    public let id: Int
    /// What is drawn.
    public let creative: AdCreative
    /// What kind of ad it is; a rewarded video is a video of type `.rewarded`.
    public let type: AdType
    /// What the ad place shows: whether the ad covers the app's page.
    public let format: AdFormat
    /// The terms it is shown under.
    public let terms: AdTerms
    /// Whether the creative gets the MRAID bridge.
    public let allowsMRAID: Bool
    /// The server's name of the impression, where it gave one.
    public let impressionID: String?
    let placement: AdPlacement

    init(id: Int, offer: AdOffer, placement: AdPlacement) {
        (self.id, creative, terms, type) = (id, offer.creative, offer.terms, offer.terms.type)
        format = offer.terms.format
        (allowsMRAID, impressionID) = (offer.allowsMRAID, offer.impressionID)
        self.placement = placement
    }

    /// The film of a video, all of it; `nil` for HTML, and when the ad is over.
    public var film: AdFilm? { placement.film(of: id) }

    /// The first of it is on screen: begin to render. The first call is the impression, and is billed.
    ///
    /// Returns when the trackers are safe from a crash.
    public func rendered() async { await placement.tell(.rendered(id)) }

    /// Half of it was in sight for 1 s, or 2 s of a video.
    public func viewable() async { await placement.tell(.viewable(id)) }

    /// A person touched the ad: a real pointer or key of the host, never an event of the page.
    public func touched() { placement.touched(id) }

    /// A link of the ad wants to be followed.
    ///
    /// Allowed within a second after `touched`, for http and https, one at a time.
    ///
    /// - Parameter isClick: false for what is no click of the ad, such as the mark that says why it is shown.
    public func tapped(_ address: String, isClick: Bool = true) async -> AdLinkDecision {
        await placement.follow(address, id, isClick: isClick)
    }

    /// The web view that stood in for a browser was closed.
    public func linkClosed() { placement.linkClosed(id) }

    /// Something happened in the video. Everything but sound and halt counts once.
    public func played(_ event: AdEventName) async { await placement.tell(.played(id, event)) }

    /// The video was played up to this place: calls what the creative wants called there.
    public func progressed(to place: Duration) async { await placement.progressed(to: place, id) }

    /// A part that goes with the video, a companion or an icon, wants these called.
    public func called(_ addresses: [String]) async { await placement.call(addresses, id) }

    /// The user wants it closed; false while it is locked.
    @discardableResult
    public func close() async -> Bool { await placement.tell(.close(id)) == nil }

    /// It cannot be drawn, or broke. Never keeps the user waiting: it is over at once.
    public func failed(_ error: AdError) async { await placement.tell(.broke(id, error)) }
}
