import CCmark
import Foundation

/// Markdown of articles as HTML that is not yet sanitised.
enum ArticleMarkdown {
    /// CommonMark with tables, strikethrough and bare addresses; HTML stays for the sanitiser to judge.
    static func html(_ source: String) -> String {
        _ = Markdown.registered
        let options = CMARK_OPT_UNSAFE | CMARK_OPT_STRIKETHROUGH_DOUBLE_TILDE | CMARK_OPT_SMART
        guard let parser = cmark_parser_new(options) else { return "" }
        defer { cmark_parser_free(parser) }
        for name in ["strikethrough", "autolink", "table"] {
            if let found = cmark_find_syntax_extension(name) {
                cmark_parser_attach_syntax_extension(parser, found)
            }
        }
        var source = source
        source.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { cmark_parser_feed(parser, $0.baseAddress, $0.count) }
        }
        guard let document = cmark_parser_finish(parser) else { return "" }
        defer { cmark_node_free(document) }
        guard let html = cmark_render_html(document, options, cmark_parser_get_syntax_extensions(parser))
        else {
            return ""
        }
        defer { free(html) }
        return String(cString: html)
    }
}
