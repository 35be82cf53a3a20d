@_spi(Inlay) import InlayWire

/// Methods that read one value, and return `nil` for `null` or a value of another type.
extension JSONScanner {
    /// Reads a string.
    mutating func text() -> String? {
        guard begins(UInt8(ascii: "\""), "a text"), let quoted = quoted() else { return nil }
        guard let text = quoted.text else {
            fail(.malformed, "an escape is none")
            return nil
        }
        if quoted.isUTF8(text) { return text }
        note(.wrongType, "UTF-8")
        return nil
    }

    /// Reads a whole number, also in the form `300.0`. With `orFlag`, `true` is accepted for 1 and `false` for 0.
    mutating func integer(orFlag: Bool = false) -> Int? {
        guard let number = number(orFlag: orFlag) else { return nil }
        if let value = number.integer { return value }
        note(.outOfRange, "a whole number")
        return nil
    }

    /// Reads a number.
    mutating func double() -> Double? { number()?.double }

    /// Reads an amount of money in millionths, truncated.
    mutating func micros() -> Int64? {
        guard let number = number() else { return nil }
        if let value = number.micros { return value }
        note(.outOfRange, "an amount of money")
        return nil
    }

    /// Reads a Boolean.
    mutating func bool() -> Bool? {
        switch cursor.skipSpace() {
        case UInt8(ascii: "t"): return word("true") ? true : nil
        case UInt8(ascii: "f"): return word("false") ? false : nil
        case UInt8(ascii: "n"): word("null")
        default:
            note(.wrongType, "true or false")
            skip()
        }
        return nil
    }

    /// Reads any value.
    mutating func value() -> JSONValue {
        switch cursor.skipSpace() {
        case UInt8(ascii: "{"):
            var members: [String: JSONValue] = [:]
            _ = object { scanner, name in members[name.text ?? ""] = scanner.value() }
            return .object(members)
        case UInt8(ascii: "["):
            var elements: [JSONValue] = []
            _ = array { elements.append($0.value()) }
            return .array(elements)
        case UInt8(ascii: "\""): return .string(text() ?? "")
        case UInt8(ascii: "t"): return .bool(word("true"))
        case UInt8(ascii: "f"): return .bool(!word("false"))
        case UInt8(ascii: "n"):
            word("null")
            return .null
        default:
            let number = writtenNumber()
            return number.integer.map { .integer(Int64($0)) } ?? .number(number.double)
        }
    }

    /// Skips a value.
    mutating func skip() {
        switch cursor.skipSpace() {
        case UInt8(ascii: "{"): _ = object { scanner, _ in scanner.skip() }
        case UInt8(ascii: "["): _ = array { $0.skip() }
        case UInt8(ascii: "\""): if cursor.take(UInt8(ascii: "\"")) { _ = quoted() }
        case UInt8(ascii: "t"): word("true")
        case UInt8(ascii: "f"): word("false")
        case UInt8(ascii: "n"): word("null")
        default: _ = writtenNumber()
        }
    }

    /// Reads the rest of a string after its opening quotation mark.
    mutating func quoted() -> JSONQuoted? {
        if let quoted = cursor.quoted() { return quoted }
        fail(.malformed, cursor.isAtEnd ? "a text has no end" : "a control character in a text")
        return nil
    }

    @discardableResult
    mutating func word(_ word: StaticString) -> Bool {
        if cursor.take(word: word) { return true }
        fail(.malformed, "a value is none")
        return false
    }

    private mutating func number(orFlag: Bool = false) -> JSONNumber? {
        switch cursor.skipSpace() {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return writtenNumber()
        case UInt8(ascii: "t") where orFlag: return word("true") ? .one : nil
        case UInt8(ascii: "f") where orFlag: return word("false") ? .zero : nil
        case UInt8(ascii: "n"):
            word("null")
            return nil
        default:
            note(.wrongType, "a number")
            skip()
            return nil
        }
    }

    private mutating func writtenNumber() -> JSONNumber {
        if let number = cursor.number() { return number }
        fail(.malformed, "a value is none")
        return .zero
    }
}
