/// A text of a JSON document as it is written, between its quotation marks: a value, or the name of a field.
struct JSONQuoted {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let hasEscape: Bool

    init() { (bytes, hasEscape) = (UnsafeBufferPointer(start: nil, count: 0), false) }

    init(_ bytes: UnsafeBufferPointer<UInt8>, hasEscape: Bool) {
        self.bytes = bytes
        self.hasEscape = hasEscape
    }

    /// Whether it is this name, without making a text of it. A name written with escapes is none that we know.
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

    /// The text; `nil` when an escape is none.
    var text: String? {
        hasEscape ? JSONEscapes.removed(from: bytes) : String(decoding: bytes, as: UTF8.self)
    }

    /// Whether the bytes that became this text are UTF-8, as those of every JSON document are.
    func isUTF8(_ text: String) -> Bool {
        // What is no UTF-8 was replaced, and nothing else was.
        var copy = hasEscape ? String(decoding: bytes, as: UTF8.self) : text
        return copy.withUTF8 { $0.elementsEqual(bytes) }
    }
}
