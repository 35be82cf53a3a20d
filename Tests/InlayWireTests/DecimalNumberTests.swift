@_spi(Inlay) import InlayWire
import Testing

/// Decimal numbers that keep all of their digits.
@Suite struct DecimalNumberTests {
    @Test(arguments: [
        ("10.50", "10.5"), ("10.5", "10.5"), ("1e3", "1000"), ("1E+3", "1000"), ("007", "7"), ("7", "7"),
        ("+7", "7"), ("-0", "0"), ("0.00", "0"), ("0e5", "0"), (".5", "0.5"), ("5.", "5"),
        ("-00.250", "-0.25"),
        ("1.5e-3", "0.0015"), ("12345678901234567890.10", "12345678901234567890.1"),
        ("9007199254740993", "9007199254740993"), ("9007199254740993.0", "9007199254740993"),
        ("1e39", "1" + String(repeating: "0", count: 39)), ("1e40", "1e40"), ("-1.25e-50", "-1.25e-50"),
        ("123e9999", "1.23e10001"),
    ])
    func `a number has one text for all spellings`(_ written: String, _ text: String) throws {
        let number = try #require(DecimalNumber(written))
        #expect(number.text == text)
        if text != "1.23e10001" { #expect(DecimalNumber(text) == number) }
    }

    @Test(arguments: [
        "", " ", "-", "+", ".", "e3", "1e", "1e+", "1e3.5", "1 2", "1,5", "0x1A", "inf", "nan", "٣", "--1",
        "1-",
        "1e10000", "1e99999999999999999999",
    ])
    func `text that is no ASCII decimal number is refused`(_ written: String) {
        #expect(DecimalNumber(written) == nil)
    }

    @Test func `numbers that are equal as Double are different`() {
        #expect(DecimalNumber("9007199254740993") != DecimalNumber("9007199254740992"))
        #expect(DecimalNumber("0.1") != DecimalNumber("0.1000000000000000055511151231257827"))
        #expect(DecimalNumber(1e22) == DecimalNumber("10000000000000000000000"))
        #expect(DecimalNumber(Double.infinity) == nil && DecimalNumber(Double.nan) == nil)
    }

    @Test(
        arguments: [
            ("4711", 4711), ("4711.0", 4711), ("1e3", 1_000), ("-9223372036854775808", .min),
            ("9223372036854775807", .max), ("9223372036854775808", nil), ("1e19", nil), ("0.5", nil),
            ("0", 0),
        ] as [(String, Int64?)])
    func `a whole number within 64 bits is an integer`(_ written: String, _ integer: Int64?) throws {
        #expect(try #require(DecimalNumber(written)).integer == integer)
        if let integer { #expect(DecimalNumber(integer) == DecimalNumber(written)) }
    }

    @Test(
        arguments: [
            ("0.1", 0.1), ("123456789012345", 123_456_789_012_345),
            ("9007199254740992", 9_007_199_254_740_992),
            ("9007199254740993", nil), ("0.30000000000000004", 0.1 + 0.2), ("0.1234567890123456789", nil),
            ("1e22", 1e22), ("1e400", nil), ("1e-400", nil),
        ] as [(String, Double?)])
    func `a number is a Double only if it keeps all digits`(_ written: String, _ double: Double?) throws {
        #expect(try #require(DecimalNumber(written)).exactDouble == double)
    }

    @Test(
        arguments: [
            (7, "7"), (10.5, "10.5"), (-0.0, "0"), (0.00001, "0.00001"),
            (1_234_567_890_123_456, "1234567890123456"),
            (9_007_199_254_740_992, "9007199254740992"), (1e21, "1000000000000000000000"), (1e300, "1e300"),
        ] as [(Double, String)])
    func `a Double's text has no needless point or exponent`(_ double: Double, _ text: String) {
        #expect(double.decimalText == text)
    }
}
