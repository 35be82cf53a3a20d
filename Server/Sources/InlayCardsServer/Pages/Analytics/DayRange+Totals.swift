package import InlayServerCore
package import InlayWorkbench

extension DayRange {
    /// Returns every day of the range with its sums; a day without counts has zeros.
    package func filled(_ days: [CardDay]) -> [(day: CalendarDay, totals: CardTotals)] {
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
