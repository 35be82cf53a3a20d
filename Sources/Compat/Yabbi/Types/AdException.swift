public import Foundation
internal import InlayAds

/// Why an ad was not loaded or not shown, as delegates hear it.
public struct AdException: LocalizedError, Hashable, Sendable {
    /// What went wrong, in words.
    public let errorDescription: String?
    /// What caused it, for a developer; empty when there is no more to say.
    public let caused: String

    init(_ error: AdError) {
        (errorDescription, caused) = error.words
    }
}

/// Why a container cannot do what was asked, as `load` and `show` throw it.
public struct YabbiAdsException: LocalizedError, Hashable, Sendable {
    /// What went wrong, in words.
    public let errorDescription: String?
    /// What caused it, for a developer; empty when there is no more to say.
    public let caused: String

    init(_ error: AdError) {
        (errorDescription, caused) = error.words
    }
}

extension AdError {
    /// What a person may be told, and what a developer wants to know.
    fileprivate var words: (String, String) {
        switch self {
        case .notInitialized: ("The SDK is not initialized.", "Call Yabbi.initialize(publisherID:) first.")
        case .invalidPublisher(let id): ("The publisher's id is not valid.", "\"\(id)\" is no UUID.")
        case .invalidUnit(let id): ("The ad place's id is not valid.", "\"\(id)\" is no UUID.")
        case .noFill: ("There is no ad to show now.", "")
        case .network(let cause): ("The ad server cannot be reached.", cause)
        case .refused(let problem):
            ("The ad server refused the request.", "\(problem.status) \(problem.code.rawValue)")
        case .invalidAnswer(let cause): ("The ad server's answer cannot be read.", cause)
        case .invalidCreative(let cause): ("The ad cannot be shown.", cause)
        case .video(let code, let cause): ("The video cannot be played.", "\(code) \(cause)")
        case .notLoaded: ("No ad is loaded.", "Call load and wait for it.")
        case .busy: ("An ad is being loaded or shown.", "")
        case .alreadyShown: ("This ad was shown already.", "Load another.")
        case .expired: ("The ad waited too long.", "Load another.")
        case .notDrawn(let cause): ("The ad could not be drawn.", cause)
        case .locked: ("The ad cannot be closed yet.", "")
        case .destroyed: ("The ad was destroyed.", "")
        case .cancelled: ("Loading was cancelled.", "")
        case .loggedOut: ("The SDK has stopped.", "")
        }
    }
}
