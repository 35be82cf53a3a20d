import InlayWire

/// Reads JSON in one pass over its bytes, straight into values.
///
/// Stands beside Foundation's decoder because an auction reads one request and several answers, and that decoder
/// alone takes a large part of its time. Only broken syntax ends the reading: it is kept in `failure`, and every
/// further question is answered with nothing. A value of another type than was asked for is noted in `faults` and
/// skipped, so that one odd field does not cost the whole document.
struct JSONScanner {
    typealias Fault = OpenRTB.Fault

    private enum Step {
        case name(StaticString)
        case index(Int)
    }

    /// Values stand at most this deep inside each other.
    static let deepest = 32

    /// Where it is in the bytes.
    var cursor: JSONCursor
    private var depth = 0
    private var path: [Step] = []
    /// What had another type than was asked for, in order; at most 20.
    private(set) var faults: [Fault] = []
    /// How many there were.
    private(set) var faultCount = 0
    /// Why the reading ended before the document did.
    private(set) var failure: Fault?
    /// The field whose value comes next, and whether somebody took it.
    var field = JSONQuoted()
    var isTaken = false

    /// The bytes must stay where they are while it reads.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        cursor = JSONCursor(bytes)
        path.reserveCapacity(8)
    }

    // MARK: Containers

    /// Reads an object; tells each field's name, and the closure takes its value or leaves it to be skipped.
    ///
    /// `false` when there is no object.
    mutating func object(_ field: (inout JSONScanner, JSONQuoted) -> Void) -> Bool {
        guard begins(UInt8(ascii: "{"), "an object"), enter() else { return false }
        if !cursor.take(UInt8(ascii: "}")) {
            repeat {
                guard let name = name() else { return false }
                element { field(&$0, name) }
            } while goesOn(UInt8(ascii: "}"))
        }
        depth -= 1
        return failure == nil
    }

    /// Reads an array, telling each element; `false` when there is none.
    mutating func array(_ each: (inout JSONScanner) -> Void) -> Bool {
        guard begins(UInt8(ascii: "["), "an array"), enter() else { return false }
        if !cursor.take(UInt8(ascii: "]")) {
            var count = 0
            repeat {
                path.append(.index(count))
                element(each)
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
        cursor.skipSpace()
        if !cursor.isAtEnd { fail(.malformed, "something follows the document") }
    }

    /// Whether a value of the wanted kind begins; another kind is noted and skipped, `null` is skipped.
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
        guard depth > Self.deepest else { return true }
        fail(.tooLarge, "values inside each other")
        return false
    }

    private mutating func name() -> JSONQuoted? {
        guard expect(UInt8(ascii: "\"")), let name = quoted(), expect(UInt8(ascii: ":")) else { return nil }
        return name
    }

    /// A value that is skipped when nobody reads it.
    private mutating func element(_ read: (inout JSONScanner) -> Void) {
        cursor.skipSpace()
        let start = cursor.index
        read(&self)
        if cursor.index == start { skip() }
    }

    private mutating func goesOn(_ end: UInt8) -> Bool {
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

    /// Notes a fault at the place where the reader is.
    mutating func note(_ reason: OpenRTB.Reason, _ detail: String = "") {
        guard failure == nil else { return }
        faultCount += 1
        guard faults.count < 20 else { return }
        faults.append(Fault(place, reason, detail))
    }

    /// Ends the reading: the document is broken here.
    mutating func fail(_ reason: OpenRTB.Reason, _ detail: String) {
        guard failure == nil else { return }
        failure = Fault(place, reason, "\(detail) (byte \(cursor.index))")
        cursor.leave()
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
