public import Foundation
internal import InlayWire
@_spi(Inlay) import InlayWire

/// A button of a card.
public class AACCardBaseButton: AACCardNode {
    /// The title of the button.
    public let text: String

    init(_ node: CardNode, text: String, cardID: String) {
        self.text = text
        super.init(node, cardID: cardID)
    }
}

/// A button that dismisses or snoozes the card.
public class AACCardActionButton: AACCardBaseButton {}

/// A button that dismisses the card.
public final class AACCardNodeDismissButton: AACCardActionButton {}

/// A button that snoozes the card.
public final class AACCardNodeSnoozeButton: AACCardActionButton {
    private let seconds: Int64?

    init(_ node: CardNode, button: CardSnoozeButton, cardID: String) {
        seconds = button.seconds
        super.init(node, text: button.text, cardID: cardID)
    }

    /// Returns the end of the snooze when the button is tapped at a given time; `nil` when the button asks the user.
    public func snoozeDate(from date: Date) -> Date? {
        seconds.map { date.addingTimeInterval(TimeInterval($0)) }
    }
}

/// A button that can open an address or pass a payload to the app.
public class AACCardNodeButton: AACCardBaseButton {
    /// The address of the button, as the card's author wrote it.
    public let urlString: String?
    /// The payload that the button passes to the app.
    public let actionPayload: [String: Any]?
    let target: LinkTarget

    init(_ node: CardNode, text: String, action: CardLinkAction?, cardID: String) {
        target = LinkTarget(action)
        urlString = target.urlString
        actionPayload = target.payload
        super.init(node, text: text, cardID: cardID)
    }

    /// The address of the button; `nil` when it is missing or invalid.
    public var url: URL? { target.url }
}

/// A button that submits the card.
public final class AACCardNodeSubmitButton: AACCardNodeButton {
    /// The values that are submitted in addition to those of the inputs.
    public let values: [String: Any]?
    /// The name of the button in the submission, if any.
    public let buttonName: String?

    init(_ node: CardNode, button: CardSubmitButton, cardID: String) {
        values = button.values.isEmpty ? nil : button.values.mapValues(\.plain)
        buttonName = button.buttonName
        super.init(node, text: button.text, action: button.action, cardID: cardID)
    }
}

/// A button that opens an address or a subview, or passes a payload to the app.
public final class AACCardNodeLinkButton: AACCardNodeButton {
    /// The subview that the button opens.
    public let layoutName: String?

    init(_ node: CardNode, button: CardLinkButton, cardID: String) {
        layoutName = LinkTarget(button.action).layoutName
        super.init(node, text: button.text, action: button.action, cardID: cardID)
    }
}

extension CardInputValue {
    /// The value in the types of `JSONSerialization`.
    var plain: Any {
        switch self {
        case .string(let text): text
        case .number(let number): number
        case .boolean(let flag): flag
        }
    }
}
