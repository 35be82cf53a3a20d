@_spi(Inlay) import InlayWire
import Testing

@Suite struct TypedNumberTests {
    @Test(arguments: [
        ("٣", "3"), ("۳", "3"), ("３", "3"), ("१२", "12"), ("١٢٫٥", "12.5"), ("۱۲٫۵", "12.5"),
        ("１２．５", "12.5"),
        ("－３", "-3"), ("＋３", "+3"), ("−3", "-3"), ("\u{200E}−٣", "-3"), ("\u{061C}-٣", "-3"), (" 7\n", "7"),
        ("\u{A0}7", "7"), ("007", "007"), ("10.50", "10.50"), (".5", ".5"), ("5.", "5."), ("-1.5", "-1.5"),
    ])
    func `digits of every script, signs and points become ASCII`(_ typed: String, _ ascii: String) throws {
        let number = try TypedNumber(typed)
        #expect(number.ascii == ascii)
        #expect(number.double == Double(ascii))
    }

    @Test(arguments: ["1٣", "٣۳", "３3", "١.2", "1e٣"])
    func `digits of two scripts are no number`(_ typed: String) {
        #expect(throws: TypedNumber.Fault.mixedDigits) { try TypedNumber(typed, [.exponent]) }
    }

    @Test(arguments: ["1,234", "1,5", "１，２", "١٬٢٣٤", "1'234", "1’234", "1_000"])
    func `a separator between digits is refused`(_ typed: String) {
        #expect(throws: TypedNumber.Fault.groupingMark) { try TypedNumber(typed) }
    }

    @Test(arguments: [
        "", " ", "-", ".", "+-1", "--1", "1-", "1.2.3", "x", "0x1A", "0x1p4", "inf", "-inf", "nan", "NaN",
        "infinity", "1e", "e3", "1e+", "1e3.5", "1e3e3", "1 2", "²", "③", "四", "Ⅳ", "½", "1\u{0}",
        "1\u{202E}2", "$5", "5%",
    ])
    func `what is no decimal number is refused`(_ typed: String) {
        #expect(throws: TypedNumber.Fault.malformed) { try TypedNumber(typed, [.exponent]) }
    }

    @Test func `a decimal comma, exponent and spaces need their option`() throws {
        #expect(try TypedNumber("1,5", .decimalComma).double == 1.5)
        #expect(try TypedNumber("１，５", .decimalComma).double == 1.5)
        #expect(throws: TypedNumber.Fault.malformed) { try TypedNumber("1.234,5", .decimalComma) }
        #expect(try TypedNumber("1E3", .exponent).double == 1_000)
        #expect(try TypedNumber("-2.5e-2", .exponent).double == -0.025)
        #expect(throws: TypedNumber.Fault.malformed) { try TypedNumber("1e3") }
        #expect(try TypedNumber("12\u{202F}500", .spaces).double == 12_500)
        #expect(throws: TypedNumber.Fault.malformed) { try TypedNumber("12 500") }
    }

    @Test func `whole numbers are exact, and what is out of range has no value`() throws {
        #expect(try TypedNumber("٩٠٠٧١٩٩٢٥٤٧٤٠٩٩٣").integer == 9_007_199_254_740_993)
        #expect(try TypedNumber("-9223372036854775808").integer == .min)
        #expect(try TypedNumber("9223372036854775808").integer == nil)
        #expect(try TypedNumber("1.0").integer == nil && TypedNumber("5.").integer == nil)
        #expect(try TypedNumber("1e400", .exponent).double == nil)
        let digits = String(repeating: "9", count: TypedNumber.maximumLength)
        #expect(try TypedNumber(digits).double == nil)
        #expect(throws: TypedNumber.Fault.malformed) { try TypedNumber(digits + "9") }
        let endless = String(repeating: "٣", count: 1 << 20)
        #expect(throws: TypedNumber.Fault.malformed) { try TypedNumber(endless) }
    }

    @Test(
        arguments: [
            ("٩٠٠٧١٩٩٢٥٤٧٤٠٩٩٢", 9_007_199_254_740_992), ("10.50", 10.5),
            ("1234567890.12345", 1_234_567_890.12345),
            ("1e400", nil),
        ] as [(String, Double?)])
    func `exactDouble is nil for a number beyond its range`(_ typed: String, _ double: Double?) throws {
        #expect(try TypedNumber(typed, .exponent).exactDouble() == double)
    }

    @Test(arguments: ["9007199254740993", "٩٠٠٧١٩٩٢٥٤٧٤٠٩٩٣", "-0.123456789012345678"])
    func `a number that a Double would change is refused with tooManyDigits`(_ typed: String) throws {
        let number = try TypedNumber(typed)
        let fault = #expect(throws: TypedNumber.Fault.self) { try number.exactDouble() }
        #expect(fault == .tooManyDigits && fault?.sentence == "Write the number with at most 15 digits.")
        #expect(number.decimal == DecimalNumber(number.ascii))
    }

    @Test func `only digits are changed in a code`() {
        #expect(TypedNumber.withASCIIDigits("AB٣۴-５x²四") == "AB34-5x²四")
    }
}
