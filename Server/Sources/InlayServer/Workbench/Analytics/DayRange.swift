import InlayWire

/// The last days of a zone, today included, as the address names them: `?days=30`.
struct DayRange: Sendable {
    static let choices = [7, 30, 90]

    let count: Int
    let last: CalendarDay
    let zone: CalendarZone
    var first: CalendarDay { last.adding(1 - count) }
    var days: ClosedRange<CalendarDay> { first...last }
    /// The boundaries of the days.
    var buckets: TimeBuckets { zone.days(days) }

    init(_ request: WorkbenchRequest, or other: Int = 30) {
        self.init(request.query["days"], now: request.now, in: request.zone, or: other)
    }

    init(_ words: String?, now: Timestamp, in zone: CalendarZone, or other: Int = 30) {
        let wanted = words.flatMap { Int($0) } ?? other
        count = Self.choices.contains(wanted) ? wanted : other
        last = zone.day(of: now)
        self.zone = zone
    }

    /// The choices of a page, with the range that it shows.
    var choices: [ChoiceView] {
        ChoiceView.list(Self.choices.map { ("\($0)", "\($0) days") }, chosen: "\(count)")
    }

    /// Every day of the range with its sums; a day without numbers has zeros.
    func filled(_ days: [CardDay]) -> [(day: CalendarDay, totals: CardTotals)] {
        var sums: [CalendarDay: CardTotals] = [:]
        for day in days { sums[day.day, default: CardTotals()] += day.totals }
        return (0..<count).map { offset in
            let day = first.adding(offset)
            return (day, sums[day] ?? CardTotals())
        }
    }
}

extension CardTotals {
    static func += (left: inout CardTotals, right: CardTotals) {
        left.sent += right.sent
        left.displayed += right.displayed
        left.completed += right.completed
        left.dismissed += right.dismissed
        left.snoozed += right.snoozed
        left.votedUp += right.votedUp
        left.votedNotRelevant += right.votedNotRelevant
        left.votedTooOften += right.votedTooOften
        left.votedSomethingElse += right.votedSomethingElse
    }
}
