public import InlayCore
public import InlayWire

/// Why an XMLAPI request brought no answer. A fault is an answer, see `XMLAPIResponse.fault`.
public enum XMLAPIError: Error, Sendable {
    /// The server answered with this status, 400 or above.
    case status(Int)
    /// No whole answer came. The operation may have taken effect.
    case network(TransportError)
    /// There was no token, and nothing was sent.
    case noToken(TokenError)
    /// What came is no XML that is read here.
    case unreadable(String)
    /// The request holds a name or a character that XML cannot carry.
    case invalid(XMLError)
    /// The request has more bytes than a request may carry.
    case tooLarge(bytes: Int)
    /// The store did not take the request, or not the answer; holds the cause.
    case notStored(any Error)
    /// No such request was posted, or its answer was so long ago that it is not kept.
    case unknownRequest
    /// The caller was cancelled. The request stays in the outbox.
    case cancelled
    /// The session was logged out.
    case loggedOut
}
