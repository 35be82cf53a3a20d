@_spi(Inlay) import InlayWire

/// A JSON writer that keeps the order of the calls, so that equal values always give equal bytes.
struct JSONWriter {
    /// The bytes written so far.
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    init(reserving count: Int = 1024) { bytes.reserveCapacity(count) }

    mutating func object(_ fields: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "{"))
        fields(&self)
        close(UInt8(ascii: "}"))
    }

    mutating func array(_ elements: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "["))
        elements(&self)
        close(UInt8(ascii: "]"))
    }

    mutating func name(_ name: StaticString) {
        comma()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    mutating func text(_ text: String) {
        comma()
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            for byte in utf8 { append(byte) }
        }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    mutating func integer(_ value: Int) { raw(String(value)) }

    mutating func micros(_ value: Int64) { raw(Micros.text(value)) }

    mutating func double(_ value: Double) {
        // JSON has no infinity and no NaN.
        guard value.isFinite else { return raw("null") }
        if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 { return raw(String(whole)) }
        raw("\(value)")
    }

    mutating func value(_ value: JSONValue) {
        switch value {
        case .null: raw("null")
        case .bool(let value): raw(value ? "true" : "false")
        case .integer(let value): raw(String(value))
        case .number(let value): double(value)
        case .string(let value): text(value)
        case .array(let elements): array { writer in elements.forEach { writer.value($0) } }
        case .object(let members):
            object { writer in
                for (name, member) in members.sorted(by: { $0.key < $1.key }) {
                    writer.text(name)
                    writer.bytes.append(UInt8(ascii: ":"))
                    writer.needsComma = false
                    writer.value(member)
                }
            }
        }
    }

    private mutating func append(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case 0x0A: bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "n")])
        case 0..<0x20:
            let digits = Array("0123456789abcdef".utf8)
            bytes.append(contentsOf: Array("\\u00".utf8))
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 15)])
        default: bytes.append(byte)
        }
    }

    private mutating func raw(_ text: String) {
        comma()
        bytes.append(contentsOf: text.utf8)
        needsComma = true
    }

    private mutating func open(_ byte: UInt8) {
        comma()
        bytes.append(byte)
        needsComma = false
    }

    private mutating func close(_ byte: UInt8) {
        bytes.append(byte)
        needsComma = true
    }

    private mutating func comma() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = false
    }
}
