package import InlayCore
package import InlayWire

/// The reason why an XMLAPI request brought no response. A fault is a response, see `XMLAPIResponse.fault`.
public struct XMLAPIError: Error, Sendable {
    /// The kind of an error. The set grows: an app handles the codes that it knows and treats all others alike.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        /// A code by its name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The kind of the error.
    public let code: Code
    /// The status of the response, with `status`.
    public let httpStatus: Int?
    /// The size of the request, with `tooLarge`.
    public let bytes: Int?
    /// The part that cannot be read, with `unreadable`.
    public let explanation: String?
    /// The underlying error: a `TransportError`, a `TokenError`, an `XMLError`, or that of the store.
    public let cause: (any Error)?

    private init(
        _ code: Code, httpStatus: Int? = nil, bytes: Int? = nil, explanation: String? = nil,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.httpStatus = httpStatus
        self.bytes = bytes
        self.explanation = explanation
        self.cause = cause
    }
}

extension XMLAPIError.Code {
    /// The server responded with an error status, 400 or above: `httpStatus`.
    public static let status = Self(rawValue: "status")
    /// No complete response arrived. The operation may have taken effect.
    public static let network = Self(rawValue: "network")
    /// There was no token, and nothing was sent.
    public static let noToken = Self(rawValue: "noToken")
    /// The response is no readable XML.
    public static let unreadable = Self(rawValue: "unreadable")
    /// The request holds a name or a character that XML does not allow.
    public static let invalid = Self(rawValue: "invalid")
    /// The request is larger than the maximum size of a request.
    public static let tooLarge = Self(rawValue: "tooLarge")
    /// The request or the response could not be stored; `cause` has the error.
    public static let notStored = Self(rawValue: "notStored")
    /// No such request was posted, or its response is so old that it was removed.
    public static let unknownRequest = Self(rawValue: "unknownRequest")
    /// The caller was cancelled. The request stays in the outbox.
    public static let cancelled = Self(rawValue: "cancelled")
    /// The session was logged out.
    public static let loggedOut = Self(rawValue: "loggedOut")
}

extension XMLAPIError {
    package static let unknownRequest = Self(.unknownRequest)
    package static let cancelled = Self(.cancelled)
    package static let loggedOut = Self(.loggedOut)

    package static func status(_ status: Int) -> Self { Self(.status, httpStatus: status) }
    package static func network(_ cause: TransportError) -> Self { Self(.network, cause: cause) }
    package static func noToken(_ cause: TokenError) -> Self { Self(.noToken, cause: cause) }
    package static func unreadable(_ explanation: String) -> Self {
        Self(.unreadable, explanation: explanation)
    }
    package static func invalid(_ cause: XMLError) -> Self { Self(.invalid, cause: cause) }
    package static func tooLarge(bytes: Int) -> Self { Self(.tooLarge, bytes: bytes) }
    package static func notStored(_ cause: any Error) -> Self { Self(.notStored, cause: cause) }
}

extension XMLAPIError: CustomStringConvertible {
    /// The code and the known details, for logs.
    public var description: String {
        ([code.rawValue]
            + [httpStatus.map { "\($0)" }, bytes.map { "\($0)" }, explanation, cause.map { "\($0)" }]
            .compactMap(\.self)).joined(separator: ": ")
    }
}
