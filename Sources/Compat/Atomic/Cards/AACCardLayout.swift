public import Foundation
internal import InlayWire
@_spi(Inlay) import InlayWire

/// The elements of one level of a card: the top level or a subview.
public final class AACCardLayout: NSObject {
    /// The title of a subview; empty for the top level.
    public let title: String
    /// The elements, in the order of the card's template.
    public let nodes: [AACCardNode]
    /// The id of the card that the elements belong to.
    public let cardInstanceId: String

    init(title: String, nodes: [CardNode], cardID: String) {
        self.title = title
        self.nodes = nodes.map { AACCardNode.make($0, cardID: cardID) }
        cardInstanceId = cardID
    }
}
