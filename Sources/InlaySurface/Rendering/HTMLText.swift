import Mustache

/// Text made safe to stand in HTML, between tags and inside quoted attributes.
package enum HTMLText {
    /// Escapes by Unicode scalar. Going by `Character` would be a hole: a quote followed by a combining mark
    /// is one `Character` that equals no quote, yet a browser ends the attribute there.
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

/// Makes Mustache escape with `HTMLText`; its own escaping goes by `Character`.
struct HTMLTextContentType: MustacheContentType {
    /// The name by which every template asks for it.
    static let name = "INLAY_HTML"

    func escapeText(_ text: String) -> String { HTMLText.escaped(text) }
}

/// Markup that Inlay made itself. Only code of this package can make one, so that a template's unescaped tag
/// never receives text of an author or a user.
@_spi(Inlay) public struct SafeHTML: Codable, Hashable, Sendable {
    /// The markup.
    public let markup: String

    package init(markup: String) { self.markup = markup }

    /// Decoding escapes: what came from outside is text.
    public init(from decoder: any Decoder) throws {
        markup = HTMLText.escaped(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(markup)
    }
}
