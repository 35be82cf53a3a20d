extension Timestamp {
    /// The moment as `2014-06-10T00:00:00.000Z`: RFC 3339 in UTC, cut to milliseconds.
    ///
    /// Years outside 0...9999, which the format cannot write, become the nearest that it can.
    public var rfc3339: String {
        let lowest: Int64 = -62_167_219_200_000
        let highest: Int64 = 253_402_300_799_999
        let milliseconds = min(max(microseconds.flooredDivision(by: 1000), lowest), highest)
        let days = milliseconds.flooredDivision(by: 86_400_000)
        let time = Int(milliseconds - days * 86_400_000)
        let (year, month, day) = Self.civil(days: Int(days))
        return String(unsafeUninitializedCapacity: 24) { text in
            // Written by hand, because a formatter takes longer than all other encoding of an event.
            func put(_ number: Int, _ digits: Int, at position: Int) {
                var rest = number
                for index in stride(from: position + digits - 1, through: position, by: -1) {
                    text[index] = UInt8(ascii: "0") + UInt8(rest % 10)
                    rest /= 10
                }
            }
            for (index, mark) in [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":"), (19, "."), (23, "Z")]
                as [(Int, Unicode.Scalar)]
            {
                text[index] = UInt8(ascii: mark)
            }
            put(year, 4, at: 0)
            put(month, 2, at: 5)
            put(day, 2, at: 8)
            put(time / 3_600_000, 2, at: 11)
            put(time / 60_000 % 60, 2, at: 14)
            put(time / 1000 % 60, 2, at: 17)
            put(time % 1000, 3, at: 20)
            return 24
        }
    }

    /// Reads RFC 3339: `2014-06-10T00:00:00Z`, with any fraction and any offset; `nil` for anything else.
    ///
    /// Digits beyond microseconds are cut. A leap second counts as the second after it.
    public init?(rfc3339 text: String) {
        var bytes = Array(text.utf8)[...]
        func number(_ digits: Int) -> Int? {
            guard bytes.count >= digits else { return nil }
            var value = 0
            for byte in bytes.prefix(digits) {
                guard (0x30...0x39).contains(byte) else { return nil }
                value = value * 10 + Int(byte - 0x30)
            }
            bytes = bytes.dropFirst(digits)
            return value
        }
        func mark(_ allowed: String) -> Bool {
            guard let first = bytes.first, allowed.utf8.contains(first) else { return false }
            bytes = bytes.dropFirst()
            return true
        }
        guard let year = number(4), mark("-"), let month = number(2), mark("-"), let day = number(2),
            mark("Tt "), let hour = number(2), mark(":"), let minute = number(2), mark(":"),
            let second = number(2), (1...12).contains(month), hour < 24, minute < 60, second <= 60,
            (1...Self.days(of: month, year)).contains(day)
        else { return nil }
        var fraction = 0
        if mark(".") {
            let digits = bytes.prefix { (0x30...0x39).contains($0) }
            guard !digits.isEmpty else { return nil }
            bytes = bytes.dropFirst(digits.count)
            fraction = (0..<6).reduce(0) { value, index in
                value * 10 + (index < digits.count ? Int(digits[digits.startIndex + index] - 0x30) : 0)
            }
        }
        var offset = 0
        if let sign = bytes.first, mark("+-") {
            guard let hours = number(2), mark(":"), let minutes = number(2), hours < 24, minutes < 60 else {
                return nil
            }
            offset = (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -60 : 60)
        } else if !mark("Zz") {
            return nil
        }
        guard bytes.isEmpty else { return nil }
        let days = Self.days(year: year, month: month, day: day)
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
        self.init(microseconds: Int64(seconds) * 1_000_000 + Int64(fraction))
    }

    /// The days from 1 January 1970 to a day of the Gregorian calendar.
    public static func days(year: Int, month: Int, day: Int) -> Int {
        // Years that begin in March put the leap day last; 400 of them have 146,097 days.
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    /// The number of days in a month; `month` is 1...12.
    public static func days(of month: Int, _ year: Int) -> Int {
        guard month == 2 else { return [4, 6, 9, 11].contains(month) ? 30 : 31 }
        return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    }
}

extension Int64 {
    fileprivate func flooredDivision(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
