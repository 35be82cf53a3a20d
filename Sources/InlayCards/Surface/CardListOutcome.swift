public import InlayWire

/// What the app hears from a list of cards on screen.
public enum CardListOutcome: Hashable, Sendable {
    /// Action button, Close or Back at the top left was pressed.
    case headerButton
    /// The server has the submission.
    case submitted(card: String, button: String?)
    case dismissed(card: String)
    case snoozed(card: String, until: Timestamp)
    case votedUseful(card: String)
    case votedNotUseful(card: String, reason: String, text: String?)
    /// The action did not happen, and the card is back; an action that only waits for the network is no failure.
    case submitFailed(card: String, CardActionError)
    case dismissFailed(card: String, CardActionError)
    case snoozeFailed(card: String, CardActionError)
    /// A link button or an image hands this to the app.
    case linkPayload(card: String, [String: JSONValue])
    /// A submit button hands this to the app; comes after the server has the submission.
    case submitPayload(card: String, [String: JSONValue])
    /// The user goes to this address: http, https, mailto, tel, or a scheme of the app's own. The view
    /// was told to open it; an app's own scheme is the app's to open.
    case opened(card: String, address: String)
}
