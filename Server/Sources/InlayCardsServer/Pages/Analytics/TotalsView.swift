import InlayWorkbench

/// The totals of cards, formatted.
struct TotalsView {
    let sent: String
    let displayed: String
    let completed: String
    let dismissed: String
    let snoozed: String

    init(_ totals: CardTotals) {
        sent = Count.grouped(totals.sent)
        displayed = Count.grouped(totals.displayed)
        completed = Count.grouped(totals.completed)
        dismissed = Count.grouped(totals.dismissed)
        snoozed = Count.grouped(totals.snoozed)
    }
}
