@_spi(Inlay) import InlayWire

/// A JSON parser that reads values in one pass over the bytes.
///
/// It replaces Foundation's decoder, which would take a large part of the time of an auction: each auction reads one
/// request and several responses. Only invalid syntax ends the parsing: it is stored in `failure`, and
/// all later reads return nothing. A value of an unexpected type is recorded in `faults` and skipped, so that one
/// wrong field does not invalidate the whole document.
struct JSONScanner {
    typealias Fault = OpenRTB.Fault

    private enum Step {
        case name(StaticString)
        case index(Int)
    }

    /// The maximum nesting of values.
    static let maximumDepth = 32

    /// The current position.
    var cursor: JSONCursor
    private var depth = 0
    private var path: [Step] = []
    /// The values of an unexpected type, in order; at most 20.
    private(set) var faults: [Fault] = []
    /// The number of such values.
    private(set) var faultCount = 0
    /// The syntax error that ended the parsing.
    private(set) var failure: Fault?
    /// The name of the field whose value is next.
    var field = JSONQuoted()
    /// Whether the value of `field` was read.
    var isTaken = false

    /// Creates a scanner. The buffer must stay valid while the scanner is used.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        cursor = JSONCursor(bytes)
        path.reserveCapacity(8)
    }

    // MARK: Containers

    /// Reads an object and returns whether there was one. The closure gets each field's name and may read its value;
    /// otherwise the value is skipped.
    mutating func object(_ field: (inout JSONScanner, JSONQuoted) -> Void) -> Bool {
        guard begins(UInt8(ascii: "{"), "an object"), enter() else { return false }
        if !cursor.take(UInt8(ascii: "}")) {
            repeat {
                guard let name = name() else { return false }
                element { field(&$0, name) }
            } while hasNext(before: UInt8(ascii: "}"))
        }
        depth -= 1
        return failure == nil
    }

    /// Reads an array and returns whether there was one. The closure reads each element.
    mutating func array(_ each: (inout JSONScanner) -> Void) -> Bool {
        guard begins(UInt8(ascii: "["), "an array"), enter() else { return false }
        if !cursor.take(UInt8(ascii: "]")) {
            var count = 0
            repeat {
                path.append(.index(count))
                element(each)
                path.removeLast()
                count += 1
            } while hasNext(before: UInt8(ascii: "]"))
        }
        depth -= 1
        return failure == nil
    }

    /// Calls a closure that reads, with a name appended to the path of its faults.
    mutating func inside<Value>(_ name: StaticString, _ read: (inout JSONScanner) -> Value) -> Value {
        path.append(.name(name))
        defer { path.removeLast() }
        return read(&self)
    }

    /// Records a failure when something other than white space follows the value.
    mutating func end() {
        cursor.skipSpace()
        if !cursor.isAtEnd { fail(.malformed, "something follows the document") }
    }

    /// Consumes the first byte of a value of the wanted type and returns whether there was one.
    ///
    /// A value of another type is recorded and skipped; `null` is only skipped.
    mutating func begins(_ wanted: UInt8, _ kind: StaticString) -> Bool {
        if cursor.take(wanted) { return true }
        if cursor.byte == UInt8(ascii: "n") {
            word("null")
        } else {
            note(.wrongType, "\(kind)")
            skip()
        }
        return false
    }

    private mutating func enter() -> Bool {
        depth += 1
        guard depth > Self.maximumDepth else { return true }
        fail(.tooLarge, "values inside each other")
        return false
    }

    private mutating func name() -> JSONQuoted? {
        guard expect(UInt8(ascii: "\"")), let name = quoted(), expect(UInt8(ascii: ":")) else { return nil }
        return name
    }

    /// Reads a value, and skips it when the closure has not read it.
    private mutating func element(_ read: (inout JSONScanner) -> Void) {
        cursor.skipSpace()
        let start = cursor.index
        read(&self)
        if cursor.index == start { skip() }
    }

    private mutating func hasNext(before end: UInt8) -> Bool {
        guard failure == nil, !cursor.take(UInt8(ascii: ",")) else { return failure == nil }
        if !cursor.take(end) { fail(.malformed, "a comma or an end is missing") }
        return false
    }

    private mutating func expect(_ byte: UInt8) -> Bool {
        if cursor.take(byte) { return true }
        fail(.malformed, "\(Character(UnicodeScalar(byte))) is missing")
        return false
    }

    // MARK: Faults

    /// Records a fault at the current path.
    mutating func note(_ reason: OpenRTB.Reason, _ detail: String = "") {
        guard failure == nil else { return }
        faultCount += 1
        guard faults.count < 20 else { return }
        faults.append(Fault(place, reason, detail))
    }

    /// Ends the parsing because of invalid syntax.
    mutating func fail(_ reason: OpenRTB.Reason, _ detail: String) {
        guard failure == nil else { return }
        failure = Fault(place, reason, "\(detail) (byte \(cursor.index))")
        cursor.moveToEnd()
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
