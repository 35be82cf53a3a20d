/// A decimal number with all of its digits: `10.50`, `+10.5` and `1.05e1` are one value, whose text is `10.5`.
///
/// A `Double` holds any 15 digits and an `Int64` any 18. This type rounds nothing, so that two numbers are equal only
/// when all of their digits are.
@_spi(Inlay) public struct DecimalNumber: Hashable, Sendable {
    /// The maximum exponent that is read, of either sign.
    public static let maximumExponent = 9_999
    /// The maximum number of digits of a text without an exponent.
    private static let maximumPlainDigits = 40

    private let isNegative: Bool
    /// ASCII digits without zeros at either end; none for zero.
    private let digits: [UInt8]
    /// The power of ten of the last digit.
    private let exponent: Int

    /// Reads `[+-] digits [. digits] [e [+-] digits]` in ASCII, with a digit before or behind the point.
    ///
    /// `nil` for any other text, and for an exponent beyond ``maximumExponent``.
    public init?(_ ascii: String) {
        var rest = Array(ascii.utf8)[...]
        let isNegative = Self.takeSign(from: &rest)
        let whole = Self.takeDigits(from: &rest)
        var fraction: ArraySlice<UInt8> = []
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            fraction = Self.takeDigits(from: &rest)
        }
        guard !whole.isEmpty || !fraction.isEmpty, let power = Self.takeExponent(from: &rest), rest.isEmpty
        else { return nil }
        self.init(isNegative, Array(whole) + Array(fraction), exponent: power - fraction.count)
    }

    /// The shortest number that reads back as this `Double`; `nil` for infinity and not-a-number.
    public init?(_ double: Double) { self.init(double.description) }

    /// A whole number.
    public init(_ integer: Int64) {
        self.init(integer < 0, Array(String(integer.magnitude).utf8), exponent: 0)
    }

    private init(_ isNegative: Bool, _ written: [UInt8], exponent: Int) {
        let significant = written.drop { $0 == UInt8(ascii: "0") }
        let end = significant.lastIndex { $0 != UInt8(ascii: "0") }.map { $0 + 1 } ?? significant.startIndex
        self.isNegative = isNegative && !significant.isEmpty
        self.exponent = significant.isEmpty ? 0 : exponent + (significant.endIndex - end)
        digits = Array(significant[..<end])
    }

    /// The number in its canonical spelling: without needless zeros, and with an exponent only beyond 40 digits.
    public var text: String {
        let point = digits.count + exponent
        let length = max(digits.count, point, digits.count - point)
        return (isNegative ? "-" : "") + (length > Self.maximumPlainDigits ? scientific(point) : plain(point))
    }

    /// The number as an `Int64`; `nil` for a fraction and for a number beyond the range.
    public var integer: Int64? { exponent >= 0 && digits.count + exponent <= 19 ? Int64(text) : nil }

    /// The number as a `Double` with the same digits; `nil` when a `Double` cannot hold all of them.
    public var exactDouble: Double? {
        guard let double = Double(text), DecimalNumber(double) == self else { return nil }
        return double
    }

    /// `point` is the number of digits in front of the decimal point.
    private func plain(_ point: Int) -> String {
        let text = String(decoding: digits, as: UTF8.self)
        if text.isEmpty { return "0" }
        if point <= 0 { return "0." + String(repeating: "0", count: -point) + text }
        if point >= digits.count { return text + String(repeating: "0", count: point - digits.count) }
        return "\(text.prefix(point)).\(text.dropFirst(point))"
    }

    private func scientific(_ point: Int) -> String {
        let text = String(decoding: digits, as: UTF8.self)
        let fraction = text.count > 1 ? ".\(text.dropFirst())" : ""
        return "\(text.prefix(1))\(fraction)e\(point - 1)"
    }

    /// Removes an optional sign and returns whether it is a minus.
    private static func takeSign(from rest: inout ArraySlice<UInt8>) -> Bool {
        guard let byte = rest.first, byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") else {
            return false
        }
        rest = rest.dropFirst()
        return byte == UInt8(ascii: "-")
    }

    private static func takeDigits(from rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        rest = rest.dropFirst(digits.count)
        return digits
    }

    /// Removes an optional exponent and returns it, 0 without one; `nil` when it has no digits or is too large.
    private static func takeExponent(from rest: inout ArraySlice<UInt8>) -> Int? {
        guard rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") else { return 0 }
        rest = rest.dropFirst()
        let isNegative = takeSign(from: &rest)
        guard let power = Int(String(decoding: takeDigits(from: &rest), as: UTF8.self)),
            power <= maximumExponent
        else { return nil }
        return isNegative ? -power : power
    }
}

extension Double {
    /// The shortest decimal text that reads back as this number, as people see it: `7`, `10.5`, `0.00001`.
    @_spi(Inlay) public var decimalText: String { DecimalNumber(self)?.text ?? description }
}
