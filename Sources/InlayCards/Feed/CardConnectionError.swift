public import InlayCore
@_spi(Inlay) public import InlayWire

/// The reason why the server could not be asked, or gave no answer that helps.
public enum CardConnectionError: Error, Hashable, Sendable {
    /// No whole answer came: offline, denied by the gate, timed out.
    case network(TransportError)
    /// The app gave no token; nothing was sent.
    case noToken(TokenError)
    /// The server said no; `problem.detail` says what to do.
    case refused(Problem)
    /// The answer was not what its page in the API documents; the text says where.
    case unreadable(String)
    /// The device could not store it, for example because its disk is full.
    case storage(StoreError)
    /// The session was logged out.
    case loggedOut

    /// Whether trying again later may help without anyone changing anything.
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

    /// Any error of the engine below in this type's words.
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

    /// The reason why the outbox stopped sending. It only stops by itself when a wait was asked for.
    init(sending error: any Error) {
        switch error {
        case is APIError, is StoreError, is OutboxError, is CardConnectionError: self.init(error)
        default: self = .network(.unreachable("the server asked to wait"))
        }
    }
}
