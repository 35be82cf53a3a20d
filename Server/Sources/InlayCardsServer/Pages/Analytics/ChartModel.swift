import Foundation
package import InlayServerCore
@_spi(Inlay) import InlayWire
package import InlayWorkbench

/// The counts of days as a chart and as a table.
package struct ChartModel {
    struct Row {
        let day: String
        /// Whether the day is not over yet.
        let isUnfinished: Bool
        let totals: TotalsView
    }

    let chartJSON: String
    let chartText: String
    let dayRows: [Row]
    let sums: [SumView]
    let hasNumbers: Bool
    let ranges: [ChoiceView]
    let csvPath: String

    /// Creates a chart of days; `marks` are the days on which versions were published.
    package init(
        _ days: [(day: CalendarDay, totals: CardTotals)], range: DayRange, csvPath: String,
        marks: [(day: CalendarDay, label: String)] = []
    ) {
        func line(_ label: String, _ value: KeyPath<CardTotals, Int>) -> ChartDrawing.Line {
            .init(label: label, counts: days.map { $0.totals[keyPath: value] })
        }
        chartJSON =
            ChartDrawing(
                kind: .area, labels: days.map(\.day.shortText),
                lines: [
                    line("Completed", \.completed), line("Sent", \.sent), line("Displayed", \.displayed),
                ], unfinished: days.count - 1,
                marks: marks.compactMap { mark in
                    range.days.contains(mark.day)
                        ? .init(place: mark.day.number - range.first.number, label: mark.label) : nil
                }
            ).json
        var total = CardTotals()
        for day in days { total += day.totals }
        chartText =
            "Cards sent, displayed and completed on each of the last \(days.count) days: "
            + "\(total.sent) sent, \(total.displayed) displayed, \(total.completed) completed in all."
        dayRows = days.reversed().map {
            Row(day: $0.day.shortText, isUnfinished: $0.day == range.last, totals: TotalsView($0.totals))
        }
        sums = [
            SumView(
                sumLabel: "Sent", sumValue: Count.grouped(total.sent), sumNote: "last \(days.count) days"),
            SumView(
                sumLabel: "Displayed", sumValue: Count.grouped(total.displayed), sumNote: "times on screen"),
            SumView(
                sumLabel: "Completed", sumValue: Count.grouped(total.completed),
                sumNote: "\(Count.share(total.completed, of: total.sent)) of sent"),
            SumView(
                sumLabel: "Dismissed", sumValue: Count.grouped(total.dismissed),
                sumNote: "\(Count.share(total.dismissed, of: total.sent)) of sent"),
            SumView(sumLabel: "Snoozed", sumValue: Count.grouped(total.snoozed), sumNote: "times"),
        ]
        hasNumbers = total != CardTotals()
        ranges = range.choices
        self.csvPath = csvPath
    }

    /// Returns a CSV file. Its values are dates and whole numbers only, so a spreadsheet cannot read any of them
    /// as a formula.
    static func csv(_ days: [(day: CalendarDay, totals: CardTotals)]) -> Data {
        let lines = days.map { day, totals in
            let numbers = [
                totals.sent, totals.displayed, totals.completed, totals.dismissed, totals.snoozed,
                totals.votedUp,
                totals.votedDown, totals.votedNotRelevant, totals.votedTooOften, totals.votedSomethingElse,
            ]
            return ([day.iso] + numbers.map(String.init)).joined(separator: ",")
        }
        let head =
            "day,sent,displayed,completed,dismissed,snoozed,voted_useful,voted_not_useful,not_relevant,too_often,"
            + "something_else"
        return Data(([head] + lines).joined(separator: "\r\n").appending("\r\n").utf8)
    }
}
