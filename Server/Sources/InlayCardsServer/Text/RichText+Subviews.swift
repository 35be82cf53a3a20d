@_spi(Inlay) import InlayWire

extension RichText {
    /// The ids of the subviews that its links lead to, in order.
    var linkedSubviews: [String] { blocks.flatMap(Self.subviews) }

    private static func subviews(_ block: Block) -> [String] {
        switch block {
        case .paragraph(let inlines), .heading(_, let inlines): inlines.flatMap(subviews)
        case .bullets(let items), .numbers(_, let items): items.joined().flatMap(subviews)
        case .quote(let blocks): blocks.flatMap(subviews)
        case .code, .rule: []
        }
    }

    private static func subviews(_ inline: Inline) -> [String] {
        switch inline {
        case .link(let url, let inner):
            (url.hasPrefix(CardLink.subviewPrefix)
                ? [String(url.dropFirst(CardLink.subviewPrefix.count))] : [])
                + inner.flatMap(subviews)
        case .strong(let inner), .emphasis(let inner), .struck(let inner): inner.flatMap(subviews)
        case .text, .code, .lineBreak: []
        }
    }
}
