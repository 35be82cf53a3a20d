import Foundation

/// The parser of dates and times in contact columns, in ISO 8601 and US notation.
enum ContactDateFormat {
    /// Reads `yyyy-MM-dd` or `MM/dd/yyyy`, without a time of day after it; returns it as `yyyy-MM-dd`.
    static func date(_ text: String) -> (text: String, seconds: Double)? {
        let parts = text.split(whereSeparator: { $0 == " " || $0 == "T" })
        guard let first = parts.first, let day = day(first) else { return nil }
        if parts.count > 1, time(clock(parts[1])) == nil { return nil }
        guard let moment = EventTimestampParser.microseconds("\(day)T00:00:00Z") else { return nil }
        return (day, Double(moment) / 1_000_000)
    }

    /// Reads `HH:mm` or `HH:mm:ss`; returns it as `HH:mm:ss`.
    static func time(_ text: String) -> String? {
        let full = text.count == 5 ? text + ":00" : text
        guard full.count == 8, EventTimestampParser.microseconds("2000-01-01T\(full)Z") != nil else {
            return nil
        }
        return full
    }

    /// Reads `yyyy-MM-ddTHH:mm:ss.SSSZ`, or `MM/dd/yyyy HH:mm:ss` in UTC; returns it in the first form.
    static func timestamp(_ text: String) -> (text: String, seconds: Double)? {
        if let moment = EventTimestampParser.microseconds(text) {
            return (rfc3339(moment), Double(moment) / 1_000_000)
        }
        let parts = text.split(separator: " ")
        guard let first = parts.first, let day = day(first) else { return nil }
        let clock = parts.count > 1 ? time(String(parts[1])) : "00:00:00"
        guard let clock, let moment = EventTimestampParser.microseconds("\(day)T\(clock)Z") else {
            return nil
        }
        return (rfc3339(moment), Double(moment) / 1_000_000)
    }

    /// Returns a time in RFC 3339, in UTC and rounded down to milliseconds.
    static func rfc3339(_ microseconds: Int64) -> String {
        let seconds = microseconds >= 0 ? microseconds / 1_000_000 : (microseconds - 999_999) / 1_000_000
        let millis = (microseconds - seconds * 1_000_000) / 1_000
        let text = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
        return text.dropLast() + ".\(String(millis + 1_000).dropFirst())Z"
    }

    private static func day(_ text: Substring) -> String? {
        let iso = text.split(separator: "-")
        if iso.count == 3, iso[0].count == 4 { return "\(iso[0])-\(twoDigits(iso[1]))-\(twoDigits(iso[2]))" }
        let american = text.split(separator: "/")
        guard american.count == 3, american[2].count == 4 else { return nil }
        return "\(american[2])-\(twoDigits(american[0]))-\(twoDigits(american[1]))"
    }

    private static func twoDigits(_ text: Substring) -> String { text.count == 1 ? "0\(text)" : String(text) }

    private static func clock(_ text: Substring) -> String {
        String(text.prefix { $0 != "." && $0 != "Z" && $0 != "+" && $0 != "-" })
    }
}
