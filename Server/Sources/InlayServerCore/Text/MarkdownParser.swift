package import CCmark
import NIOConcurrencyHelpers

/// A parser of Markdown: cmark-gfm, made safe for several threads.
package enum MarkdownParser {
    /// An extension of CommonMark, by the library's name.
    package enum Extension: String, CaseIterable { case strikethrough, autolink, table }

    /// Parses a source, and returns what `body` makes of its document and the parser's extensions, which the library's
    /// renderers take. The document ends with the call. Returns `nil` where the library has no memory.
    package static func withDocument<Result>(
        of source: String, options: Int32, _ extensions: [Extension],
        _ body: (_ document: OpaquePointer, _ extensions: UnsafeMutablePointer<cmark_llist>?) -> Result
    ) -> Result? {
        _ = registered
        guard let parser = makeParser(options, extensions) else { return nil }
        defer { cmark_parser_free(parser) }
        var source = source
        source.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { cmark_parser_feed(parser, $0.baseAddress, $0.count) }
        }
        guard let document = finishing.withLock({ cmark_parser_finish(parser) }) else { return nil }
        defer { cmark_node_free(document) }
        return body(document, cmark_parser_get_syntax_extensions(parser))
    }

    private static func makeParser(_ options: Int32, _ extensions: [Extension]) -> OpaquePointer? {
        guard let parser = cmark_parser_new(options) else { return nil }
        for found in extensions.compactMap({ cmark_find_syntax_extension($0.rawValue) }) {
            cmark_parser_attach_syntax_extension(parser, found)
        }
        return parser
    }

    /// Held while a document is finished.
    ///
    /// Each parser then adds the characters of its extensions to a table of the process, and takes them out when it is
    /// done, while another parser may still need them (<https://github.com/github/cmark-gfm/pull/176>).
    private static let finishing = NIOLock()

    /// Fills the library's registry of extensions, which two threads must not do.
    private static let registered: Void = cmark_gfm_core_extensions_ensure_registered()
}
