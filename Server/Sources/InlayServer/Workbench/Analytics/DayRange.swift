import Foundation
import InlayWire

/// The last days, today included, as the address names them: `?days=30`.
struct DayRange: Sendable {
    static let choices = [7, 30, 90]

    let count: Int
    let last: CalendarDay
    var first: CalendarDay { last.adding(1 - count) }

    init(_ words: String?, now: Timestamp) {
        let wanted = words.flatMap { Int($0) } ?? 30
        count = Self.choices.contains(wanted) ? wanted : 30
        last = CalendarDay(now)
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

extension CalendarDay {
    /// `2026-11-21`.
    var words: String { String(Moment(start, now: start).exact.prefix(10)) }
}
