import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench
import Mustache

/// The HTML page around an item's text: the server's own, or the publisher's.
struct HubPageTemplate {
    /// The path of the style sheet that the server's own template uses.
    static let styleSheet = "assets/inlay-page.css"

    private let template: MustacheTemplate
    /// Whether pages of this template use the server's style sheet.
    let usesStyleSheet: Bool

    /// Returns the server's own template.
    static func standard() throws -> HubPageTemplate {
        try HubPageTemplate(String(decoding: resource("page.html"), as: UTF8.self))
    }

    /// Returns the bytes of the style sheet.
    static func styles() throws -> Data { try resource("inlay-page.css") }

    /// Parses a template in Mustache. Throws the parser's error, which names line and column.
    init(_ source: String) throws {
        MustacheContentTypes.register(PageText(), named: PageText.name)
        template = try MustacheTemplate(string: "{{% CONTENT_TYPE:\(PageText.name)}}" + source)
        usesStyleSheet = source.contains(Self.styleSheet)
    }

    /// Returns the whole page.
    func page(
        _ draft: HubDraft, _ kind: HubKind, body: String, cover: String?, date: Timestamp?, language: String
    ) -> String {
        var model: [String: Any] = [
            "title": draft.title, "kind": kind.rawValue, "language": language, "body": body,
        ]
        if let summary = draft.summary, !summary.isEmpty { model["summary"] = summary }
        if let cover { model["cover"] = ["src": cover, "text": draft.imageText ?? ""] }
        if let date { model["date"] = Self.date(date) }
        return template.render(model)
    }

    private static func date(_ moment: Timestamp) -> [String: String] {
        let date = Date(timeIntervalSince1970: moment.seconds)
        let words = Date.FormatStyle(
            date: .long, time: .omitted, locale: Locale(identifier: "en_GB"), timeZone: .gmt)
        return ["stamp": date.ISO8601Format(), "words": date.formatted(words)]
    }

    private static func resource(_ name: String) throws -> Data {
        try Data(
            contentsOf: Bundle.module.copiedResources.appendingPathComponent("articles")
                .appendingPathComponent(name))
    }
}
