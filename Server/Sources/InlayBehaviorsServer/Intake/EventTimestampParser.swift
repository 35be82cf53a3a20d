/// A parser of events' timestamps: RFC 3339, in which the fraction and the offset are optional.
enum EventTimestampParser {
    /// Returns the microseconds since 1970; `nil` for a text that is not a timestamp.
    static func microseconds(_ text: String) -> Int64? {
        var text = text
        return text.withUTF8 { microseconds($0) }
    }

    /// Returns the microseconds since 1970 from a text in UTF-8; `nil` when it is not a timestamp.
    static func microseconds(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
        var reader = Reader(bytes: bytes)
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
            let day = reader.number(2), reader.take("T") || reader.take("t") || reader.take(" "),
            let hour = reader.number(2), reader.take(":"), let minute = reader.number(2), reader.take(":"),
            let second = reader.number(2)
        else { return nil }
        guard (1...12).contains(month), (1...days(in: month, of: year)).contains(day), hour < 24, minute < 60,
            second <= 60, let fraction = reader.fraction(), let offset = reader.offset(), reader.isAtEnd
        else { return nil }
        let days = daysSince1970(year, month, day)
        let seconds = days * 86_400 + Int64(hour * 3600 + minute * 60 + second) - offset
        return seconds * 1_000_000 + fraction
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the days since 1970-01-01 in the Gregorian calendar; internally, years begin in March.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Int64(era * 146_097 + dayOfEra - 719_468)
    }

    private struct Reader {
        let bytes: UnsafeBufferPointer<UInt8>
        var position = 0

        var isAtEnd: Bool { position == bytes.count }

        mutating func take(_ letter: Unicode.Scalar) -> Bool {
            guard position < bytes.count, bytes[position] == UInt8(ascii: letter) else { return false }
            position += 1
            return true
        }

        mutating func digit() -> Int? {
            guard position < bytes.count, (48...57).contains(bytes[position]) else { return nil }
            defer { position += 1 }
            return Int(bytes[position]) - 48
        }

        mutating func number(_ count: Int) -> Int? {
            var value = 0
            for _ in 0..<count {
                guard let digit = digit() else { return nil }
                value = value * 10 + digit
            }
            return value
        }

        /// Reads an optional fraction as microseconds and cuts further digits; `nil` for a point without digits.
        mutating func fraction() -> Int64? {
            guard take(".") || take(",") else { return 0 }
            var value: Int64 = 0
            var count = 0
            while let digit = digit() {
                if count < 6 { value = value * 10 + Int64(digit) }
                count += 1
            }
            guard count > 0 else { return nil }
            for _ in min(count, 6)..<6 { value *= 10 }
            return value
        }

        /// Reads an offset from UTC as seconds; 0 when it is missing, `nil` when it cannot be read.
        mutating func offset() -> Int64? {
            if isAtEnd || take("Z") || take("z") { return 0 }
            let sign: Int64 = take("-") ? -1 : 1
            guard sign == -1 || take("+"), let hours = number(2) else { return nil }
            _ = take(":")
            guard let minutes = isAtEnd ? 0 : number(2), hours < 24, minutes < 60 else { return nil }
            return sign * Int64(hours * 3600 + minutes * 60)
        }
    }
}
