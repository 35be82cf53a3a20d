public import InlayCore
@_spi(Inlay) public import InlayTrust

/// The reason why a call of the hub failed. Earlier content stays and is still served.
public struct HubError: Error, Equatable, Sendable {
    /// The kind of an error. The set grows: an app handles the codes that it knows and treats all others alike.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        /// A code by its name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The kind of the error.
    public let code: Code
    /// The field, id, tag, address or file that the error is about, or the cause in words.
    public let explanation: String?
    /// The HTTP status, with `refused`.
    public let status: Int?
    /// The failure of the connection, with `network`.
    public let transportError: TransportError?
    /// The broken rule, with `trust`.
    public let trustError: TrustError?

    private init(
        _ code: Code, explanation: String? = nil, status: Int? = nil, transportError: TransportError? = nil,
        trustError: TrustError? = nil
    ) {
        self.code = code
        self.explanation = explanation
        self.status = status
        self.transportError = transportError
        self.trustError = trustError
    }
}

extension HubError.Code {
    /// `start` was not called yet.
    public static let notStarted = Self(rawValue: "notStarted")
    /// The configuration is invalid; `explanation` names the field and says what it should be.
    public static let invalidConfiguration = Self(rawValue: "invalidConfiguration")
    /// A user's id or a tag is empty or too long; `explanation` says which.
    public static let invalidArgument = Self(rawValue: "invalidArgument")
    /// No user was created with this id.
    public static let unknownUser = Self(rawValue: "unknownUser")
    /// A user with this id is there already, and keeps its tags.
    public static let userExists = Self(rawValue: "userExists")
    /// The publisher has disabled the hub; `explanation` has the reason for the reader, if there is one.
    public static let disabled = Self(rawValue: "disabled")
    /// A hub is on screen; dismiss it first. Only one can be shown.
    public static let alreadyDisplayed = Self(rawValue: "alreadyDisplayed")
    /// The hub is not on screen.
    public static let notDisplayed = Self(rawValue: "notDisplayed")
    /// There is nothing to show yet, and nothing could be fetched.
    public static let noContent = Self(rawValue: "noContent")
    /// The content source holds no hub.
    public static let noHub = Self(rawValue: "noHub")
    /// The address names no hub, channel or article of this version.
    public static let unknownAddress = Self(rawValue: "unknownAddress")
    /// The publisher recalled this article.
    public static let recalled = Self(rawValue: "recalled")
    /// The content has expired and could not be renewed, and the publisher wants such content hidden.
    public static let stale = Self(rawValue: "stale")
    /// The version has no such file.
    public static let unknownFile = Self(rawValue: "unknownFile")
    /// The file on disk is not what was signed. It was removed and is fetched again.
    public static let damagedFile = Self(rawValue: "damagedFile")
    /// The server could not be reached.
    public static let network = Self(rawValue: "network")
    /// The server answered a request for content with the error `status`.
    public static let refused = Self(rawValue: "refused")
    /// The server's file is not the one that the publisher signed, or one that a device may not accept.
    public static let trust = Self(rawValue: "trust")
    /// A version is larger than the configuration allows, or has more files.
    public static let tooLarge = Self(rawValue: "tooLarge")
    /// A verified file does not have the format of its name.
    public static let invalidContent = Self(rawValue: "invalidContent")
    /// The disk is full and the call had no effect. Free some space and call again.
    public static let diskFull = Self(rawValue: "diskFull")
    /// Any other error of the file system or SQLite.
    public static let storage = Self(rawValue: "storage")
    /// The session was logged out.
    public static let loggedOut = Self(rawValue: "loggedOut")
    /// The caller was cancelled.
    public static let cancelled = Self(rawValue: "cancelled")
}

extension HubError {
    package static let notStarted = Self(.notStarted)
    package static let alreadyDisplayed = Self(.alreadyDisplayed)
    package static let notDisplayed = Self(.notDisplayed)
    package static let noContent = Self(.noContent)
    package static let noHub = Self(.noHub)
    package static let stale = Self(.stale)
    package static let diskFull = Self(.diskFull)
    package static let loggedOut = Self(.loggedOut)
    package static let cancelled = Self(.cancelled)

    package static func invalidConfiguration(_ explanation: String) -> Self {
        Self(.invalidConfiguration, explanation: explanation)
    }
    package static func invalidArgument(_ explanation: String) -> Self {
        Self(.invalidArgument, explanation: explanation)
    }
    package static func unknownUser(_ id: String) -> Self { Self(.unknownUser, explanation: id) }
    package static func userExists(_ id: String) -> Self { Self(.userExists, explanation: id) }
    package static func disabled(reason: String?) -> Self { Self(.disabled, explanation: reason) }
    package static func unknownAddress(_ address: String) -> Self {
        Self(.unknownAddress, explanation: address)
    }
    package static func recalled(_ article: String) -> Self { Self(.recalled, explanation: article) }
    package static func unknownFile(_ path: String) -> Self { Self(.unknownFile, explanation: path) }
    package static func damagedFile(_ path: String) -> Self { Self(.damagedFile, explanation: path) }
    package static func network(_ error: TransportError) -> Self { Self(.network, transportError: error) }
    package static func refused(status: Int) -> Self { Self(.refused, status: status) }
    package static func trust(_ error: TrustError) -> Self { Self(.trust, trustError: error) }
    package static func tooLarge(_ explanation: String) -> Self { Self(.tooLarge, explanation: explanation) }
    package static func invalidContent(_ explanation: String) -> Self {
        Self(.invalidContent, explanation: explanation)
    }
    package static func storage(_ explanation: String) -> Self { Self(.storage, explanation: explanation) }
}

extension HubError: CustomStringConvertible {
    /// The code and what is known of the cause, for logs.
    public var description: String {
        ([code.rawValue]
            + [
                explanation, status.map { "\($0)" }, transportError.map { "\($0)" },
                trustError.map { "\($0)" },
            ].compactMap(\.self)).joined(separator: ": ")
    }
}

extension HubError {
    /// The message for a reader, who can neither know nor repair the details.
    public var readerMessage: String {
        switch code {
        case .disabled: explanation ?? "This content is switched off for now."
        case .recalled: "This article was taken back by its publisher."
        case .unknownAddress, .unknownFile: "This page is not here any more."
        case .stale: "This content is out of date, and newer content could not be fetched."
        case .network: "There is no connection. Try again later."
        case .diskFull: "This device has no space left for new content."
        default: "The content cannot be shown right now."
        }
    }
}

extension HubError {
    /// Creates the error for a file that the rules of trust refused.
    init(_ error: TrustError) {
        switch error.threat {
        case .unreachable: self = .network(.unreachable(error.explanation))
        case .cancelled: self = .cancelled
        // `TrustError` has no case for a full disk, so it is recognised by its text.
        case .storage where error.explanation.contains(Self.diskFullText): self = .diskFull
        case .storage: self = .storage(error.description)
        default: self = .trust(error)
        }
    }

    private static let diskFullText = "No space left on device"

    /// The text of an error of this device's disk, by which `init(_:)` recognises a full disk.
    var storageText: String {
        switch code {
        case .diskFull: Self.diskFullText
        case .storage, .invalidContent, .tooLarge: explanation ?? description
        default: description
        }
    }
}
