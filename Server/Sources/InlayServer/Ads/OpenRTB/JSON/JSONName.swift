/// The name of a field, compared with known names without making a text of it.
struct JSONName {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let hasEscape: Bool

    init() { (bytes, hasEscape) = (UnsafeBufferPointer(start: nil, count: 0), false) }

    init(_ bytes: UnsafeBufferPointer<UInt8>, hasEscape: Bool) {
        self.bytes = bytes
        self.hasEscape = hasEscape
    }

    /// Whether it is this name. A name written with escapes is none that we know.
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

    /// The name as a text.
    var string: String {
        let plain = hasEscape ? JSONEscapes.removed(from: bytes) : nil
        return plain ?? String(decoding: bytes, as: UTF8.self)
    }
}
