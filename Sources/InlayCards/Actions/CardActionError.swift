public import InlayCore
public import InlayWire

/// Why a card action did not happen, or has not happened yet.
public enum CardActionError: Error, Hashable, Sendable {
    /// An argument cannot work, for example a negative snooze; the text says which and why. Nothing was sent.
    case invalidArgument(String)
    /// Values do not meet the rules of their inputs: what the user reads, by input name. Nothing was sent.
    case validationFailed([String: String])
    /// The device has no such card, or the card no such button, to validate against. Nothing was sent.
    case unknownCard
    /// Another action closed the card before.
    case alreadyClosed(CardStatus)
    /// The server refused the action; the card is back.
    case refused(Problem)
    /// No answer yet. The action is kept and sent as soon as it can be: do not repeat it.
    case notSent(CardConnectionError)
    /// The device could not store the action, for example because its disk is full; the card is back.
    case storage(StoreError)
    /// The session was logged out.
    case loggedOut
}

extension CardActionError {
    /// Why an action could not be stored.
    init(storing error: any Error) {
        switch CardConnectionError(error) {
        case .storage(let cause): self = .storage(cause)
        case .loggedOut: self = .loggedOut
        case .noToken(let cause): self = .storage(.noUser(cause))
        default: self = .storage(.failed(code: 0, message: String(describing: error)))
        }
    }
}
