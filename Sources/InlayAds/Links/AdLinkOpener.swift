public import Foundation

/// An opener of the landing pages of ads.
public protocol AdLinkOpener: Sendable {
    /// Opens the address in the user's default browser. Returns `false` when no browser is found.
    func open(_ address: URL) async -> Bool
}

/// The decision about a link in an ad.
@_spi(Inlay) public enum AdLinkDecision: Hashable, Sendable {
    /// The default browser opened the link.
    case opened
    /// There is no browser: show this address in a web view with a close button, and call `AdShow.linkClosed` when the
    /// user has closed it.
    case show(URL)
    /// The link is not followed.
    case refused(Refusal)

    /// The reason why a link is not followed.
    public enum Refusal: Hashable, Sendable {
        /// Nobody touched the ad within the last second.
        case notTapped
        /// The link is no http or https address.
        case notWeb
        /// Another link is being followed.
        case busy
        /// The ad is not on screen.
        case notShown
    }
}
