public import InlayCore
@_spi(Inlay) public import InlayWire

/// The reason why a card action failed or was not sent yet.
public struct CardActionError: Error, Hashable, Sendable {
    /// The kind of an error. The set grows: an app handles the codes that it knows and treats all others alike.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        /// A code with this name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The kind of the error.
    public let code: Code
    /// The invalid argument and the reason; only with the code `invalidArgument`.
    public let explanation: String?
    /// The messages for the user by input name; only with the code `validationFailed`.
    public let messages: [String: String]?
    /// The status of the card; only with the code `alreadyClosed`.
    public let status: CardStatus?
    /// The problem in the server's response; only with the code `refused`.
    public let problem: Problem?
    /// The reason; only with the code `notSent`.
    public let connectionError: CardConnectionError?
    /// The reason; only with the code `storage`.
    public let storeError: StoreError?

    private init(
        _ code: Code, explanation: String? = nil, messages: [String: String]? = nil,
        status: CardStatus? = nil, problem: Problem? = nil, connectionError: CardConnectionError? = nil,
        storeError: StoreError? = nil
    ) {
        self.code = code
        self.explanation = explanation
        self.messages = messages
        self.status = status
        self.problem = problem
        self.connectionError = connectionError
        self.storeError = storeError
    }
}

extension CardActionError.Code {
    /// An argument is invalid, for example a negative snooze; `explanation` has the argument and the reason. Nothing
    /// was sent.
    public static let invalidArgument = Self(rawValue: "invalidArgument")
    /// Values do not meet the rules of their inputs; `messages` has the texts for the user. Nothing was sent.
    public static let validationFailed = Self(rawValue: "validationFailed")
    /// Validation is impossible: the device has no such card, or the card has no such button. Nothing was sent.
    public static let unknownCard = Self(rawValue: "unknownCard")
    /// Another action has already closed the card.
    public static let alreadyClosed = Self(rawValue: "alreadyClosed")
    /// The server refused the action; the card is shown again.
    public static let refused = Self(rawValue: "refused")
    /// The server has not answered yet. The action is stored and sent as soon as possible: do not repeat it.
    public static let notSent = Self(rawValue: "notSent")
    /// The device could not store the action, for example because its disk is full; the card is shown again.
    public static let storage = Self(rawValue: "storage")
    /// The session was logged out.
    public static let loggedOut = Self(rawValue: "loggedOut")
}

extension CardActionError {
    package static let unknownCard = Self(.unknownCard)
    package static let loggedOut = Self(.loggedOut)

    package static func invalidArgument(_ explanation: String) -> Self {
        Self(.invalidArgument, explanation: explanation)
    }
    package static func validationFailed(_ messages: [String: String]) -> Self {
        Self(.validationFailed, messages: messages)
    }
    package static func alreadyClosed(_ status: CardStatus) -> Self { Self(.alreadyClosed, status: status) }
    package static func refused(_ problem: Problem) -> Self { Self(.refused, problem: problem) }
    package static func notSent(_ error: CardConnectionError) -> Self {
        Self(.notSent, connectionError: error)
    }
    package static func storage(_ error: StoreError) -> Self { Self(.storage, storeError: error) }
}

extension CardActionError: CustomStringConvertible {
    /// The code with the details of the cause, for logs.
    public var description: String {
        ([code.rawValue]
            + [
                explanation, messages.map { "\($0)" }, status.map { "\($0)" }, problem.map { "\($0)" },
                connectionError.map { "\($0)" }, storeError.map { "\($0)" },
            ].compactMap(\.self)).joined(separator: ": ")
    }
}

extension CardActionError {
    /// Creates the error of an action that could not be stored.
    init(storing error: any Error) {
        switch CardConnectionError(error) {
        case .storage(let cause): self = .storage(cause)
        case .loggedOut: self = .loggedOut
        case .noToken(let cause): self = .storage(.noUser(cause))
        default: self = .storage(.failed(code: 0, message: String(describing: error)))
        }
    }
}
