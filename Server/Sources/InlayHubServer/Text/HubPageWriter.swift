import CCmark
import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire

/// A writer of items' pages: the text from Markdown or HTML, sanitised, in a template, with the URLs of its files.
struct HubPageWriter {
    let settings: HubSettings
    let policy: HubPolicy
    /// The source's files by path.
    let assets: [String: HubBlob]
    let templates: [HubKind: HubPageTemplate]

    /// A page with its files, faults and losses.
    struct Page {
        var html: String
        /// The paths of the files that the page uses.
        var files: Set<String>
        /// The faults that prevent the page from being published, each with the part of the text that has the fault.
        var faults: [(message: String, quote: String)]
        /// The parts of the text that the page does not show.
        var losses: HTMLLosses
    }

    /// Returns the page of a draft, also of a draft that cannot be published for the reasons in ``Page/faults``.
    func page(_ draft: HubDraft, _ kind: HubKind, date: Timestamp?) throws -> Page {
        var page = Page(html: "", files: [], faults: [], losses: HTMLLosses())
        let isMarkdown = draft.format == .markdown
        let source =
            isMarkdown
            ? ArticleMarkdown.html(draft.body, typography: settings.usesTypographicPunctuation) : draft.body
        let body: String
        if draft.allowsScripts, settings.allowsScripts {
            body = source
            page.files.formUnion(Self.assetPaths(in: source))
        } else {
            body = sanitised(
                source, footnotes: isMarkdown ? ArticleMarkdown.footnotes(of: draft.body) : [], &page)
        }
        if let image = draft.image {
            page.files.insert(image)
            if assets[image] == nil { page.faults.append(("There is no file \(image).", image)) }
        }
        for file in page.files where assets[file] == nil && file != draft.image {
            page.faults.append(("There is no file \(file).", file))
        }
        page.files = page.files.filter { assets[$0] != nil }
        let template = try templates[kind] ?? HubPageTemplate.standard()
        if template.usesStyleSheet { page.files.insert(HubPageTemplate.styleSheet) }
        page.html = template.page(
            draft, kind, body: body, cover: draft.image.map { "../../" + $0 }, date: date,
            language: settings.language)
        return page
    }

    /// Returns the references to other items in a page.
    static func references(in html: String) -> Set<HubReference> {
        Set(
            html.matches(of: /href="(hub:[a-z]+\/[a-z0-9-]+)"/).compactMap {
                HubReference(uri: String($0.output.1))
            })
    }

    /// Returns the paths below `assets/` that a text contains.
    static func assetPaths(in text: String) -> Set<String> {
        Set(text.matches(of: /assets\/[a-z0-9_][a-z0-9._\/-]*[a-z0-9]/).map { String($0.output) })
            .filter { HubPath.isAsset($0) }
    }

    private func sanitised(_ source: String, footnotes: [String], _ page: inout Page) -> String {
        // The closure below cannot capture an inout parameter.
        let found = FoundFiles()
        var sanitizer = HTMLSanitizer(links: LinkRule(appSchemes: settings.appSchemes)) { address in
            if let allowed = allowedURL(address) { return allowed }
            guard let path = Self.assetPath(address) else {
                found.faults.append(("\(address.prefix(scalars: 200)) is no file of this source.", address))
                return nil
            }
            found.files.insert(path)
            return "../../" + path
        }
        let html = sanitizer.clean(source)
        page.files.formUnion(found.files)
        page.faults += found.faults
        page.losses = sanitizer.losses
        if let id = sanitizer.surplusID {
            page.faults.append(("The text has more than \(HubLimits.maximumPageIDs) ids.", id))
        }
        Self.check(footnotes, sanitizer.anchors, in: html, &page.losses)
        return html
    }

    /// Adds a loss for each footnote that is not on the page.
    private static func check(
        _ labels: [String], _ anchors: Set<PageAnchor>, in html: String, _ losses: inout HTMLLosses
    ) {
        guard !labels.isEmpty else { return }
        // In a block of code, the definition of a footnote is text.
        let texts = Set(html.matches(of: /\[\^([^\[\]\s]{1,1200})\]:/).map { String($0.output.1) })
        var seen: Set<String> = []
        for label in labels where !texts.contains(HTMLSanitizer.escaped(label)) {
            if !seen.insert(label.lowercased()).inserted {
                losses.add(
                    "The footnote [^\(label)] is there twice; only the first one stays.",
                    quote: "[^\(label)]:")
            } else if PageAnchor(id: "fn-\(label)").map({ anchors.contains($0) }) != true {
                losses.add(
                    "Nothing refers to the footnote [^\(label)], and it was left out.", quote: "[^\(label)]:")
            }
        }
    }

    private final class FoundFiles {
        var files: Set<String> = []
        var faults: [(message: String, quote: String)] = []
    }

    /// Returns an external https URL if the policy allows it.
    private func allowedURL(_ address: String) -> String? {
        guard address.hasPrefix("https://"), let host = URLComponents(string: address)?.host,
            policy.allowedURLs.contains(address) || policy.allowedDomains.contains(host)
        else { return nil }
        return address
    }

    /// Returns the path of a file from a URL such as `assets/x.svg`, `../../assets/x.svg` or `/assets/x.svg`.
    static func assetPath(_ address: String) -> String? {
        var path = Substring(address)
        while path.hasPrefix("../") || path.hasPrefix("./") { path = path.drop { $0 != "/" }.dropFirst() }
        if path.hasPrefix("/") { path = path.dropFirst() }
        return HubPath.isAsset(String(path)) ? String(path) : nil
    }
}

/// The conversion of Markdown to HTML that is not yet sanitised.
enum ArticleMarkdown {
    /// Converts CommonMark with tables, strikethrough, footnotes and bare URLs. HTML in it stays, for the sanitiser.
    ///
    /// - Parameter typography: Whether quotes, dashes and dots are replaced by the typographic ones of English.
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

    /// Returns the labels of the footnotes that a text defines, in order, also in quotes and lists. The parser leaves
    /// out footnotes to which nothing refers, and all but the first with the same label.
    static func footnotes(of source: String) -> [String] {
        source.matches(of: /(?m)^[ \t>*+-]*(?:\d{1,9}[.\)][ \t]+)?\[\^([^\[\]\s]{1,200})\]:/).map {
            String($0.output.1)
        }
    }
}
