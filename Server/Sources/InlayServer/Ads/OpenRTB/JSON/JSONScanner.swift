import InlayWire

/// Reads JSON in one pass over its bytes, straight into values.
///
/// Stands beside Foundation's decoder because an auction reads one request and several answers, and that decoder
/// alone takes a large part of its time. Only broken syntax ends the reading: it is kept in `failure`, and every
/// further question is answered with nothing. A value of another type than was asked for is noted in `faults` and
/// skipped, so that one odd field does not cost the whole document.
struct JSONScanner {
    typealias Fault = OpenRTB.Fault

    enum Step {
        case name(StaticString)
        case index(Int)
    }

    /// Values stand at most this deep inside each other.
    static let deepest = 32

    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0
    private var depth = 0
    private var path: [Step] = []
    /// What had another type than was asked for, in order; at most 20.
    private(set) var faults: [Fault] = []
    /// How many there were.
    private(set) var faultCount = 0
    /// Why the reading ended before the document did.
    private(set) var failure: Fault?
    /// The field whose value comes next, and whether somebody took it.
    var field = JSONName()
    var isTaken = false

    /// The bytes must stay where they are while it reads.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        path.reserveCapacity(8)
    }

    // MARK: Containers

    /// Reads an object; tells each field's name, and the closure takes its value or leaves it to be skipped.
    ///
    /// `false` when there is no object.
    mutating func object(_ field: (inout JSONScanner, JSONName) -> Void) -> Bool {
        guard begin(UInt8(ascii: "{"), "an object"), enter() else { return false }
        if peek() == UInt8(ascii: "}") {
            index += 1
        } else {
            repeat {
                guard let name = name(), expect(UInt8(ascii: ":")) else { return false }
                let start = skipSpace()
                field(&self, name)
                if index == start { skip() }
            } while goesOn(UInt8(ascii: "}"))
        }
        depth -= 1
        return failure == nil
    }

    /// Reads an array, telling each element; `false` when there is none.
    mutating func array(_ element: (inout JSONScanner) -> Void) -> Bool {
        guard begin(UInt8(ascii: "["), "an array"), enter() else { return false }
        if peek() == UInt8(ascii: "]") {
            index += 1
        } else {
            var count = 0
            repeat {
                path.append(.index(count))
                let start = skipSpace()
                element(&self)
                if index == start { skip() }
                path.removeLast()
                count += 1
            } while goesOn(UInt8(ascii: "]"))
        }
        depth -= 1
        return failure == nil
    }

    /// Reads with a name on the path, so that faults inside tell it.
    mutating func inside<Value>(_ name: StaticString, _ read: (inout JSONScanner) -> Value) -> Value {
        path.append(.name(name))
        defer { path.removeLast() }
        return read(&self)
    }

    /// Refuses anything but white space after the document.
    mutating func end() {
        if failure == nil, skipSpace() != bytes.count { fail(.malformed, "something follows the document") }
    }

    // MARK: Values

    /// A text; `nil` when there is none.
    mutating func text() -> String? {
        guard begin(UInt8(ascii: "\""), "a text") else { return nil }
        let (range, hasEscape) = span()
        let text = UnsafeBufferPointer(rebasing: bytes[range])
        guard hasEscape else { return String(decoding: text, as: UTF8.self) }
        guard let plain = JSONEscapes.removed(from: text) else {
            fail(.malformed, "an escape is none")
            return nil
        }
        return plain
    }

    /// A whole number, also when it is written as `300.0`; `nil` when there is none. Where it is a flag, some say
    /// true for 1.
    mutating func integer(orFlag: Bool = false) -> Int? {
        guard let number = number(orFlag: orFlag) else { return nil }
        if let value = number.integer { return value }
        note(.outOfRange, "a whole number")
        return nil
    }

    /// A number; `nil` when there is none.
    mutating func double() -> Double? { number()?.double }

    /// An amount of money in millionths, cut to whole ones; `nil` when there is none.
    mutating func micros() -> Int64? {
        guard let number = number() else { return nil }
        if let value = number.micros { return value }
        note(.outOfRange, "an amount of money")
        return nil
    }

    /// Yes or no; `nil` when there is none.
    mutating func bool() -> Bool? {
        switch skipSpaceAndPeek() {
        case UInt8(ascii: "t"): return literal("true") ? true : nil
        case UInt8(ascii: "f"): return literal("false") ? false : nil
        case UInt8(ascii: "n"): literal("null")
        default:
            note(.wrongType, "true or false")
            skip()
        }
        return nil
    }

    /// Any value as it is.
    mutating func value() -> JSONValue {
        switch skipSpaceAndPeek() {
        case UInt8(ascii: "{"):
            var members: [String: JSONValue] = [:]
            _ = object { scanner, name in members[name.string] = scanner.value() }
            return .object(members)
        case UInt8(ascii: "["):
            var elements: [JSONValue] = []
            _ = array { elements.append($0.value()) }
            return .array(elements)
        case UInt8(ascii: "\""): return .string(text() ?? "")
        case UInt8(ascii: "t"): return .bool(literal("true"))
        case UInt8(ascii: "f"): return .bool(!literal("false"))
        case UInt8(ascii: "n"):
            literal("null")
            return .null
        default:
            let number = numberText()
            return number.integer.map { .integer(Int64($0)) } ?? .number(number.double)
        }
    }

    /// Goes past a value without looking at it.
    mutating func skip() {
        switch skipSpaceAndPeek() {
        case UInt8(ascii: "{"): _ = object { scanner, _ in scanner.skip() }
        case UInt8(ascii: "["): _ = array { $0.skip() }
        case UInt8(ascii: "\""):
            index += 1
            _ = span()
        case UInt8(ascii: "t"): literal("true")
        case UInt8(ascii: "f"): literal("false")
        case UInt8(ascii: "n"): literal("null")
        default: _ = numberText()
        }
    }

    /// Notes a fault at the place where the reader is.
    mutating func note(_ reason: OpenRTB.Reason, _ detail: String = "") {
        guard failure == nil else { return }
        faultCount += 1
        guard faults.count < 20 else { return }
        faults.append(Fault(place, reason, detail))
    }
}

// MARK: Pieces

extension JSONScanner {
    private mutating func number(orFlag: Bool = false) -> JSONNumber? {
        switch skipSpaceAndPeek() {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return numberText()
        case UInt8(ascii: "t") where orFlag: return literal("true") ? .one : nil
        case UInt8(ascii: "f") where orFlag: return literal("false") ? .zero : nil
        case UInt8(ascii: "n"):
            literal("null")
            return nil
        default:
            note(.wrongType, "a number")
            skip()
            return nil
        }
    }

    private mutating func numberText() -> JSONNumber {
        let start = index
        while index < bytes.count, JSONNumber.isPart(bytes[index]) { index += 1 }
        if let number = JSONNumber(UnsafeBufferPointer(rebasing: bytes[start..<index])) { return number }
        fail(.malformed, "a value is none")
        return .zero
    }

    /// Whether a value of the wanted kind begins; another kind is noted and skipped, `null` is skipped.
    private mutating func begin(_ wanted: UInt8, _ kind: StaticString) -> Bool {
        let byte = skipSpaceAndPeek()
        if byte == wanted {
            index += 1
            return true
        }
        if byte == UInt8(ascii: "n") {
            literal("null")
        } else {
            note(.wrongType, "\(kind)")
            skip()
        }
        return false
    }

    private mutating func enter() -> Bool {
        depth += 1
        skipSpace()
        guard depth > Self.deepest else { return true }
        fail(.tooLarge, "values inside each other")
        return false
    }

    private mutating func goesOn(_ end: UInt8) -> Bool {
        guard failure == nil else { return false }
        let byte = skipSpaceAndPeek()
        guard byte == UInt8(ascii: ",") || byte == end else {
            fail(.malformed, "a comma or an end is missing")
            return false
        }
        index += 1
        return byte != end
    }

    private mutating func name() -> JSONName? {
        guard expect(UInt8(ascii: "\"")) else { return nil }
        let (range, hasEscape) = span()
        guard failure == nil else { return nil }
        return JSONName(UnsafeBufferPointer(rebasing: bytes[range]), hasEscape: hasEscape)
    }

    private mutating func expect(_ byte: UInt8) -> Bool {
        guard skipSpaceAndPeek() == byte else {
            fail(.malformed, "\(Character(UnicodeScalar(byte))) is missing")
            return false
        }
        index += 1
        return true
    }

    @discardableResult
    private mutating func literal(_ text: StaticString) -> Bool {
        let known = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard index + known.count <= bytes.count,
            UnsafeBufferPointer(rebasing: bytes[index..<(index + known.count)]).elementsEqual(known)
        else {
            fail(.malformed, "a value is none")
            return false
        }
        index += known.count
        return true
    }

    /// From behind a quotation mark to past the next one.
    private mutating func span() -> (Range<Int>, hasEscape: Bool) {
        let start = index
        var end = index
        var hasEscape = false
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
            if bytes[end] == UInt8(ascii: "\\") {
                hasEscape = true
                end += 1
            } else if bytes[end] < 0x20 {
                fail(.malformed, "a control character in a text")
                return (start..<start, false)
            }
            end += 1
        }
        guard end < bytes.count else {
            fail(.malformed, "a text has no end")
            return (start..<start, false)
        }
        index = end + 1
        return (start..<end, hasEscape)
    }

    private func peek() -> UInt8 { index < bytes.count ? bytes[index] : 0 }

    private mutating func skipSpaceAndPeek() -> UInt8 {
        skipSpace()
        return peek()
    }

    @discardableResult
    private mutating func skipSpace() -> Int {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default: return index
            }
        }
        return index
    }

    private mutating func fail(_ reason: OpenRTB.Reason, _ detail: String) {
        guard failure == nil else { return }
        failure = Fault(place, reason, "\(detail) (byte \(index))")
        // Nothing more is read: every look from here on finds the end.
        index = bytes.count
    }

    private var place: String {
        path.reduce(into: "") { text, step in
            switch step {
            case .name(let name): text += text.isEmpty ? "\(name)" : ".\(name)"
            case .index(let index): text += "[\(index)]"
            }
        }
    }
}
