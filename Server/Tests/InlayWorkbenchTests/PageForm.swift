import Foundation

@testable import InlayServerTesting

/// A reader of the fields of a page's editor form, as a browser would send them.
enum PageForm {
    static func fields(_ html: String) -> [(String, String)] {
        let start = html.range(of: "data-editor ")?.lowerBound ?? html.startIndex
        let form = String(html[start...])
        let pattern = /<input[^>]*>|<textarea[^>]*>[\s\S]*?<\/textarea>|<select[^>]*>[\s\S]*?<\/select>/
        return form.matches(of: pattern).compactMap { field(String($0.output)) }
    }

    private static func field(_ tag: String) -> (String, String)? {
        guard let name = WorkbenchBrowser.between("name=\"", "\"", tag).map(plain),
            !tag.contains("aria-label=\"Sign")
        else { return nil }
        if tag.hasPrefix("<select") {
            guard let chosen = tag.firstMatch(of: /<option value="([^"]*)" selected/) else { return nil }
            return (name, plain(String(chosen.1)))
        }
        if tag.hasPrefix("<textarea") {
            // A browser drops the first line break of a text area.
            var text = WorkbenchBrowser.between(">", "</textarea>", tag) ?? ""
            if text.hasPrefix("\n") { text.removeFirst() }
            return (name, plain(text))
        }
        if tag.contains("type=\"checkbox\""), !tag.contains(" checked") { return nil }
        return (name, plain(WorkbenchBrowser.between(" value=\"", "\"", tag) ?? ""))
    }

    private static func plain(_ text: String) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")].reduce(text) {
            $0.replacingOccurrences(of: $1.0, with: $1.1)
        }
    }
}
