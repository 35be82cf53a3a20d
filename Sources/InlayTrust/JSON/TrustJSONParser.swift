import Foundation

/// A JSON parser that is as strict as signatures require.
///
/// Two parsers must never understand the same bytes differently, so everything ambiguous is refused: a name twice in
/// one object, numbers with a fraction or an exponent, half of a surrogate pair, bytes that are no UTF-8, deep nesting.
struct TrustJSONParser {
    static let maximumDepth = 64

    private let bytes: [UInt8]
    private var position = 0

    static func parse(_ data: Data) throws(TrustError) -> TrustJSON {
        var parser = TrustJSONParser(bytes: [UInt8](data))
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.position == parser.bytes.count else { throw parser.fault("something follows the value") }
        return value
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func value(depth: Int) throws(TrustError) -> TrustJSON {
        guard depth < Self.maximumDepth else { throw fault("nested deeper than \(Self.maximumDepth)") }
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: return .integer(try number())
        }
    }

    private mutating func object(depth: Int) throws(TrustError) -> TrustJSON {
        position += 1
        var members: [TrustJSON.Member] = []
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object([]) }
        repeat {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw fault("a name was expected") }
            let name = try string()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw fault("a colon was expected") }
            members.append(TrustJSON.Member(name, try value(depth: depth + 1)))
            skipSpace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw fault("an object has no end") }
        let count = members.count
        let object = TrustJSON.members(members)
        guard case .object(let unique) = object, unique.count == count else {
            throw fault("a name stands twice in one object")
        }
        return object
    }

    private mutating func array(depth: Int) throws(TrustError) -> TrustJSON {
        position += 1
        var elements: [TrustJSON] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array([]) }
        repeat {
            elements.append(try value(depth: depth + 1))
            skipSpace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw fault("a list has no end") }
        return .array(elements)
    }

    private mutating func number() throws(TrustError) -> Int64 {
        let start = position
        _ = take(UInt8(ascii: "-"))
        let digits = position
        while let byte = peek, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
        guard position > digits else { throw fault("no JSON value") }
        guard bytes[digits] != UInt8(ascii: "0") || position == digits + 1 else {
            throw fault("a leading zero")
        }
        if let byte = peek, [UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E")].contains(byte) {
            throw fault("only whole numbers have one spelling")
        }
        guard let number = Int64(String(decoding: bytes[start..<position], as: UTF8.self)) else {
            throw fault("a number is too large")
        }
        return number
    }

    private mutating func string() throws(TrustError) -> String {
        position += 1
        var text: [UInt8] = []
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw fault("bytes are no UTF-8")
                }
                return string
            case UInt8(ascii: "\\"): try escape(into: &text)
            case 0..<0x20: throw fault("a control character in a text")
            default: text.append(byte)
            }
        }
        throw fault("a text has no end")
    }

    private mutating func escape(into text: inout [UInt8]) throws(TrustError) {
        guard let byte = peek else { throw fault("a text has no end") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(8)
        case UInt8(ascii: "t"): text.append(9)
        case UInt8(ascii: "n"): text.append(10)
        case UInt8(ascii: "f"): text.append(12)
        case UInt8(ascii: "r"): text.append(13)
        case UInt8(ascii: "u"): text.append(contentsOf: String(try unicodeEscape()).utf8)
        default: throw fault("an unknown escape")
        }
    }

    private mutating func unicodeEscape() throws(TrustError) -> Character {
        var code = try fourHexDigits()
        if (0xD800..<0xDC00).contains(code) {
            guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
                throw fault("half of a surrogate pair")
            }
            let low = try fourHexDigits()
            guard (0xDC00..<0xE000).contains(low) else { throw fault("half of a surrogate pair") }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw fault("half of a surrogate pair") }
        return Character(scalar)
    }

    private mutating func fourHexDigits() throws(TrustError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw fault("an escape without four hex digits")
            }
            position += 1
            code = code << 4 | UInt32(digit)
        }
        return code
    }

    private mutating func literal(_ literal: StaticString, _ value: TrustJSON) throws(TrustError) -> TrustJSON
    {
        for byte in String(describing: literal).utf8 {
            guard take(byte) else { throw fault("no JSON value") }
        }
        return value
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private func fault(_ what: String) -> TrustError {
        TrustError(.format, "JSON, byte \(position): \(what)")
    }
}
