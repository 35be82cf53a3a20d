import Foundation
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// A time as a page shows it: a relative text, with the exact time on hover. All pages format times with this type.
package struct Moment {
    /// The relative text, for example `5 minutes ago` or `in 2 days`; the date after 30 days.
    package let words: String
    /// The exact time, for example `21 Nov 2026, 14:03 Europe/Berlin`.
    package let exact: String
    /// The value of the `datetime` attribute.
    package let machine: String

    package init(_ time: Timestamp, now: Timestamp, in zone: CalendarZone) {
        machine = Date(timeIntervalSince1970: time.seconds).formatted(.iso8601)
        exact = "\(zone.day(of: time).longText), \(zone.clock(time)) \(zone.name)"
        words = Self.words(from: (time - now).seconds, zone.day(of: time))
    }

    private static func words(from seconds: Double, _ day: CalendarDay) -> String {
        let distance = abs(seconds)
        let (amount, unit): (Int, String)
        switch distance {
        case ..<45: return seconds > 5 ? "in a moment" : "just now"
        case ..<3_570: (amount, unit) = (Int((distance / 60).rounded()), "minute")
        case ..<84_600: (amount, unit) = (Int((distance / 3_600).rounded()), "hour")
        case ..<(30 * 86_400): (amount, unit) = (Int((distance / 86_400).rounded()), "day")
        default: return day.longText
        }
        let count = "\(max(amount, 1)) \(unit)\(amount > 1 ? "s" : "")"
        return seconds > 0 ? "in \(count)" : "\(count) ago"
    }
}

extension CalendarDay {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The day and the month, for example `22 Nov`.
    package var shortText: String { "\(parts.day) \(Self.months[parts.month - 1])" }
    /// The date, for example `22 Nov 2026`.
    package var longText: String { "\(shortText) \(parts.year)" }
    /// The date in files and in the fields of forms, for example `2026-11-22`.
    package var iso: String { String(format: "%04d-%02d-%02d", parts.year, parts.month, parts.day) }
}

extension CalendarZone {
    /// Returns the time of day, for example `14:03`.
    package func clock(_ moment: Timestamp) -> String {
        let second = local(moment).secondOfDay
        return String(format: "%02d:%02d", second / 3_600, second / 60 % 60)
    }
}

/// The formatting of numbers for people.
package enum Count {
    /// Returns a number with thin spaces between groups of three digits: `12 480`.
    package static func grouped(_ number: Int) -> String {
        let digits = String(abs(number))
        let first = digits.count % 3
        var groups = first > 0 ? [String(digits.prefix(first))] : []
        var rest = digits.dropFirst(first)
        while !rest.isEmpty {
            groups.append(String(rest.prefix(3)))
            rest = rest.dropFirst(3)
        }
        return (number < 0 ? "−" : "") + groups.joined(separator: "\u{202F}")
    }

    /// Returns a number with its noun: `1 card`, `3 cards`.
    package static func of(_ number: Int, _ noun: String) -> String {
        "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
    }

    /// Returns a share in whole per cent; a dash when `whole` is 0.
    package static func share(_ part: Int, of whole: Int) -> String {
        whole > 0 ? "\(Int((Double(part) / Double(whole) * 100).rounded())) %" : "–"
    }
}
