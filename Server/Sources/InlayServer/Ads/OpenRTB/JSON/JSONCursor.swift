/// A place in the bytes of a JSON document, and the smallest things that can be read there.
///
/// It knows how texts, numbers and words are written and not what follows what. Where something cannot be
/// read it answers with nothing and stays at the byte that is wrong.
struct JSONCursor {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// How many bytes lie behind it.
    private(set) var index = 0

    /// The bytes must stay where they are while it reads.
    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { index == bytes.count }

    /// The byte here; 0 at the end.
    var byte: UInt8 { index < bytes.count ? bytes[index] : 0 }

    /// Goes past white space; the byte there.
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

    /// Goes past this byte if it is the next after white space.
    mutating func take(_ byte: UInt8) -> Bool {
        guard skipSpace() == byte else { return false }
        index += 1
        return true
    }

    /// Goes past `true`, `false` or `null` if it stands here.
    mutating func take(word: StaticString) -> Bool {
        let known = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard index + known.count <= bytes.count,
            UnsafeBufferPointer(rebasing: bytes[index..<(index + known.count)]).elementsEqual(known)
        else { return false }
        index += known.count
        return true
    }

    /// A number; `nil` when what stands here is none.
    mutating func number() -> JSONNumber? {
        var end = index
        while end < bytes.count, JSONNumber.isPart(bytes[end]) { end += 1 }
        guard let number = JSONNumber(UnsafeBufferPointer(rebasing: bytes[index..<end])) else { return nil }
        index = end
        return number
    }

    /// What stands from behind a quotation mark to the next one, as it is written; goes past that one.
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

    /// Goes to the end: every look from here on finds nothing.
    mutating func leave() { index = bytes.count }
}
