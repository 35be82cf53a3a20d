/// Character references such as `&amp;` and `&#x27;`.
///
/// Only the names that people type by hand are known. An unknown reference stays text, and the sanitizer escapes its
/// `&`, so that browsers show it as text too.
enum HTMLReferences {
    private static let names: [String: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "copy": "©",
        "reg": "®",
        "trade": "™", "hellip": "…", "mdash": "—", "ndash": "–", "lsquo": "‘", "rsquo": "’", "ldquo": "“",
        "rdquo": "”", "laquo": "«", "raquo": "»", "bull": "•", "middot": "·", "deg": "°", "euro": "€",
        "pound": "£",
        "times": "×", "frac12": "½", "frac14": "¼", "shy": "\u{AD}", "eacute": "é", "egrave": "è",
        "agrave": "à",
        "auml": "ä", "ouml": "ö", "uuml": "ü", "szlig": "ß", "ccedil": "ç", "ntilde": "ñ", "aring": "å",
        "aelig": "æ",
        "oslash": "ø", "larr": "←", "rarr": "→", "uarr": "↑", "darr": "↓",
    ]

    /// Returns the text with its references decoded.
    static func decode(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
        var text: [UInt8] = []
        var position = bytes.startIndex
        while position < bytes.endIndex {
            if bytes[position] == UInt8(ascii: "&"), let (character, end) = reference(bytes, at: position) {
                text.append(contentsOf: character.utf8)
                position = end
            } else {
                text.append(bytes[position])
                position += 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func reference(_ bytes: ArraySlice<UInt8>, at start: Int) -> (String, Int)? {
        let rest = bytes[(start + 1)...].prefix(12)
        if rest.first == UInt8(ascii: "#") { return number(rest.dropFirst()) }
        guard let end = rest.firstIndex(of: UInt8(ascii: ";")),
            let character = names[String(decoding: rest[rest.startIndex..<end], as: UTF8.self)]
        else { return nil }
        return (character, end + 1)
    }

    private static func number(_ rest: ArraySlice<UInt8>) -> (String, Int)? {
        let isHex = rest.first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
        let digits = (isHex ? rest.dropFirst() : rest).prefix { byte in
            (0x30...0x39).contains(byte) || (isHex && (0x61...0x66).contains(byte | 0x20))
        }
        let text = String(decoding: digits, as: UTF8.self)
        guard !digits.isEmpty, let code = UInt32(text, radix: isHex ? 16 : 10) else { return nil }
        let scalar = code == 0 ? nil : Unicode.Scalar(code)
        // A missing semicolon ends the number all the same, as in browsers.
        let end = digits.endIndex < rest.endIndex && rest[digits.endIndex] == UInt8(ascii: ";") ? 1 : 0
        return (String(Character(scalar ?? "\u{FFFD}")), digits.endIndex + end)
    }
}
