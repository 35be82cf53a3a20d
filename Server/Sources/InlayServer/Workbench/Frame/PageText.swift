import Mustache

/// Escapes text for HTML, in attributes too, scalar by scalar.
///
/// Mustache's own way goes by grapheme: a quote followed by a combining mark is one `Character`, is not
/// found in its table, and would end an attribute.
struct PageText: MustacheContentType {
    static let name = "PAGE"

    func escapeText(_ text: String) -> String { Self.escaped(text) }

    static func escaped(_ text: String) -> String {
        var safe: [UInt8] = []
        safe.reserveCapacity(text.utf8.count + 16)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "<"): safe += "&lt;".utf8
            case UInt8(ascii: ">"): safe += "&gt;".utf8
            case UInt8(ascii: "&"): safe += "&amp;".utf8
            case UInt8(ascii: "\""): safe += "&quot;".utf8
            case UInt8(ascii: "'"): safe += "&#39;".utf8
            default: safe.append(byte)
            }
        }
        return String(decoding: safe, as: UTF8.self)
    }
}
