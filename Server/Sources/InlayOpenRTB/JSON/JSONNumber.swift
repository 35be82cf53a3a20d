/// A decimal number with the digits of its source, so that money is never rounded to a binary fraction.
struct JSONNumber {
    private let isNegative: Bool
    /// The first 18 significant digits. For amounts below 10^12, the rest is less than a millionth.
    private let digits: Int64
    private let exponent: Int
    /// Whether a digit other than 0 was cut off.
    private let isCut: Bool
    private let source: UnsafeBufferPointer<UInt8>?

    static var zero: JSONNumber { JSONNumber(digits: 0) }
    static var one: JSONNumber { JSONNumber(digits: 1) }

    private init(digits: Int64) {
        (isNegative, self.digits, exponent, isCut, source) = (false, digits, 0, false, nil)
    }

    /// Parses a number; `nil` when the text is not a JSON number.
    init?(_ text: UnsafeBufferPointer<UInt8>) {
        var cursor = Cursor(text: text)
        isNegative = cursor.take(UInt8(ascii: "-"))
        guard cursor.integerDigits() else { return nil }
        if cursor.take(UInt8(ascii: ".")) {
            guard cursor.fractionDigits() else { return nil }
        }
        if cursor.take(UInt8(ascii: "e")) || cursor.take(UInt8(ascii: "E")) {
            guard cursor.exponentDigits() else { return nil }
        }
        guard cursor.index == text.count else { return nil }
        (digits, exponent, isCut, source) = (cursor.digits, cursor.exponent, cursor.isCut, text)
    }

    static func isPart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    /// The number as an integer; `nil` when it is not whole or does not fit.
    var integer: Int? {
        guard !isCut else { return nil }
        guard exponent < 0 else { return scaled(by: exponent).map(Int.init) }
        guard -exponent <= 18 else { return digits == 0 ? 0 : nil }
        let (whole, rest) = digits.quotientAndRemainder(dividingBy: Self.power(-exponent))
        return rest == 0 ? Int(isNegative ? -whole : whole) : nil
    }

    /// The number in millionths, truncated towards zero; `nil` when it does not fit.
    var micros: Int64? {
        let shift = exponent + 6
        guard shift < 0 else { return scaled(by: shift) }
        guard -shift <= 18 else { return 0 }
        let whole = digits / Self.power(-shift)
        return isNegative ? -whole : whole
    }

    /// The nearest `Double`.
    var double: Double {
        if let source, exponent != 0 || isCut { return Double(String(decoding: source, as: UTF8.self)) ?? 0 }
        return Double(isNegative ? -digits : digits)
    }

    private func scaled(by shift: Int) -> Int64? {
        guard digits != 0 else { return 0 }
        guard shift <= 18 else { return nil }
        let (value, overflow) = digits.multipliedReportingOverflow(by: Self.power(shift))
        return overflow ? nil : isNegative ? -value : value
    }

    private static func power(_ exponent: Int) -> Int64 {
        (0..<exponent).reduce(Int64(1)) { value, _ in value * 10 }
    }
}

extension JSONNumber {
    private struct Cursor {
        let text: UnsafeBufferPointer<UInt8>
        var index = 0
        var digits: Int64 = 0
        var exponent = 0
        var isCut = false
        private var count = 0

        init(text: UnsafeBufferPointer<UInt8>) { self.text = text }

        mutating func take(_ byte: UInt8) -> Bool {
            guard index < text.count, text[index] == byte else { return false }
            index += 1
            return true
        }

        mutating func integerDigits() -> Bool {
            // A leading 0 ends the integer part: 012 is invalid.
            if take(UInt8(ascii: "0")) { return true }
            return run { cursor, digit in
                if !cursor.add(digit) { cursor.exponent += 1 }
            }
        }

        mutating func fractionDigits() -> Bool {
            run { cursor, digit in
                if cursor.add(digit) { cursor.exponent -= 1 }
            }
        }

        mutating func exponentDigits() -> Bool {
            let isNegative = take(UInt8(ascii: "-"))
            if !isNegative { _ = take(UInt8(ascii: "+")) }
            var value = 0
            let isWhole = run { _, digit in value = min(value * 10 + Int(digit), 100_000) }
            exponent += isNegative ? -value : value
            return isWhole
        }

        private mutating func add(_ digit: Int64) -> Bool {
            guard count < 18 else {
                isCut = isCut || digit != 0
                return false
            }
            digits = digits * 10 + digit
            if digits != 0 { count += 1 }
            return true
        }

        private mutating func run(_ each: (inout Cursor, Int64) -> Void) -> Bool {
            let start = index
            while index < text.count, case let byte = text[index], (0x30...0x39).contains(byte) {
                index += 1
                each(&self, Int64(byte - 0x30))
            }
            return index > start
        }
    }
}
