/// A decimal number as a person typed it, kept in ASCII: `٣٫٥`, `۳٫۵` and `３．５` are `3.5`.
///
/// The digits are those of one script (Unicode's category Nd). Marks between groups of digits are refused, because
/// `1,234` means two numbers in two countries; so are hexadecimal numbers, infinity and what is no number.
@_spi(Inlay) public struct TypedNumber: Hashable, Sendable {
    /// Forms that only some fields accept; every field accepts digits, one sign and one decimal point.
    public struct Form: OptionSet, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// A comma for the decimal point.
        public static let decimalComma = Form(rawValue: 1)
        /// An exponent, `1e3`.
        public static let exponent = Form(rawValue: 2)
        /// White space between the digits, `12 500`.
        public static let spaces = Form(rawValue: 4)
    }

    /// The reason why a text is no number.
    public enum Fault: Error, Hashable, Sendable {
        /// Digits of two scripts.
        case mixedDigits
        /// A mark between groups of digits, or a comma without ``Form/decimalComma``.
        case groupingMark
        /// More digits than the field keeps.
        case tooManyDigits
        /// A text that is no decimal number, or has more than ``TypedNumber/maximumLength`` characters.
        case malformed

        /// A sentence for the person who typed the text; `nil` for ``malformed``.
        public var sentence: String? {
            switch self {
            case .mixedDigits: "Write the number with the digits of one script."
            case .groupingMark:
                "Write a point before decimals and no marks between thousands, for example 1234.5."
            case .tooManyDigits: "Write the number with at most 15 digits."
            case .malformed: nil
            }
        }
    }

    /// The maximum length of a number in ASCII; the longest whole number in a `Double`'s range has 309 digits.
    public static let maximumLength = 400

    /// The number in ASCII with a point and a small `e`, otherwise as it was typed: `007`, `10.50`, `+1`.
    public let ascii: String
    /// The number with all of its digits.
    public let decimal: DecimalNumber

    /// Reads a text; white space at its ends is ignored.
    public init(_ text: String, _ form: Form = []) throws(Fault) {
        var ascii = ""
        var zero: UInt32?
        for scalar in Self.withoutSpaceAround(text) {
            guard ascii.utf8.count < Self.maximumLength else { throw .malformed }
            if let digit = Self.digit(scalar) {
                guard zero == nil || zero == scalar.value - digit else { throw .mixedDigits }
                zero = scalar.value - digit
                ascii += String(digit)
            } else if let mark = try Self.mark(scalar, form) {
                ascii.unicodeScalars.append(mark)
            }
        }
        guard let decimal = DecimalNumber(ascii) else { throw .malformed }
        (self.ascii, self.decimal) = (ascii, decimal)
    }

    /// The value, rounded to what a `Double` holds; `nil` beyond its range.
    public var double: Double? { Double(ascii).flatMap { $0.isFinite ? $0 : nil } }

    /// The value in a `Double` that keeps all digits; `nil` beyond its range.
    ///
    /// - Throws: ``Fault/tooManyDigits`` when the `Double` would be another number than was typed.
    public func exactDouble() throws(Fault) -> Double? {
        guard double != nil else { return nil }
        guard let exact = decimal.exactDouble else { throw .tooManyDigits }
        return exact
    }

    /// The exact value of a whole number without a decimal point; `nil` for any other.
    public var integer: Int64? { Int64(ascii) }

    /// The text with ASCII digits in place of other scripts' digits.
    public static func withASCIIDigits(_ text: String) -> String {
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            plain.append(digit(scalar).flatMap { Unicode.Scalar(0x30 + $0) } ?? scalar)
        }
        return String(plain)
    }

    /// The value of a decimal digit of any script.
    private static func digit(_ scalar: Unicode.Scalar) -> UInt32? {
        if scalar.isASCII { return ("0"..."9").contains(scalar) ? scalar.value - 0x30 : nil }
        guard scalar.properties.generalCategory == .decimalNumber else { return nil }
        return scalar.properties.numericValue.map { UInt32($0) }
    }

    /// Returns a sign, point or exponent in ASCII; `nil` for a character to ignore.
    private static func mark(_ scalar: Unicode.Scalar, _ form: Form) throws(Fault) -> Unicode.Scalar? {
        switch scalar {
        case ".", "\u{FF0E}", "\u{066B}": return "."
        case ",", "\u{FF0C}":
            guard form.contains(.decimalComma) else { throw .groupingMark }
            return "."
        case "-", "\u{2212}", "\u{FE63}", "\u{FF0D}": return "-"
        case "+", "\u{FE62}", "\u{FF0B}": return "+"
        case "e", "E", "\u{FF25}", "\u{FF45}":
            guard form.contains(.exponent) else { throw .malformed }
            return "e"
        // Number formats of right-to-left scripts put marks of direction around a sign.
        case "\u{061C}", "\u{200E}", "\u{200F}": return nil
        case "\u{066C}", "'", "\u{2019}", "_": throw .groupingMark
        default:
            guard scalar.properties.isWhitespace, form.contains(.spaces) else { throw .malformed }
            return nil
        }
    }

    private static func withoutSpaceAround(_ text: String) -> Substring.UnicodeScalarView {
        let scalars = text.unicodeScalars
        guard let start = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return scalars[scalars.startIndex..<scalars.startIndex] }
        return scalars[start...last]
    }
}
