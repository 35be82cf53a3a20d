import Foundation
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWire

/// Decides whether a link may be followed: after a real touch, to the web, one at a time.
struct AdLinkGuard: Hashable, Sendable {
    /// The time after a touch within which a link belongs to it.
    static let touchLasts = Duration.seconds(1)

    /// The time of the last touch of the ad; the link that follows consumes it.
    var touchedAt: Timestamp?
    /// A browser is being asked for, or a web view stands in for one.
    var isFollowing = false

    mutating func follow(_ address: String, at now: Timestamp) -> Result<URL, AdLinkRefused> {
        guard let web = LinkTarget.web(address), let url = WebAddress.url(web) else {
            return .failure(AdLinkRefused(reason: .notWeb))
        }
        guard !isFollowing else { return .failure(AdLinkRefused(reason: .busy)) }
        // A clock that was set back makes the touch lie ahead: then it proves nothing.
        guard let touchedAt, now >= touchedAt, now - touchedAt <= Self.touchLasts else {
            return .failure(AdLinkRefused(reason: .notTapped))
        }
        (self.touchedAt, isFollowing) = (nil, true)
        return .success(url)
    }
}

/// A link that is not followed.
struct AdLinkRefused: Error, Hashable {
    let reason: AdLinkDecision.Refusal
}
