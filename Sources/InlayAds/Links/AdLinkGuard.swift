import Foundation
import InlaySurface
import InlayWire

/// Decides whether a link may be followed: after a real touch, to the web, one at a time.
struct AdLinkGuard: Hashable, Sendable {
    /// How long after a touch a link still belongs to it.
    static let touchLasts = Duration.seconds(1)

    /// When the ad was touched; spent by the link that follows.
    var touchedAt: Timestamp?
    /// A browser is being asked for, or a web view stands in for one.
    var isFollowing = false

    mutating func follow(_ address: String, at now: Timestamp) -> Result<URL, AdLinkRefused> {
        guard let web = LinkTarget.web(address), let url = URL(string: web) else {
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
