import Foundation
internal import InlayWire
@_spi(Inlay) import InlayWire

/// The markers of a list.
public enum AACCardNodeListStyle: Int, Sendable {
    case ordered, unordered, comma

    init(_ style: CardList.Style) {
        switch style {
        case .ordered: self = .ordered
        case .unordered: self = .unordered
        case .comma: self = .comma
        }
    }
}

/// A list; its items are its children.
public class AACCardNodeList: AACCardNode {
    /// The markers of the list.
    public let style: AACCardNodeListStyle

    init(_ node: CardNode, list: CardList, cardID: String) {
        let style = AACCardNodeListStyle(list.style)
        self.style = style
        let items = list.items.enumerated().map { index, item in
            AACCardNodeListItem(
                text: item.text, style: style, number: index + 1, isLast: index + 1 == list.items.count,
                cardID: cardID)
        }
        super.init(node, cardID: cardID, children: items)
    }
}

/// A list whose items are shown in one line, separated by commas.
public final class AACCardNodeListComma: AACCardNodeList {
    /// The items joined by commas.
    public var listText: String {
        (children ?? []).compactMap { ($0 as? AACCardNodeListItem)?.text }.joined(separator: ", ")
    }
}

/// One item of a list.
public final class AACCardNodeListItem: AACCardNode {
    /// The item's text.
    public let text: String
    /// The markers of the list.
    public let style: AACCardNodeListStyle
    /// The item's position in the list, from 1.
    public let sequenceNumber: UInt
    /// Whether this is the last item of the list.
    public let isLastItem: Bool

    init(text: String, style: AACCardNodeListStyle, number: Int, isLast: Bool, cardID: String) {
        self.text = text
        self.style = style
        sequenceNumber = UInt(number)
        isLastItem = isLast
        super.init(.unknown(type: "listItem"), cardID: cardID)
    }
}
