import CCmark
import InlayWire

/// Markdown as authors write it, made into a tree that is safe to show.
///
/// CommonMark with strikethrough and bare web addresses. Raw HTML comes out as the text it is, images as
/// links, and a link that does not lead to http, https, mailto, tel or a subview keeps its words and
/// loses its target.
package enum Markdown {
    /// The longest source, in UTF-8 bytes. The parser's worst inputs take quadratic time, so the limit
    /// is what bounds it.
    package static let longestSource = 10_000

    /// How deep blocks and styles may nest; what lies deeper becomes plain text.
    static let deepest = 12

    /// The source as a tree, or `nil` when it is longer than ``longestSource``.
    package static func parse(_ source: String) -> RichText? {
        guard source.utf8.count <= longestSource else { return nil }
        guard let parser = makeParser() else { return RichText(plain: source) }
        defer { cmark_parser_free(parser) }
        var source = source
        source.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { cmark_parser_feed(parser, $0.baseAddress, $0.count) }
        }
        guard let document = cmark_parser_finish(parser) else { return RichText([]) }
        defer { cmark_node_free(document) }
        return RichText(MarkdownReader.blocks(of: document, depth: 0))
    }

    /// What is understood beyond CommonMark.
    static let extensions = ["strikethrough", "autolink"]

    private static func makeParser() -> OpaquePointer? {
        _ = registered
        guard let parser = cmark_parser_new(CMARK_OPT_DEFAULT | CMARK_OPT_STRIKETHROUGH_DOUBLE_TILDE) else {
            return nil
        }
        for name in extensions {
            if let found = cmark_find_syntax_extension(name) {
                cmark_parser_attach_syntax_extension(parser, found)
            }
        }
        return parser
    }

    // The registry is not safe to fill from two threads; a static is filled once, by whoever parses first.
    static let registered: Void = cmark_gfm_core_extensions_ensure_registered()
}
