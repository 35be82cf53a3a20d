package import Foundation
@_spi(Inlay) package import InlayWire

/// The formats of dates and times.
package enum SurfaceDate {
    /// Returns the date and time, abbreviated, in a locale and a time zone.
    package static func text(_ moment: Timestamp, locale: String, timeZone: String) -> String {
        date(moment).formatted(
            Date.FormatStyle(
                date: .abbreviated, time: .shortened, locale: Locale(identifier: locale),
                timeZone: zone(timeZone)))
    }

    /// Returns the weekday, day, month and time, abbreviated.
    package static func short(_ moment: Timestamp, locale: String, timeZone: String) -> String {
        var style = Date.FormatStyle(locale: Locale(identifier: locale), timeZone: zone(timeZone))
        style = style.weekday(.abbreviated).day().month(.abbreviated).hour().minute()
        return date(moment).formatted(style)
    }

    /// Returns the day and month, with the year unless it is the current one.
    package static func day(_ moment: Timestamp, now: Timestamp, locale: String, timeZone: String) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone(timeZone)
        let isThisYear =
            calendar.component(.year, from: date(moment)) == calendar.component(.year, from: date(now))
        let style = Date.FormatStyle(locale: Locale(identifier: locale), timeZone: zone(timeZone)).day()
        return date(moment).formatted(
            isThisYear ? style.month(.wide) : style.month(.abbreviated).year())
    }

    /// Returns the time in ISO 8601 and UTC, for a `datetime` attribute.
    package static func machine(_ moment: Timestamp) -> String { date(moment).formatted(.iso8601) }

    /// Returns the value of a `datetime-local` field, to the minute.
    package static func field(_ moment: Timestamp, timeZone: String) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone(timeZone)
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date(moment))
        return String(
            format: "%04d-%02d-%02dT%02d:%02d", parts.year ?? 1970, parts.month ?? 1, parts.day ?? 1,
            parts.hour ?? 0, parts.minute ?? 0)
    }

    package static func zone(_ name: String) -> TimeZone { TimeZone(identifier: name) ?? .gmt }

    package static func date(_ moment: Timestamp) -> Date { Date(timeIntervalSince1970: moment.seconds) }
}
