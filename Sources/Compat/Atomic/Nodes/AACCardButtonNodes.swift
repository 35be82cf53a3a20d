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

/// A button that does something to the card.
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

    /// Until when the button snoozes when it is tapped at this moment; `nil` when it asks the user.
    public func snoozeDate(from date: Date) -> Date? {
        seconds.map { date.addingTimeInterval(TimeInterval($0)) }
    }
}

/// A button that may lead somewhere.
public class AACCardNodeButton: AACCardBaseButton {
    /// The address of the button, as its author wrote it.
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

    /// The address of the button; `nil` when it has none or an invalid one.
    public var url: URL? { target.url }
}

/// A button that submits the card.
public final class AACCardNodeSubmitButton: AACCardNodeButton {
    /// Values sent along with those of the inputs.
    public let values: [String: Any]?
    /// The name that the submission carries; may be absent.
    public let buttonName: String?

    init(_ node: CardNode, button: CardSubmitButton, cardID: String) {
        values = button.values.isEmpty ? nil : button.values.mapValues(\.plain)
        buttonName = button.buttonName
        super.init(node, text: button.text, action: button.action, cardID: cardID)
    }
}

/// A button that leads to an address, a subview or the app.
public final class AACCardNodeLinkButton: AACCardNodeButton {
    /// The subview that the button opens.
    public let layoutName: String?

    init(_ node: CardNode, button: CardLinkButton, cardID: String) {
        layoutName = LinkTarget(button.action).layoutName
        super.init(node, text: button.text, action: button.action, cardID: cardID)
    }
}

extension CardInputValue {
    /// The value as `JSONSerialization` would give it.
    var plain: Any {
        switch self {
        case .string(let text): text
        case .number(let number): number
        case .boolean(let flag): flag
        }
    }
}
