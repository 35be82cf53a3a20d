import Foundation
import InlayWire

/// A time as a page shows it: relative in words, exact on hover.
struct Moment {
    /// For example `5 minutes ago` or `in 2 days`.
    let words: String
    /// For example `2026-11-21 14:03 UTC`.
    let exact: String
    /// For the `datetime` attribute.
    let machine: String

    init(_ time: Timestamp, now: Timestamp) {
        let date = Date(timeIntervalSince1970: time.seconds)
        machine = date.formatted(.iso8601)
        exact = Self.stamp(date)
        words = Self.words(from: (time - now).seconds, date)
    }

    private static func words(from seconds: Double, _ date: Date) -> String {
        let distance = abs(seconds)
        let (amount, unit): (Int, String)
        switch distance {
        case ..<45: return seconds > 5 ? "in a moment" : "just now"
        case ..<3_570: (amount, unit) = (Int((distance / 60).rounded()), "minute")
        case ..<84_600: (amount, unit) = (Int((distance / 3_600).rounded()), "hour")
        case ..<(30 * 86_400): (amount, unit) = (Int((distance / 86_400).rounded()), "day")
        default: return String(stamp(date).prefix(10))
        }
        let count = "\(max(amount, 1)) \(unit)\(amount > 1 ? "s" : "")"
        return seconds > 0 ? "in \(count)" : "\(count) ago"
    }

    private static func stamp(_ date: Date) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
        return String(
            format: "%04d-%02d-%02d %02d:%02d UTC", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0,
            parts.hour ?? 0, parts.minute ?? 0)
    }
}

/// Numbers as people read them.
enum Count {
    /// With thin groups of three: `12 480`.
    static func grouped(_ number: Int) -> String {
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

    /// `1 card`, `3 cards`.
    static func of(_ number: Int, _ noun: String) -> String {
        "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
    }

    /// A share in whole per cent; a dash when there is nothing to share.
    static func share(_ part: Int, of whole: Int) -> String {
        whole > 0 ? "\(Int((Double(part) / Double(whole) * 100).rounded())) %" : "–"
    }
}
