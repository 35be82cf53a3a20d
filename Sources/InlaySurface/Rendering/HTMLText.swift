import Mustache

/// The escaping of text for HTML, between tags and in quoted attributes.
package enum HTMLText {
    /// Escapes a text by Unicode scalar. To compare by `Character` would be unsafe: a quote and a combining mark are
    /// one `Character`, which is not equal to a quote, but a browser ends the attribute there.
    package static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: isSpecial) else { return text }
        var html = ""
        html.unicodeScalars.reserveCapacity(text.unicodeScalars.count + 16)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": html += "&lt;"
            case ">": html += "&gt;"
            case "&": html += "&amp;"
            case "\"": html += "&quot;"
            case "'": html += "&#39;"
            case "\0": html.unicodeScalars.append("\u{FFFD}")
            default: html.unicodeScalars.append(scalar)
            }
        }
        return html
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"), UInt8(ascii: "\""), UInt8(ascii: "'"),
            0:
            true
        default: false
        }
    }
}

/// A content type that makes Mustache escape with `HTMLText`; Mustache's own escaping compares by `Character`.
struct HTMLTextContentType: MustacheContentType {
    /// The name of the content type in the pragma at the start of every template.
    static let name = "INLAY_HTML"

    func escapeText(_ text: String) -> String { HTMLText.escaped(text) }
}

/// Markup that Inlay made itself. Only code of this package can create it without escaping, so an unescaped tag of
/// a template never receives text of an author or a user.
@_spi(Inlay) public struct SafeHTML: Codable, Hashable, Sendable {
    /// The markup.
    public let markup: String

    package init(markup: String) { self.markup = markup }

    /// Decodes a string and escapes it, because decoded data is untrusted text.
    public init(from decoder: any Decoder) throws {
        markup = HTMLText.escaped(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(markup)
    }
}
