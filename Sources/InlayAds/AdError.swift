public import InlayWire

/// Why an ad was not loaded, not shown, or not closed.
public enum AdError: Error, Hashable, Sendable {
    /// Call `Ads.initialize` first; nothing was sent.
    case notInitialized
    /// The publisher's id is not the UUID that the Workbench shows.
    case invalidPublisher(String)
    /// The ad place's id is not the UUID that the Workbench shows; nothing was sent.
    case invalidUnit(String)
    /// There is no ad for this place now. Ask again later.
    case noFill
    /// No answer came; ask again later.
    case network(String)
    /// The server refused the request; the problem says why, for example an unknown ad place.
    case refused(Problem)
    /// The answer is not an ad as the wire describes it.
    case invalidAnswer(String)
    /// The creative is empty, broken, too large, or not of the kind that the answer says.
    case invalidCreative(String)
    /// A video that cannot be played, with the number that VAST has for the reason.
    case video(code: Int, String)
    /// Nothing is loaded; call `load` and wait for it.
    case notLoaded
    /// It is being loaded or on screen, so there is nothing to load.
    case busy
    /// This ad was shown already; load another.
    case alreadyShown
    /// It waited too long; load another.
    case expired
    /// The creative could not be drawn.
    case notDrawn(String)
    /// It may not be closed yet.
    case locked
    /// The app gave the ad up while it was waited for.
    case destroyed
    /// Whoever waited was cancelled.
    case cancelled
    /// The session was logged out.
    case loggedOut

    /// The number that stands for this error in trackers: VAST's own, 900 where VAST has none.
    public var trackerCode: Int {
        switch self {
        case .video(let code, _): code
        case .invalidCreative: 100
        case .notDrawn: 400
        default: 900
        }
    }
}
