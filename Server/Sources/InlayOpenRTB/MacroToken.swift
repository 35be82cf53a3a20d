/// A macro at a place in a text: `${NAME}` or `${NAME:SUFFIX}`.
///
/// Inside of another URL, a macro is percent-encoded, as in `%24%7BNAME%7D`, or only its braces are, as by JavaScript's
/// `encodeURI`.
struct MacroToken {
    /// The maximum size of a suffix, in bytes.
    private static let maximumSuffixBytes = 64

    let name: String
    /// The text after the colon; `nil` without a colon.
    let suffix: String?
    /// Whether any character of the macro was percent-encoded.
    let isEncoded: Bool
    /// The index after the macro.
    let end: Int

    /// Reads the macro that begins at an index; `nil` when none does.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
        var cursor = Cursor(bytes: bytes, index: start)
        guard cursor.take("$"), cursor.take("{") else { return nil }
        let nameStart = cursor.index
        while cursor.index < bytes.count, Self.isInName(bytes[cursor.index]) { cursor.index += 1 }
        name = String(decoding: bytes[nameStart..<cursor.index], as: UTF8.self)
        if cursor.take("}") {
            suffix = nil
        } else {
            guard cursor.take(":") else { return nil }
            let suffixStart = cursor.index
            var suffixEnd = suffixStart
            while !cursor.take("}") {
                guard cursor.index < bytes.count, suffixEnd - suffixStart < Self.maximumSuffixBytes else {
                    return nil
                }
                cursor.index += 1
                suffixEnd = cursor.index
            }
            suffix = String(decoding: bytes[suffixStart..<suffixEnd], as: UTF8.self)
        }
        (isEncoded, end) = (cursor.isEncoded, cursor.index)
    }

    /// Whether a macro may begin with a byte.
    static func mayBegin(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "$") || byte == UInt8(ascii: "%") }

    private static func isInName(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || byte == UInt8(ascii: "_")
    }
}

/// A place in a text that may be percent-encoded.
private struct Cursor {
    let bytes: UnsafeBufferPointer<UInt8>
    var index: Int
    /// Whether a character so far was percent-encoded.
    private(set) var isEncoded = false

    init(bytes: UnsafeBufferPointer<UInt8>, index: Int) { (self.bytes, self.index) = (bytes, index) }

    /// Consumes a character, plain or percent-encoded, if it is next; returns whether it was.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count else { return false }
        if bytes[index] == UInt8(ascii: character) {
            index += 1
            return true
        }
        guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
            let high = Self.digit(bytes[index + 1]), let low = Self.digit(bytes[index + 2]),
            high << 4 | low == UInt8(ascii: character)
        else { return false }
        index += 3
        isEncoded = true
        return true
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }
}
