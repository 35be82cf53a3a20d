public import InlayCore
@_spi(Inlay) public import InlayWire

/// The reason why a request to the server failed or its response could not be used.
public enum CardConnectionError: Error, Hashable, Sendable {
    /// No complete response arrived: offline, denied by the gate, timed out.
    case network(TransportError)
    /// The app returned no token; nothing was sent.
    case noToken(TokenError)
    /// The server refused the request; `problem.detail` says what to do.
    case refused(Problem)
    /// The response does not have the format that the API documents; the text is the reason.
    case unreadable(String)
    /// The device could not store the response, for example because its disk is full.
    case storage(StoreError)
    /// The session was logged out.
    case loggedOut

    /// Whether the cause is the network, so that the same request may succeed later.
    public var isNetwork: Bool {
        if case .network = self { true } else { false }
    }
}

extension CardConnectionError {
    init(_ error: APIError) {
        switch error.kind {
        case .network(let cause): self = .network(cause)
        case .noToken(let cause): self = .noToken(cause)
        case .refused(let problem): self = .refused(problem)
        case .invalidAnswer(let text): self = .unreadable(text)
        case .loggedOut: self = .loggedOut
        }
    }

    /// Converts any error of the session, the outbox or the store.
    init(_ error: any Error) {
        switch error {
        case let error as CardConnectionError: self = error
        case let error as APIError: self.init(error)
        case StoreError.loggedOut, OutboxError.loggedOut: self = .loggedOut
        case StoreError.noUser(let cause): self = .noToken(cause)
        case let error as StoreError: self = .storage(error)
        case let error as OutboxError: self = .unreadable(String(describing: error))
        case is CancellationError: self = .network(.cancelled)
        default: self = .storage(.failed(code: 0, message: String(describing: error)))
        }
    }

    /// Converts the error with which the outbox stopped sending. Any other error means that the server asked to wait.
    init(sending error: any Error) {
        switch error {
        case is APIError, is StoreError, is OutboxError, is CardConnectionError: self.init(error)
        default: self = .network(.unreachable("the server asked to wait"))
        }
    }
}
