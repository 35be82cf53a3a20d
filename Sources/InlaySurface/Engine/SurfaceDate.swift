import Foundation
import InlayWire

/// Moments as people read them.
enum SurfaceDate {
    /// Date and time, abbreviated, in a locale and a time zone.
    static func text(_ moment: Timestamp, locale: String, timeZone: String) -> String {
        date(moment).formatted(
            Date.FormatStyle(
                date: .abbreviated, time: .shortened, locale: Locale(identifier: locale),
                timeZone: zone(timeZone)))
    }

    /// Weekday and time.
    static func short(_ moment: Timestamp, locale: String, timeZone: String) -> String {
        var style = Date.FormatStyle(locale: Locale(identifier: locale), timeZone: zone(timeZone))
        style = style.weekday(.abbreviated).day().month(.abbreviated).hour().minute()
        return date(moment).formatted(style)
    }

    /// What a `datetime-local` field holds, to the minute.
    static func field(_ moment: Timestamp, timeZone: String) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone(timeZone)
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date(moment))
        return String(
            format: "%04d-%02d-%02dT%02d:%02d", parts.year ?? 1970, parts.month ?? 1, parts.day ?? 1,
            parts.hour ?? 0, parts.minute ?? 0)
    }

    static func zone(_ name: String) -> TimeZone { TimeZone(identifier: name) ?? .gmt }

    static func date(_ moment: Timestamp) -> Date { Date(timeIntervalSince1970: moment.seconds) }
}
