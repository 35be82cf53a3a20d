/// The decoder of escapes in a JSON string.
enum JSONEscapes {
    /// Returns the text with its escapes decoded; `nil` for an invalid escape. Half a surrogate pair becomes U+FFFD.
    static func removed(from text: UnsafeBufferPointer<UInt8>) -> String? {
        var plain: [UInt8] = []
        plain.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            let byte = text[index]
            index += 1
            guard byte == UInt8(ascii: "\\") else {
                plain.append(byte)
                continue
            }
            guard index < text.count else { return nil }
            let kind = text[index]
            index += 1
            if kind == UInt8(ascii: "u") {
                guard let scalar = scalar(text, &index) else { return nil }
                plain.append(contentsOf: Array(String(Character(scalar)).utf8))
            } else {
                guard let byte = simple(kind) else { return nil }
                plain.append(byte)
            }
        }
        return String(decoding: plain, as: UTF8.self)
    }

    private static func simple(_ kind: UInt8) -> UInt8? {
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): kind
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    private static func scalar(_ text: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Unicode.Scalar? {
        guard let first = unit(text, at: index) else { return nil }
        index += 4
        guard 0xD800..<0xDC00 ~= first else { return Unicode.Scalar(first) ?? "\u{FFFD}" }
        guard index + 6 <= text.count, text[index] == UInt8(ascii: "\\"),
            text[index + 1] == UInt8(ascii: "u"),
            let second = unit(text, at: index + 2), 0xDC00..<0xE000 ~= second
        else { return "\u{FFFD}" }
        index += 6
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    }

    private static func unit(_ text: UnsafeBufferPointer<UInt8>, at start: Int) -> UInt32? {
        guard start + 4 <= text.count else { return nil }
        var value: UInt32 = 0
        for index in start..<(start + 4) {
            guard let digit = Character(UnicodeScalar(text[index])).hexDigitValue else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
