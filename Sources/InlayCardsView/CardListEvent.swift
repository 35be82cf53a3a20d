@_spi(Inlay) public import InlaySurface
@_spi(Inlay) public import InlayWire

/// A user's action in a list of cards, read from a page's message.
@_spi(Inlay) public enum CardListEvent: Hashable, Sendable {
    /// The user pulled the list down or pressed Refresh.
    case refresh
    /// The user pressed "Try again".
    case retry
    /// The user pressed the action button, Close or Back at the top left.
    case headerButton
    /// Half of a card was on screen for one second, or the card filled half of the view for one second.
    case displayed(card: String)
    case dismiss(card: String)
    /// The user pressed a snooze button that has its own time.
    case snooze(card: String, button: CardNodePath)
    /// The user opened the snooze picker.
    case openSnooze(card: String)
    /// The user chose the time at which a card returns; not checked yet.
    case snoozeUntil(card: String, moment: Timestamp)
    case cancelSnooze(card: String)
    /// The user pressed a submit button; the fields' texts by input name, not checked yet.
    case submit(card: String, button: CardNodePath, entered: [String: String])
    /// The user pressed a link button or an image.
    case link(card: String, element: CardNodePath?)
    /// The user pressed a link inside a text.
    case textLink(card: String, address: String)
    case openSubview(card: String, id: String)
    case closeSubview(card: String)
    case voteUseful(card: String)
    case voteNotUseful(card: String)
    case chooseReason(card: String, reason: CardListConfiguration.FeedbackReason)
    /// The user pressed Submit on the feedback screen; the text is cut to its limit.
    case sendFeedback(card: String, reason: CardListConfiguration.FeedbackReason, text: String?)
    case cancelFeedback(card: String)
    /// A toast was shown for its whole time.
    case toastDone(id: String)

    /// The maximum number of fields of a submission.
    static let maximumFields = 200
    /// The maximum length of a field's text, in code points. A text that was cut is still longer than a submission
    /// allows, so the validation reports it beside the field.
    static let maximumFieldLength = CardSubmissionRules.maximumBytes + 1

    /// Reads a message of kind `event`; `nil` for an unknown name, a missing part, or a part out of its limits.
    public init?(_ message: SurfaceMessage) {
        guard let name = message.eventName else { return nil }
        let payload = message.payload
        if let event = Self.listEvent(name, payload) {
            self = event
        } else if let card = payload["card"]?.string, card.utf8.count <= 512,
            let event = Self.cardEvent(name, card, payload)
        {
            self = event
        } else {
            return nil
        }
    }

    private static func listEvent(_ name: String, _ payload: JSONValue) -> CardListEvent? {
        switch name {
        case "refresh": .refresh
        case "retry": .retry
        case "header-button": .headerButton
        case "toast-done": payload["value"]?.string.map { .toastDone(id: $0) }
        default: nil
        }
    }

    private static func cardEvent(_ name: String, _ card: String, _ payload: JSONValue) -> CardListEvent? {
        switch name {
        case "displayed": .displayed(card: card)
        case "dismiss": .dismiss(card: card)
        case "snooze": path(payload).map { .snooze(card: card, button: $0) }
        case "open-snooze": .openSnooze(card: card)
        case "snooze-until": moment(payload).map { .snoozeUntil(card: card, moment: $0) }
        case "cancel-snooze": .cancelSnooze(card: card)
        case "submit":
            if let button = path(payload), let entered = fields(payload) {
                .submit(card: card, button: button, entered: entered)
            } else {
                nil
            }
        case "link": .link(card: card, element: path(payload))
        case "text-link": payload["href"]?.string.map { .textLink(card: card, address: $0) }
        case "open-subview": payload["subview"]?.string.map { .openSubview(card: card, id: $0) }
        case "close-subview": .closeSubview(card: card)
        case "vote-useful": .voteUseful(card: card)
        case "vote-not-useful": .voteNotUseful(card: card)
        case "choose-reason": reason(payload).map { .chooseReason(card: card, reason: $0) }
        case "send-feedback":
            reason(payload).map { reason in
                let text = reason == .other ? payload["text"]?.string : nil
                return .sendFeedback(
                    card: card, reason: reason, text: text.map(CardListConfiguration.FeedbackReason.limited))
            }
        case "cancel-feedback": .cancelFeedback(card: card)
        default: nil
        }
    }

    private static func path(_ payload: JSONValue) -> CardNodePath? {
        payload["node"]?.string.flatMap { CardNodePath($0, subview: payload["view"]?.string) }
    }

    private static func reason(_ payload: JSONValue) -> CardListConfiguration.FeedbackReason? {
        payload["value"]?.string.flatMap(CardListConfiguration.FeedbackReason.init)
    }

    /// Reads microseconds, which are a text because a page's numbers are doubles.
    private static func moment(_ payload: JSONValue) -> Timestamp? {
        payload["value"]?.string.flatMap { Int64($0) }.map { Timestamp(microseconds: $0) }
    }

    private static func fields(_ payload: JSONValue) -> [String: String]? {
        guard case .object(let members)? = payload["values"], members.count <= maximumFields else {
            return nil
        }
        var fields: [String: String] = [:]
        for (name, value) in members {
            guard let text = value.string else { return nil }
            fields[name] = String(String.UnicodeScalarView(text.unicodeScalars.prefix(maximumFieldLength)))
        }
        return fields
    }
}
