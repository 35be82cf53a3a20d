@_spi(Inlay) package import InlayWire

/// The reason why a call of the server's API failed.
package struct APIError: Error, Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// No complete response came.
        case network(TransportError)
        /// There was no token, and nothing was sent.
        case noToken(TokenError)
        /// The server refused the call. The code is `foreignAnswer` when the response was not our server's.
        case refused(Problem)
        /// The status was a success, but the body was unreadable.
        case invalidAnswer(String)
        /// The session was logged out, and nothing was sent.
        case loggedOut
    }

    package var kind: Kind
    /// The delay that the server asked for.
    package var retryAfter: Duration?

    package init(_ kind: Kind, retryAfter: Duration? = nil) {
        self.kind = kind
        self.retryAfter = retryAfter
    }
}

extension Problem.Code {
    /// An error status without a problem document: a proxy or another server answered.
    package static let foreignAnswer = Self(rawValue: "foreign-answer")
}
