public import Foundation
internal import InlayWire
@_spi(Inlay) import InlayWire

/// An element of a card. Each kind of element has its own subclass; an element of a kind that this version does not
/// know is an `AACCardNode` itself.
open class AACCardNode: NSObject {
    /// The element's kind in the feed's JSON, for example `headline`.
    public let type: String
    /// The id of the card that the element belongs to.
    public let cardInstanceId: String
    /// The child elements; `nil` for an element that is not a container.
    public let children: [AACCardNode]?

    init(_ node: CardNode, cardID: String, children: [AACCardNode]? = nil) {
        type = node.type
        cardInstanceId = cardID
        self.children = children
    }

    /// The descendants in depth-first order; `nil` for an element that is not a container.
    public var flattenedChildren: [AACCardNode]? {
        children?.flatMap { [$0] + ($0.flattenedChildren ?? []) }
    }

    /// Whether this is a group of inputs.
    public var isForm: Bool { self is AACCardNodeForm }
    /// Whether this is a list.
    public var isList: Bool { self is AACCardNodeList }
    /// Whether this is an element of a kind that this version does not know.
    public var isPlaceholder: Bool { Swift.type(of: self) == AACCardNode.self }

    static func make(_ node: CardNode, cardID: String) -> AACCardNode {
        switch node {
        case .category(let text): AACCardNodeCategory(node, text: text, cardID: cardID)
        case .headline(let text): AACCardNodeHeading1(node, text: text, cardID: cardID)
        case .text(let text): AACCardNodeText(node, text: text.text, cardID: cardID)
        case .list(let list):
            list.style == .comma
                ? AACCardNodeListComma(node, list: list, cardID: cardID)
                : AACCardNodeList(node, list: list, cardID: cardID)
        case .image(let image): AACCardNodeImage(node, image: image, cardID: cardID)
        case .textInput(let input): AACCardNodeTextInput(node, input: input, cardID: cardID)
        case .numberInput(let input): AACCardNodeNumberInput(node, input: input, cardID: cardID)
        case .submitButton(let button): AACCardNodeSubmitButton(node, button: button, cardID: cardID)
        case .dismissButton(let text): AACCardNodeDismissButton(node, text: text, cardID: cardID)
        case .snoozeButton(let button): AACCardNodeSnoozeButton(node, button: button, cardID: cardID)
        case .linkButton(let button): AACCardNodeLinkButton(node, button: button, cardID: cardID)
        case .form(let children):
            AACCardNodeForm(node, cardID: cardID, children: children.map { make($0, cardID: cardID) })
        case .unknown: AACCardNode(node, cardID: cardID)
        }
    }
}
