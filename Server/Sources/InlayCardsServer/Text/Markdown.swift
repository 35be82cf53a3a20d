import CCmark
import InlayServerCore
@_spi(Inlay) package import InlayWire

/// A parser that makes authors' Markdown into a tree that is safe to show.
///
/// CommonMark with strikethrough and bare web addresses. Raw HTML comes out as the text it is, images as
/// links, and a link that does not lead to http, https, mailto, tel or a subview keeps its text and
/// loses its target; ``refusedTargets(in:)`` names such links, for their author.
package enum Markdown {
    /// The maximum length of a source, in UTF-8 bytes. The limit bounds the parser's time, which is quadratic for
    /// its worst inputs.
    package static let maximumSourceBytes = 10_000

    /// The maximum nesting of blocks and styles; deeper content becomes plain text.
    static let maximumDepth = 12

    /// Returns the source as a tree, or `nil` when it is longer than ``maximumSourceBytes``.
    package static func parse(_ source: String) -> RichText? {
        guard source.utf8.count <= maximumSourceBytes else { return nil }
        return withDocument(of: source) { RichText(MarkdownReader.blocks(of: $0, depth: 0)) }
            ?? RichText(plain: source)
    }

    /// Returns the targets that links of a source lose, in order. A target that equals its link's text is not listed.
    static func refusedTargets(in source: String) -> [String] {
        guard source.utf8.count <= maximumSourceBytes else { return [] }
        return withDocument(of: source) { MarkdownReader.refusedTargets(in: $0) } ?? []
    }

    private static func withDocument<Result>(
        of source: String, _ body: (MarkdownReader.Node) -> Result
    ) -> Result? {
        let options = CMARK_OPT_DEFAULT | CMARK_OPT_STRIKETHROUGH_DOUBLE_TILDE
        return MarkdownParser.withDocument(of: source, options: options, [.strikethrough, .autolink]) {
            document, _ in body(document)
        }
    }
}
