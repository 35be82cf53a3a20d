@_spi(Inlay) public import InlayWire

/// The reason why an ad was not loaded, not shown, or not closed.
public struct AdError: Error, Hashable, Sendable {
    /// The kind of an error. The set grows: an app handles the codes that it knows and treats all others alike.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        /// A code with this name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The kind of the error.
    public let code: Code
    /// The explanation for developers: the wrong id, or the cause.
    public let explanation: String?
    /// The problem in the server's response; only with the code `refused`.
    public let problem: Problem?
    /// The error number of VAST; only with the code `video`.
    public let vastCode: Int?

    private init(
        _ code: Code, explanation: String? = nil, problem: Problem? = nil, vastCode: Int? = nil
    ) {
        self.code = code
        self.explanation = explanation
        self.problem = problem
        self.vastCode = vastCode
    }
}

extension AdError.Code {
    /// Call `Ads.initialize` first; nothing was sent.
    public static let notInitialized = Self(rawValue: "notInitialized")
    /// The publisher's id is not the UUID that the Workbench shows.
    public static let invalidPublisher = Self(rawValue: "invalidPublisher")
    /// The ad unit's id is not the UUID that the Workbench shows; nothing was sent.
    public static let invalidUnit = Self(rawValue: "invalidUnit")
    /// The server has no ad for this ad unit now. Load again later.
    public static let noFill = Self(rawValue: "noFill")
    /// No response arrived. Load again later.
    public static let network = Self(rawValue: "network")
    /// The server refused the request; `problem` has the reason, for example an unknown ad unit.
    public static let refused = Self(rawValue: "refused")
    /// The response is not an ad in the documented format.
    public static let invalidAnswer = Self(rawValue: "invalidAnswer")
    /// The creative is empty, broken, too large, or not of the type that the response states.
    public static let invalidCreative = Self(rawValue: "invalidCreative")
    /// The video cannot be played; `vastCode` is VAST's number for the reason.
    public static let video = Self(rawValue: "video")
    /// Nothing is loaded; call `load` and wait until it returns.
    public static let notLoaded = Self(rawValue: "notLoaded")
    /// An ad of the placement is on screen; load when it is closed.
    public static let busy = Self(rawValue: "busy")
    /// This ad was shown already; load another.
    public static let alreadyShown = Self(rawValue: "alreadyShown")
    /// The ad was not shown within its lifetime; load another.
    public static let expired = Self(rawValue: "expired")
    /// The creative could not be drawn.
    public static let notDrawn = Self(rawValue: "notDrawn")
    /// The user may not close the ad yet.
    public static let locked = Self(rawValue: "locked")
    /// The app destroyed the ad while it was loading.
    public static let destroyed = Self(rawValue: "destroyed")
    /// The task of the caller was cancelled.
    public static let cancelled = Self(rawValue: "cancelled")
    /// The session was logged out.
    public static let loggedOut = Self(rawValue: "loggedOut")
}

extension AdError {
    package static let notInitialized = Self(.notInitialized)
    package static let noFill = Self(.noFill)
    package static let notLoaded = Self(.notLoaded)
    package static let busy = Self(.busy)
    package static let alreadyShown = Self(.alreadyShown)
    package static let expired = Self(.expired)
    package static let locked = Self(.locked)
    package static let destroyed = Self(.destroyed)
    package static let cancelled = Self(.cancelled)
    package static let loggedOut = Self(.loggedOut)

    package static func invalidPublisher(_ id: String) -> Self { Self(.invalidPublisher, explanation: id) }
    package static func invalidUnit(_ id: String) -> Self { Self(.invalidUnit, explanation: id) }
    package static func network(_ cause: String) -> Self { Self(.network, explanation: cause) }
    package static func refused(_ problem: Problem) -> Self { Self(.refused, problem: problem) }
    package static func invalidAnswer(_ cause: String) -> Self { Self(.invalidAnswer, explanation: cause) }
    package static func invalidCreative(_ cause: String) -> Self {
        Self(.invalidCreative, explanation: cause)
    }
    package static func video(code: Int, _ cause: String) -> Self {
        Self(.video, explanation: cause, vastCode: code)
    }
    /// Returns the error of a host that itself detects that nothing was drawn.
    @_spi(Inlay) public static func notDrawn(_ cause: String) -> Self { Self(.notDrawn, explanation: cause) }

    /// The error code in the trackers' macro `[ERRORCODE]`: VAST's code, or 900 where VAST has none.
    public var trackerCode: Int {
        switch code {
        case .video: vastCode ?? 900
        case .invalidCreative: 100
        case .notDrawn: 400
        default: 900
        }
    }
}

extension AdError: CustomStringConvertible {
    /// The code with the explanation, the problem and VAST's code, for logs.
    public var description: String {
        ([code.rawValue]
            + [explanation, problem.map { "\($0)" }, vastCode.map { "\($0)" }].compactMap(\.self)).joined(
                separator: ": ")
    }
}
