import Foundation
import InlayServerCore
import InlayWorkbench

/// The order of the list of templates: a column and a direction.
struct TemplateOrder {
    private static let keys = [
        "name": "Template", "sent": "Sent", "completed": "Completed", "changed": "Changed",
    ]

    let key: String
    let isDescending: Bool

    /// Reads an order such as `name` or `-sent`; by default the last changed come first.
    init(_ queryValue: String) {
        let key = queryValue.hasPrefix("-") ? String(queryValue.dropFirst()) : queryValue
        let isKnown = Self.keys[key] != nil
        self.key = isKnown ? key : "changed"
        isDescending = isKnown ? queryValue.hasPrefix("-") : true
    }

    /// The order in the query of the URL.
    var queryValue: String { (isDescending ? "-" : "") + key }

    func sorted(_ templates: [CardTemplate], _ totals: [CardTemplateID: CardTotals]) -> [CardTemplate] {
        let number = { (template: CardTemplate) -> Double in
            let numbers = totals[template.id]
            switch key {
            case "sent": return Double(numbers?.sent ?? 0)
            case "completed": return Double(numbers?.completed ?? 0) / Double(max(numbers?.sent ?? 0, 1))
            default: return Double(template.updatedAt.microseconds)
            }
        }
        let rising = templates.sorted { left, right in
            if key != "name", number(left) != number(right) { return number(left) < number(right) }
            let order = left.draft.name.localizedStandardCompare(right.draft.name)
            return order == .orderedSame ? left.id < right.id : order == .orderedAscending
        }
        return isDescending ? rising.reversed() : rising
    }

    func columns(path: String, query: FormFields) -> [TemplateListModel.Column] {
        func column(_ title: String, _ own: String?, isNumber: Bool = false) -> TemplateListModel.Column {
            guard let own else {
                return .init(
                    title: title, href: "", isPlain: true, sorted: nil, arrow: nil, isNumber: isNumber)
            }
            let isOwn = own == key
            // The first click sorts names from A to Z, and numbers and dates from the largest.
            let next = isOwn ? (isDescending ? own : "-\(own)") : (own == "name" ? own : "-\(own)")
            return .init(
                title: title, href: "\(path)?\(query.with("sort", next).encoded)", isPlain: false,
                sorted: isOwn ? (isDescending ? "descending" : "ascending") : nil,
                arrow: isOwn ? (isDescending ? "sort-down" : "sort-up") : nil, isNumber: isNumber)
        }
        return [
            column("Template", "name"), column("State", nil), column("Container", nil),
            column("Sent", "sent", isNumber: true), column("Completed", "completed", isNumber: true),
            column("Changed", "changed"),
        ]
    }
}
