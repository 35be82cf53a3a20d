import CCmark
import Foundation
import InlayServerCore

/// Markdown of articles as HTML that is not yet sanitised.
enum ArticleMarkdown {
    /// CommonMark with tables, strikethrough and bare addresses; HTML stays for the sanitiser to judge.
    static func html(_ source: String) -> String {
        let options = CMARK_OPT_UNSAFE | CMARK_OPT_STRIKETHROUGH_DOUBLE_TILDE | CMARK_OPT_SMART
        return MarkdownParser.withDocument(of: source, options: options, MarkdownParser.Extension.allCases) {
            document, extensions in
            guard let html = cmark_render_html(document, options, extensions) else { return "" }
            defer { free(html) }
            return String(cString: html)
        } ?? ""
    }
}
