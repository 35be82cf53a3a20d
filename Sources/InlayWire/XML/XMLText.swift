/// Conversions of text as it is written in a document.
enum XMLText {
    /// Returns the text without references, and with a line feed for every line break; in attributes, white space
    /// becomes a blank.
    ///
    /// Returns `nil` for a reference to a character that XML does not allow.
    static func decoded(_ text: UnsafeBufferPointer<UInt8>, isAttribute: Bool) -> String? {
        let isPlain = !text.contains { byte in
            byte == UInt8(ascii: "&") || byte == 0x0D || (isAttribute && byte < 0x20)
        }
        if isPlain { return String(decoding: text, as: UTF8.self) }
        var plain: [UInt8] = []
        plain.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            let byte = text[index]
            index += 1
            switch byte {
            case UInt8(ascii: "&"):
                guard let end = text[index...].prefix(12).firstIndex(of: UInt8(ascii: ";")),
                    let scalar = scalar(UnsafeBufferPointer(rebasing: text[index..<end]))
                else { return nil }
                plain.append(contentsOf: String(Character(scalar)).utf8)
                index = end + 1
            case 0x0D:
                if index < text.count, text[index] == 0x0A { index += 1 }
                plain.append(isAttribute ? 0x20 : 0x0A)
            case 0x09, 0x0A: plain.append(isAttribute ? 0x20 : byte)
            default: plain.append(byte)
            }
        }
        return String(decoding: plain, as: UTF8.self)
    }

    /// Returns the text with a line feed for every line break.
    static func withPlainLines(_ text: String) -> String {
        var plain: [UInt8] = []
        plain.reserveCapacity(text.utf8.count)
        var previous: UInt8 = 0
        for byte in text.utf8 {
            if byte != 0x0A || previous != 0x0D { plain.append(byte == 0x0D ? 0x0A : byte) }
            previous = byte
        }
        return String(decoding: plain, as: UTF8.self)
    }

    private static func scalar(_ name: UnsafeBufferPointer<UInt8>) -> Unicode.Scalar? {
        switch String(decoding: name, as: UTF8.self) {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        case let number where number.hasPrefix("#"):
            let digits = number.dropFirst()
            let value =
                digits.hasPrefix("x")
                ? digits.dropFirst().first?.isHexDigit == true ? UInt32(digits.dropFirst(), radix: 16) : nil
                : digits.first?.isNumber == true ? UInt32(digits) : nil
            guard let value, isAllowed(value) else { return nil }
            return Unicode.Scalar(value)
        default: return nil
        }
    }

    /// Whether a character is allowed in XML.
    static func isAllowed(_ value: UInt32) -> Bool {
        switch value {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}
