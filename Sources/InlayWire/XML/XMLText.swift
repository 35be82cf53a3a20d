/// Text as it stands in a document, and as it is meant.
enum XMLText {
    /// Without references, and with `\n` for every end of a line; in attributes white space is a blank.
    ///
    /// `nil` for a reference to no character of XML.
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

    /// With `\n` for every end of a line.
    static func withPlainLines(_ text: String) -> String {
        var bytes = Array(text.utf8)
        var length = 0
        for index in bytes.indices {
            if bytes[index] == 0x0A, index > 0, bytes[index - 1] == 0x0D, length > 0 { continue }
            bytes[length] = bytes[index] == 0x0D ? 0x0A : bytes[index]
            length += 1
        }
        return String(decoding: bytes[..<length], as: UTF8.self)
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
            guard let value, isCarried(value) else { return nil }
            return Unicode.Scalar(value)
        default: return nil
        }
    }

    /// Whether XML can carry a character.
    static func isCarried(_ value: UInt32) -> Bool {
        switch value {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}
