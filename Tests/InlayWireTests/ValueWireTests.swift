@_spi(Inlay) import InlayWire
import Testing

@Suite struct ValueWireTests {
    @Test(arguments: [
        JSONValue.null, true, 0, -9_007_199_254_740_993, .integer(.max), 0.5, "", "a\u{0}b \u{1F6A2}", [],
        [1, [2]], [:],
        ["a": ["b": .null]],
    ])
    func `any JSON value comes back as it went`(value: JSONValue) throws {
        #expect(try WireJSON.roundTrip(value) == value)
    }

    @Test func `an integer beyond what a double holds keeps its last digit`() throws {
        #expect(try WireJSON.read(JSONValue.self, "9007199254740993") == .integer(9_007_199_254_740_993))
    }

    @Test func `members and text are reached without a switch`() {
        let value: JSONValue = ["name": "x", "n": 1]
        #expect(value["name"]?.string == "x")
        #expect(value["n"]?.string == nil)
        #expect(value["absent"] == nil)
        #expect(JSONValue.string("x")["name"] == nil)
    }

    @Test func `the difference of the extreme timestamps is clamped`() {
        let (first, last) = (Timestamp(microseconds: .min), Timestamp(microseconds: .max))
        #expect(last - first == .microseconds(Int64.max) && first - last == .microseconds(Int64.min))
    }

    @Test func `a timestamp from huge seconds is clamped`() {
        #expect(Timestamp(seconds: .infinity).microseconds == .max)
        #expect(Timestamp(seconds: -1e300).microseconds == .min)
        #expect(Timestamp(seconds: .nan).microseconds == 0)
        #expect(Timestamp(seconds: 1.5).microseconds == 1_500_000)
    }

    @Test func `adding a duration is clamped and does not overflow`() {
        #expect(Timestamp(microseconds: .max) + .seconds(1) == Timestamp(microseconds: .max))
        #expect(Timestamp(microseconds: .min) + .seconds(-1) == Timestamp(microseconds: .min))
        #expect(Timestamp(microseconds: 5) + .microseconds(-7) == Timestamp(microseconds: -2))
        #expect(Timestamp(microseconds: 9) - Timestamp(microseconds: 4) == .microseconds(5))
    }

    @Test func `a moment with a fraction is refused`() {
        #expect(throws: (any Error).self) { try WireJSON.read(Timestamp.self, "1.5") }
        #expect(throws: (any Error).self) { try WireJSON.read(Timestamp.self, #""1""#) }
    }

    @Test func `a problem of an unknown code keeps its code`() throws {
        let problem = try WireJSON.read(
            Problem.self, #"{"code": "too-windy", "status": 418, "title": "No", "more": 1}"#)
        #expect(problem.code == Problem.Code(rawValue: "too-windy"))
        #expect(problem.detail == nil)
    }

    @Test func `an array keeps what it can read and counts the rest`() throws {
        let read = try WireJSON.read(LossyArray<Int>.self, #"[1, "two", 3, null, {"a": [4]}, 5]"#)
        #expect(read.elements == [1, 3, 5])
        #expect(read.skipped.count == 3)
    }

    @Test func `a value that is no array is an error`() {
        #expect(throws: (any Error).self) { try WireJSON.read(LossyArray<Int>.self, "{}") }
    }
}
