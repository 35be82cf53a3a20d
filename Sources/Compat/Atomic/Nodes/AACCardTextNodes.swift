import Foundation
internal import InlayWire
@_spi(Inlay) import InlayWire

/// The category of a card.
public final class AACCardNodeCategory: AACCardNode {
    /// The category's text.
    public let text: String

    init(_ node: CardNode, text: String, cardID: String) {
        self.text = text
        super.init(node, cardID: cardID)
    }
}

/// A headline.
public final class AACCardNodeHeading1: AACCardNode {
    /// The headline's text.
    public let text: String

    init(_ node: CardNode, text: String, cardID: String) {
        self.text = text
        super.init(node, cardID: cardID)
    }
}

/// One or more paragraphs of text.
public final class AACCardNodeText: AACCardNode {
    /// The text in Markdown, as the card's author wrote it.
    public let text: String

    init(_ node: CardNode, text: String, cardID: String) {
        self.text = text
        super.init(node, cardID: cardID)
    }
}
