/// A position in the bytes of a JSON document, with methods that read one token.
///
/// A cursor knows the syntax of tokens and not their order. When a token cannot be read, a method returns `nil` or
/// `false`, and the cursor stays at the wrong byte.
struct JSONCursor {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// The index of the current byte.
    private(set) var index = 0

    /// Creates a cursor. The buffer must stay valid while the cursor is used.
    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { index == bytes.count }

    /// The current byte; 0 at the end.
    var byte: UInt8 { index < bytes.count ? bytes[index] : 0 }

    /// Skips white space and returns the byte after it.
    @discardableResult
    mutating func skipSpace() -> UInt8 {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default: return bytes[index]
            }
        }
        return 0
    }

    /// Skips white space, then consumes this byte if it is next; returns whether it was.
    mutating func take(_ byte: UInt8) -> Bool {
        guard skipSpace() == byte else { return false }
        index += 1
        return true
    }

    /// Consumes `true`, `false` or `null` if it is next; returns whether it was.
    mutating func take(word: StaticString) -> Bool {
        let known = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard index + known.count <= bytes.count,
            UnsafeBufferPointer(rebasing: bytes[index..<(index + known.count)]).elementsEqual(known)
        else { return false }
        index += known.count
        return true
    }

    /// Consumes a number; returns `nil` when there is none.
    mutating func number() -> JSONNumber? {
        var end = index
        while end < bytes.count, JSONNumber.isPart(bytes[end]) { end += 1 }
        guard let number = JSONNumber(UnsafeBufferPointer(rebasing: bytes[index..<end])) else { return nil }
        index = end
        return number
    }

    /// Consumes the rest of a string after its opening quotation mark, the closing one included.
    mutating func quoted() -> JSONQuoted? {
        let start = index
        var hasEscape = false
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                defer { index += 1 }
                return JSONQuoted(UnsafeBufferPointer(rebasing: bytes[start..<index]), hasEscape: hasEscape)
            case UInt8(ascii: "\\"):
                hasEscape = true
                index = min(index + 2, bytes.count)
            case 0..<0x20: return nil
            default: index += 1
            }
        }
        return nil
    }

    /// Moves to the end, so that nothing more is read.
    mutating func moveToEnd() { index = bytes.count }
}
