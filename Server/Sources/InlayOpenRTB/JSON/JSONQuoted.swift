/// The source bytes of a JSON string between its quotation marks.
struct JSONQuoted {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let hasEscape: Bool

    init() { (bytes, hasEscape) = (UnsafeBufferPointer(start: nil, count: 0), false) }

    init(_ bytes: UnsafeBufferPointer<UInt8>, hasEscape: Bool) {
        self.bytes = bytes
        self.hasEscape = hasEscape
    }

    /// Returns whether the string equals a name, without creating a `String`. A string with escapes equals no name.
    @inline(__always)
    func isEqual(to name: StaticString) -> Bool {
        let count = name.utf8CodeUnitCount
        guard count == bytes.count, count > 0 else { return false }
        let known = name.utf8Start
        guard bytes[0] == known[0] else { return false }
        var index = 1
        while index < count {
            guard bytes[index] == known[index] else { return false }
            index += 1
        }
        return !hasEscape
    }

    /// The decoded string; `nil` for an invalid escape.
    var text: String? {
        hasEscape ? JSONEscapes.removed(from: bytes) : String(decoding: bytes, as: UTF8.self)
    }

    /// Returns whether the bytes from which this text was decoded are valid UTF-8.
    func isUTF8(_ text: String) -> Bool {
        // Decoding replaces only invalid UTF-8, so the bytes are equal when all of it was valid.
        var copy = hasEscape ? String(decoding: bytes, as: UTF8.self) : text
        return copy.withUTF8 { $0.elementsEqual(bytes) }
    }
}
