@_spi(Inlay) public import InlayWire

/// The HTML of formatted text: every text is escaped, every link checked, and only the elements in this file occur.
@_spi(Inlay) public enum RichTextHTML {
    /// The maximum depth of nesting; deeper parts are omitted, so that hostile input cannot exhaust the stack.
    static let maximumDepth = 32

    /// Returns the HTML of a text.
    public static func render(_ text: RichText) -> SafeHTML {
        SafeHTML(markup: text.blocks.map { block($0, maximumDepth) }.joined())
    }

    /// Returns the HTML of a text for use inside a line: paragraphs have no tags and are joined by a space.
    public static func renderInline(_ text: RichText) -> SafeHTML {
        let parts = text.blocks.map { part -> String in
            switch part {
            case .paragraph(let line), .heading(_, let line): inlines(line, maximumDepth)
            default: HTMLText.escaped(RichText([part]).plainText)
            }
        }
        return SafeHTML(markup: parts.joined(separator: " "))
    }

    private static func block(_ block: RichText.Block, _ depth: Int) -> String {
        guard depth > 0 else { return "" }
        switch block {
        case .paragraph(let line): return "<p>\(inlines(line, depth - 1))</p>"
        case .heading(let level, let line):
            // A card's own headline has level 2, so the headings in its text start at level 3.
            let tag = "h\(min(max(level, 1) + 2, 6))"
            return "<\(tag)>\(inlines(line, depth - 1))</\(tag)>"
        case .bullets(let items): return "<ul>\(list(items, depth - 1))</ul>"
        case .numbers(let start, let items):
            return "<ol\(start == 1 ? "" : " start=\"\(start)\"")>\(list(items, depth - 1))</ol>"
        case .quote(let blocks):
            return "<blockquote>\(blocks.map { self.block($0, depth - 1) }.joined())</blockquote>"
        case .code(let code): return "<pre><code>\(HTMLText.escaped(code))</code></pre>"
        case .rule: return "<hr>"
        }
    }

    private static func list(_ items: [[RichText.Block]], _ depth: Int) -> String {
        items.map { "<li>\($0.map { block($0, depth) }.joined())</li>" }.joined()
    }

    private static func inlines(_ line: [RichText.Inline], _ depth: Int) -> String {
        guard depth > 0 else { return "" }
        return line.map { inline($0, depth) }.joined()
    }

    private static func inline(_ inline: RichText.Inline, _ depth: Int) -> String {
        switch inline {
        case .text(let text): return HTMLText.escaped(text)
        case .code(let text): return "<code>\(HTMLText.escaped(text))</code>"
        case .strong(let inner): return "<strong>\(inlines(inner, depth - 1))</strong>"
        case .emphasis(let inner): return "<em>\(inlines(inner, depth - 1))</em>"
        case .struck(let inner): return "<s>\(inlines(inner, depth - 1))</s>"
        case .lineBreak: return "<br>"
        case .link(let url, let inner): return link(url, inlines(inner, depth - 1))
        }
    }

    private static func link(_ url: String, _ label: String) -> String {
        switch LinkTarget(url) {
        case .address(let address):
            let href = HTMLText.escaped(address)
            return
                "<a href=\"\(href)\" target=\"_blank\" rel=\"noopener noreferrer\" data-event=\"text-link\">"
                + "\(label)</a>"
        case .subview(let id):
            return "<button type=\"button\" class=\"text-link\" data-event=\"open-subview\" "
                + "data-subview=\"\(HTMLText.escaped(id))\">\(label)</button>"
        case nil: return label
        }
    }
}
