@_spi(Inlay) package import InlayWire

/// The dates of metadata: `YYYY-MM-DDTHH:MM:SSZ`.
///
/// Reads the offsets and fractions of RFC 3339 too, which some publishers write. Made by hand because a
/// formatter of the system would take the device's calendar into account.
package enum ExpiryDate {
    package static func parse(_ text: String) throws(TrustError) -> Timestamp {
        var rest = Substring(text).utf8
        let fault = TrustError(
            .format, "the date \(text.prefix(scalars: 40)) is not of the form YYYY-MM-DDTHH:MM:SSZ")
        guard let year = digits(4, &rest), take("-", &rest), let month = digits(2, &rest), take("-", &rest),
            let day = digits(2, &rest), take("T", &rest), let hour = digits(2, &rest), take(":", &rest),
            let minute = digits(2, &rest), take(":", &rest), let second = digits(2, &rest)
        else { throw fault }
        if take(".", &rest) {
            guard digits(1, &rest) != nil else { throw fault }
            while digits(1, &rest) != nil {}
        }
        guard let offset = offset(&rest), rest.isEmpty, (1...12).contains(month), year >= 1,
            (1...daysOf(month, year)).contains(day), hour < 24, minute < 60, second < 60
        else { throw fault }
        let days = Int64(daysBefore(year, month, day))
        let seconds = ((days * 24 + Int64(hour)) * 60 + Int64(minute)) * 60 + Int64(second) - Int64(offset)
        return Timestamp(microseconds: seconds * 1_000_000)
    }

    package static func format(_ moment: Timestamp) -> String {
        // Cut, never rounded up: an expiry must not come later than it was asked for.
        let seconds = max(0, min(moment.microseconds / 1_000_000, 253_402_300_799))
        let (days, clock) = (Int(seconds / 86_400), Int(seconds % 86_400))
        let (year, month, day) = civil(days)
        return [
            pad(year, 4), "-", pad(month, 2), "-", pad(day, 2), "T", pad(clock / 3600, 2), ":",
            pad(clock / 60 % 60, 2), ":", pad(clock % 60, 2), "Z",
        ].joined()
    }

    private static func offset(_ rest: inout Substring.UTF8View) -> Int? {
        if take("Z", &rest) { return 0 }
        let sign = take("+", &rest) ? 1 : take("-", &rest) ? -1 : 0
        guard sign != 0, let hours = digits(2, &rest), take(":", &rest), let minutes = digits(2, &rest),
            hours < 24, minutes < 60
        else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }

    private static func digits(_ count: Int, _ rest: inout Substring.UTF8View) -> Int? {
        guard rest.count >= count else { return nil }
        var value = 0
        for byte in rest.prefix(count) {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        rest.removeFirst(count)
        return value
    }

    private static func take(_ character: Unicode.Scalar, _ rest: inout Substring.UTF8View) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    private static func pad(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }

    private static func daysOf(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days from 1 January 1970 in the Gregorian calendar; years begin in March, so that the leap day is last.
    private static func daysBefore(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        let month = part < 10 ? part + 3 : part - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * part + 2) / 5 + 1)
    }
}
