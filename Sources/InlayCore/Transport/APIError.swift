@_spi(Inlay) package import InlayWire

/// The reason why a call of the server's API brought nothing.
package struct APIError: Error, Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// No whole answer came.
        case network(TransportError)
        /// There was no token, and nothing was sent.
        case noToken(TokenError)
        /// The server said no. `Problem.Code.foreignAnswer` when the words were not our server's.
        case refused(Problem)
        /// The status was good, the body unreadable.
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
