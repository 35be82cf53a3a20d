import CCmark
import Foundation
import InlayServerCore

/// Markdown of articles as HTML that is not yet sanitised.
enum ArticleMarkdown {
    /// CommonMark with tables, strikethrough, footnotes and bare addresses; HTML stays for the sanitiser to judge.
    ///
    /// - Parameter typography: Whether quotes, dashes and dots are replaced by typographic ones, as English has them.
    static func html(_ source: String, typography: Bool = false) -> String {
        let options =
            CMARK_OPT_UNSAFE | CMARK_OPT_STRIKETHROUGH_DOUBLE_TILDE | CMARK_OPT_FOOTNOTES
            | (typography ? CMARK_OPT_SMART : 0)
        return MarkdownParser.withDocument(of: source, options: options, MarkdownParser.Extension.allCases) {
            document, extensions in
            guard let html = cmark_render_html(document, options, extensions) else { return "" }
            defer { free(html) }
            return String(cString: html)
        } ?? ""
    }

    /// The labels of the footnotes that a source defines, in order, those in quotes and lists included. The parser leaves
    /// out those that are not referred to, and all but the first with a label.
    static func footnotes(of source: String) -> [String] {
        source.matches(of: /(?m)^[ \t>*+-]*(?:\d{1,9}[.\)][ \t]+)?\[\^([^\[\]\s]{1,200})\]:/).map {
            String($0.output.1)
        }
    }
}
