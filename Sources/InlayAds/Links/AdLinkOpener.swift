public import Foundation

/// Opens what users of ads want to see.
public protocol AdLinkOpener: Sendable {
    /// Opens the address in the user's default browser; false when there is none to be found.
    func open(_ address: URL) async -> Bool
}

/// The decision about a link in an ad.
@_spi(Inlay) public enum AdLinkDecision: Hashable, Sendable {
    /// The default browser has it.
    case opened
    /// There is no browser: show this address in a web view that has a cross, and call
    /// `AdShow.linkClosed` when it is gone.
    case show(URL)
    /// It is not followed.
    case refused(Refusal)

    /// The reason why a link is not followed.
    public enum Refusal: Hashable, Sendable {
        /// Nobody touched the ad within the last second.
        case notTapped
        /// It is no http or https address.
        case notWeb
        /// Another link is being followed.
        case busy
        /// The ad is not on screen.
        case notShown
    }
}
