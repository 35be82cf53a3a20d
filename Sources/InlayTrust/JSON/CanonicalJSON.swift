public import Foundation

/// The encoding of a value over which signatures are made: the canonical JSON of OLPC.
///
/// Names in order of their bytes, no white space, whole numbers only; of all characters only the quote and
/// the backslash are escaped. Nothing is normalised: two spellings of "é" are two texts.
@_spi(Inlay) public enum CanonicalJSON {
    /// The canonical bytes of a value.
    public static func data(_ value: TrustJSON) -> Data {
        var bytes: [UInt8] = []
        append(value, to: &bytes)
        return Data(bytes)
    }

    private static func append(_ value: TrustJSON, to bytes: inout [UInt8]) {
        switch value {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
        case .integer(let number): bytes.append(contentsOf: String(number).utf8)
        case .string(let text): append(text, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                append(element, to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members): append(members, to: &bytes)
        }
    }

    private static func append(_ members: [TrustJSON.Member], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        // Sorted again, for values that were put together by hand.
        for (index, member) in members.sorted(by: { $0.name.precedes($1.name) }).enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(member.name, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            append(member.value, to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
