import Foundation
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWire

/// The check of whether a link of an ad may be followed: after a real touch, to the web, one at a time.
struct AdLinkGuard: Hashable, Sendable {
    /// The maximum time between a touch and the link that it allows.
    static let maximumTouchAge = Duration.seconds(1)

    /// The time of the last touch of the ad. A link that is followed resets it: one touch allows one link.
    var touchedAt: Timestamp?
    /// Whether a link is being followed: the browser is not open yet, or a web view shows the page in its place.
    var isFollowing = false

    mutating func follow(_ address: String, at now: Timestamp) -> Result<URL, AdLinkRefused> {
        guard let web = LinkTarget.web(address), let url = WebAddress.url(web) else {
            return .failure(AdLinkRefused(reason: .notWeb))
        }
        guard !isFollowing else { return .failure(AdLinkRefused(reason: .busy)) }
        // After the clock was set back, the touch is later than now and proves nothing.
        guard let touchedAt, now >= touchedAt, now - touchedAt <= Self.maximumTouchAge else {
            return .failure(AdLinkRefused(reason: .notTapped))
        }
        (self.touchedAt, isFollowing) = (nil, true)
        return .success(url)
    }
}

/// The error of a link that is not followed.
struct AdLinkRefused: Error, Hashable {
    let reason: AdLinkDecision.Refusal
}
