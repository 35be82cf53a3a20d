/// Text as a part of an HTML document.
package enum HTMLText {
    /// Replaces what has a meaning in HTML, in attributes too, byte by byte.
    ///
    /// A replacement that goes by grapheme misses a quote followed by a combining mark, which is one `Character` and
    /// would end an attribute.
    package static func escaped(_ text: String) -> String {
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
