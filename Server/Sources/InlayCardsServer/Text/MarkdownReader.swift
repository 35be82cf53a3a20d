import CCmark
@_spi(Inlay) import InlayWire

/// A reader that makes the parser's nodes into a ``InlayWire/RichText``, without content that is not safe to show.
enum MarkdownReader {
    typealias Node = OpaquePointer

    static func blocks(of parent: Node, depth: Int) -> [RichText.Block] {
        guard depth < Markdown.maximumDepth else { return paragraph([.text(text(in: parent))]) }
        return children(of: parent).flatMap { block($0, depth: depth + 1) }
    }

    private static func block(_ node: Node, depth: Int) -> [RichText.Block] {
        switch cmark_node_get_type(node) {
        case CMARK_NODE_PARAGRAPH: paragraph(inlines(of: node, depth: depth))
        case CMARK_NODE_HEADING:
            [.heading(level: Int(cmark_node_get_heading_level(node)), inlines(of: node, depth: depth))]
        case CMARK_NODE_BLOCK_QUOTE: [.quote(blocks(of: node, depth: depth))]
        case CMARK_NODE_LIST: [list(node, depth: depth)]
        case CMARK_NODE_CODE_BLOCK: [.code(literal(of: node))]
        case CMARK_NODE_THEMATIC_BREAK: [.rule]
        // HTML is shown as its author typed it, who sees that it does nothing.
        case CMARK_NODE_HTML_BLOCK: paragraph([.text(withoutLastBreak(literal(of: node)))])
        default: paragraph([.text(text(in: node))])
        }
    }

    private static func list(_ node: Node, depth: Int) -> RichText.Block {
        let items = children(of: node).map { blocks(of: $0, depth: depth) }
        guard cmark_node_get_list_type(node) == CMARK_ORDERED_LIST else { return .bullets(items) }
        return .numbers(start: Int(cmark_node_get_list_start(node)), items)
    }

    private static func inlines(of parent: Node, depth: Int) -> [RichText.Inline] {
        guard depth < Markdown.maximumDepth else { return [.text(text(in: parent))] }
        return joined(children(of: parent).flatMap { inline($0, depth: depth + 1) })
    }

    private static func inline(_ node: Node, depth: Int) -> [RichText.Inline] {
        switch cmark_node_get_type(node) {
        case CMARK_NODE_TEXT, CMARK_NODE_HTML_INLINE: [.text(literal(of: node))]
        case CMARK_NODE_SOFTBREAK: [.text(" ")]
        case CMARK_NODE_LINEBREAK: [.lineBreak]
        case CMARK_NODE_CODE: [.code(literal(of: node))]
        case CMARK_NODE_EMPH: [.emphasis(inlines(of: node, depth: depth))]
        case CMARK_NODE_STRONG: [.strong(inlines(of: node, depth: depth))]
        case CMARK_NODE_LINK: link(node, inlines(of: node, depth: depth))
        // A card has an element for pictures; in running text they would break its layout.
        case CMARK_NODE_IMAGE: link(node, [.text(text(in: node))])
        default: isStruck(node) ? [.struck(inlines(of: node, depth: depth))] : [.text(text(in: node))]
        }
    }

    private static func link(_ node: Node, _ label: [RichText.Inline]) -> [RichText.Inline] {
        let url = url(of: node)
        guard CardLink.isSafeInText(url) else { return label }
        let isEmpty = label.isEmpty || label == [.text("")]
        return [.link(url: url, isEmpty ? [.text(url)] : label)]
    }

    /// Returns the targets that ``link(_:_:)`` leaves out, at any depth, except those that equal the link's text.
    static func refusedTargets(in document: Node) -> [String] {
        guard let iterator = cmark_iter_new(document) else { return [] }
        defer { cmark_iter_free(iterator) }
        var refused: [String] = []
        while true {
            let event = cmark_iter_next(iterator)
            if event == CMARK_EVENT_DONE { return refused }
            guard event == CMARK_EVENT_ENTER, let node = cmark_iter_get_node(iterator) else { continue }
            switch cmark_node_get_type(node) {
            case CMARK_NODE_LINK, CMARK_NODE_IMAGE:
                let url = url(of: node)
                if !CardLink.isSafeInText(url), text(in: node) != url { refused.append(url) }
            default: continue
            }
        }
    }

    private static func url(of node: Node) -> String {
        cmark_node_get_url(node).map { String(cString: $0) } ?? ""
    }

    // Extensions register their node types at run time; only the name is fixed.
    private static func isStruck(_ node: Node) -> Bool {
        cmark_node_get_type_string(node).map { String(cString: $0) } == "strikethrough"
    }

    /// Returns all text inside a node, without recursion: hostile input nests thousands deep.
    private static func text(in node: Node) -> String {
        guard let iterator = cmark_iter_new(node) else { return "" }
        defer { cmark_iter_free(iterator) }
        var text = ""
        while true {
            let event = cmark_iter_next(iterator)
            if event == CMARK_EVENT_DONE { return text }
            guard event == CMARK_EVENT_ENTER, let current = cmark_iter_get_node(iterator) else { continue }
            switch cmark_node_get_type(current) {
            case CMARK_NODE_SOFTBREAK, CMARK_NODE_LINEBREAK: text += " "
            case CMARK_NODE_PARAGRAPH where !text.isEmpty: text += " "
            default: text += literal(of: current)
            }
        }
    }

    private static func paragraph(_ inlines: [RichText.Inline]) -> [RichText.Block] {
        inlines.isEmpty || inlines == [.text("")] ? [] : [.paragraph(inlines)]
    }

    /// Joins adjacent texts: the parser splits text at every possible delimiter, and a variable such as
    /// `{{first_name}}` must be in one piece.
    private static func joined(_ inlines: [RichText.Inline]) -> [RichText.Inline] {
        inlines.filter { $0 != .text("") }.reduce(into: []) { result, inline in
            if case .text(let tail) = inline, case .text(let head)? = result.last {
                result[result.count - 1] = .text(head + tail)
            } else {
                result.append(inline)
            }
        }
    }

    private static func children(of node: Node) -> [Node] {
        Array(sequence(first: cmark_node_first_child(node)) { cmark_node_next($0) }.prefix { $0 != nil })
            .compactMap { $0 }
    }

    private static func literal(of node: Node) -> String {
        cmark_node_get_literal(node).map { String(cString: $0) } ?? ""
    }

    private static func withoutLastBreak(_ text: String) -> String {
        text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}
