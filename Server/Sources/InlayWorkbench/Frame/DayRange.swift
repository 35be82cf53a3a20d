package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The last days in a time zone, including today; the query names their number: `?days=30`.
package struct DayRange: Sendable {
    static let choices = [7, 30, 90]

    package let count: Int
    package let last: CalendarDay
    package let zone: CalendarZone
    package var first: CalendarDay { last.adding(1 - count) }
    package var days: ClosedRange<CalendarDay> { first...last }
    /// The time ranges of the days.
    package var buckets: TimeBuckets { zone.days(days) }

    package init(_ request: WorkbenchRequest, default defaultCount: Int = 30) {
        self.init(request.query["days"], now: request.now, in: request.zone, default: defaultCount)
    }

    package init(_ text: String?, now: Timestamp, in zone: CalendarZone, default defaultCount: Int = 30) {
        let wanted = text.flatMap { Int($0) } ?? defaultCount
        count = Self.choices.contains(wanted) ? wanted : defaultCount
        last = zone.day(of: now)
        self.zone = zone
    }

    /// The choices of a page; the current range is chosen.
    package var choices: [ChoiceView] {
        ChoiceView.list(Self.choices.map { ("\($0)", "\($0) days") }, chosen: "\(count)")
    }
}
