import Foundation
@_spi(Inlay) package import InlayWire

/// A time zone by its IANA name: which day a moment falls on, when a day begins, and which moment a local time means.
///
/// Only the offset from UTC comes from Foundation; days are counted here, so that a day of 23 or 25 hours and a
/// midnight that does not exist need no special case in the callers.
package struct CalendarZone: Hashable, Sendable {
    /// The IANA name, for example `Europe/Berlin`; `UTC` for UTC.
    package let name: String
    private let timeZone: TimeZone

    /// A zone by its IANA name, or by an older name of it such as `Japan`; `nil` for a name that the server does not
    /// know.
    package init?(_ name: String) {
        let name = CalendarZoneAliases.names[name] ?? name
        if name == "UTC" {
            self = .utc
            return
        }
        // Foundation also takes offsets and abbreviations, which are no zones with a history; its list of known names
        // lacks some that it takes, such as Europe/Kyiv.
        let isPlain = name.utf8.allSatisfy {
            (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
                || [43, 45, 47, 95].contains($0)
        }
        guard isPlain, (3...64).contains(name.utf8.count), name.contains("/"),
            let timeZone = TimeZone(identifier: name), timeZone.identifier == name
        else { return nil }
        self.init(name: name, timeZone: timeZone)
    }

    private init(name: String, timeZone: TimeZone) { (self.name, self.timeZone) = (name, timeZone) }

    /// UTC.
    package static let utc = CalendarZone(name: "UTC", timeZone: .gmt)

    /// The zone that the server's process runs in; see ``ProcessTimeZone``.
    package static var server: CalendarZone { ProcessTimeZone.current.zone }

    /// The names to choose from, sorted; ``init(_:)`` also accepts others, older ones for example.
    package static let names = Set(TimeZone.knownTimeZoneIdentifiers)
        .filter { $0.contains("/") && !$0.hasPrefix("Etc/") }.union(["UTC"]).sorted()

    /// The seconds that clocks of the zone are ahead of UTC at a moment.
    func offset(at moment: Timestamp) -> Int {
        timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: moment.seconds.rounded(.down)))
    }

    // MARK: Days

    /// The day that clocks of the zone show at a moment.
    package func day(of moment: Timestamp) -> CalendarDay { local(moment).day }

    /// The first moment of a day; where its midnight is skipped, the moment at which clocks go forward.
    package func start(of day: CalendarDay) -> Timestamp { moment(of: day, secondOfDay: 0) }

    /// The boundaries of a range of days.
    package func days(_ days: ClosedRange<CalendarDay>) -> TimeBuckets {
        TimeBuckets(
            boundaries: (days.lowerBound.number...days.upperBound.number + 1).map {
                start(of: CalendarDay(number: $0))
            })
    }

    /// The hours of a day: 23 or 25 of them where clocks change.
    package func hours(of day: CalendarDay) -> TimeBuckets {
        let (start, end) = (start(of: day), start(of: day.adding(1)))
        var boundaries = [start]
        while let last = boundaries.last, last < end { boundaries.append(min(last + .seconds(3_600), end)) }
        return TimeBuckets(boundaries: boundaries)
    }

    // MARK: Local times

    /// The day and the second of it that clocks show at a moment.
    package func local(_ moment: Timestamp) -> (day: CalendarDay, secondOfDay: Int) {
        let seconds = Int(moment.seconds.rounded(.down)) + offset(at: moment)
        let day = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        return (CalendarDay(number: day), seconds - day * 86_400)
    }

    /// The moment at which clocks show this time of a day.
    ///
    /// A time that is skipped when clocks go forward is moved by the length of the gap, as in `Temporal` and
    /// `java.time`; a time that comes twice means the first.
    package func moment(of day: CalendarDay, secondOfDay: Int) -> Timestamp {
        let wanted = day.number * 86_400 + secondOfDay
        func instant(_ seconds: Int) -> Timestamp { Timestamp(microseconds: Int64(seconds) * 1_000_000) }
        // A day on either side is far enough to see the offsets before and after a change.
        let before = offset(at: instant(wanted - 86_400)), after = offset(at: instant(wanted + 86_400))
        let candidates = [wanted - before, wanted - after].sorted()
        let exact = candidates.first { offset(at: instant($0)) == wanted - $0 }
        return instant(exact ?? wanted - before)
    }
}
