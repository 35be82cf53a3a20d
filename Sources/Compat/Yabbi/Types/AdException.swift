public import Foundation
internal import InlayAds

/// The error that delegates get when an ad was not loaded or not shown.
public struct AdException: LocalizedError, Hashable, Sendable {
    /// The description of the error.
    public let errorDescription: String?
    /// The cause, for a developer; empty when there is none.
    public let caused: String

    init(_ error: AdError) {
        (errorDescription, caused) = error.descriptions
    }
}

/// The error that `load` and `show` of a container throw, and that ``AdEvents`` gets.
public struct YabbiAdsException: LocalizedError, Hashable, Sendable {
    /// The description of the error.
    public let errorDescription: String?
    /// The cause, for a developer; empty when there is none.
    public let caused: String

    init(_ error: AdError) {
        (errorDescription, caused) = error.descriptions
    }
}

extension AdError {
    /// The description for the user, and the cause for a developer.
    fileprivate var descriptions: (String, String) {
        let cause = explanation ?? ""
        return switch code {
        case .notInitialized: ("The SDK is not initialized.", "Call Yabbi.initialize(publisherID:) first.")
        case .invalidPublisher: ("The publisher's id is not valid.", "\"\(cause)\" is no UUID.")
        case .invalidUnit: ("The ad place's id is not valid.", "\"\(cause)\" is no UUID.")
        case .noFill: ("There is no ad to show now.", "")
        case .network: ("The ad server cannot be reached.", cause)
        case .refused:
            ("The ad server refused the request.", problem.map { "\($0.status) \($0.code.rawValue)" } ?? "")
        case .invalidAnswer: ("The ad server's answer cannot be read.", cause)
        case .invalidCreative: ("The ad cannot be shown.", cause)
        case .video: ("The video cannot be played.", "\(trackerCode) \(cause)")
        case .notLoaded: ("No ad is loaded.", "Call load and wait for it.")
        case .busy: ("An ad is being loaded or shown.", "")
        case .alreadyShown: ("This ad was shown already.", "Load another.")
        case .expired: ("The ad waited too long.", "Load another.")
        case .notDrawn: ("The ad could not be drawn.", cause)
        case .locked: ("The ad cannot be closed yet.", "")
        case .destroyed: ("The ad was destroyed.", "")
        case .cancelled: ("Loading was cancelled.", "")
        case .loggedOut: ("The SDK has stopped.", "")
        default: ("The ad cannot be shown.", description)
        }
    }
}
