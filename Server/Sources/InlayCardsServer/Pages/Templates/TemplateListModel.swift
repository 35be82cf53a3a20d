import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The model of the list of templates, filtered and sorted by the query of the URL.
struct TemplateListModel {
    struct Row {
        let rowPath: String
        let rowName: String
        let sketch: [CardSketch.Part]
        let eventName: String
        let stateText: String
        let stateStyle: String
        let stateNote: String?
        let containerNames: String
        let sent: String
        let completed: String
        let changed: Moment
    }

    /// The head of a column; a link when the list can be sorted by the column.
    struct Column {
        let title: String
        let href: String
        let isPlain: Bool
        let sorted: String?
        let arrow: String?
        let isNumber: Bool
    }

    /// A state with its number of templates; a link that shows only these.
    struct StateFilter {
        let stateName: String
        let stateCount: String
        let statePath: String
        let isChosenState: Bool
    }

    let canEdit: Bool
    let listPath: String
    let newPath: String
    let isUntouched: Bool
    let search: String
    let sort: String
    let states: [StateFilter]
    let state: String
    let columns: [Column]
    let rows: [Row]
    let hasRows: Bool
    let countText: String

    init(
        _ templates: [CardTemplate], containers: [CardContainer], totals: [CardTemplateID: CardTotals],
        for request: WorkbenchRequest
    ) {
        let path = request.address("cards", "templates")
        let search = request.query.trimmed("q"), state = request.query["state"] ?? ""
        let order = TemplateOrder(request.query["sort"] ?? "")
        let found = templates.filter { template in
            (state.isEmpty || TemplateState(template).key == state)
                && (search.isEmpty || template.draft.name.localizedCaseInsensitiveContains(search)
                    || template.draft.eventName.localizedCaseInsensitiveContains(search))
        }
        canEdit = request.may(.editor)
        listPath = path
        newPath = path + "/new"
        isUntouched = templates.isEmpty
        self.search = search
        sort = order.queryValue
        self.state = state
        let counts = Dictionary(templates.map { (TemplateState($0).key, 1) }, uniquingKeysWith: +)
        states = [("", "All"), ("published", "Published"), ("draft", "Drafts"), ("off", "Off")].map {
            key, label in
            let query = request.query.with("state", key.isEmpty ? nil : key).encoded
            return StateFilter(
                stateName: label, stateCount: Count.grouped(key.isEmpty ? templates.count : counts[key] ?? 0),
                statePath: query.isEmpty ? path : "\(path)?\(query)", isChosenState: key == state)
        }
        columns = order.columns(path: path, query: request.query)
        let names = Dictionary(containers.map { ($0.id, $0.name) }) { first, _ in first }
        let fallback = containers.first { $0.isDefault }?.name ?? "–"
        rows = order.sorted(found, totals).map { template in
            Row(template, path: path, totals[template.id], names, fallback, request)
        }
        hasRows = !rows.isEmpty
        countText =
            found.count == templates.count
            ? Count.of(found.count, "template") : "\(found.count) of \(Count.of(templates.count, "template"))"
    }
}

extension TemplateListModel.Row {
    fileprivate init(
        _ template: CardTemplate, path: String, _ numbers: CardTotals?, _ names: [CardContainerID: String],
        _ fallback: String, _ request: WorkbenchRequest
    ) {
        let state = TemplateState(template)
        rowPath = "\(path)/\(FormFields.escaped(template.id.rawValue))"
        rowName = template.draft.name
        sketch = CardSketch.parts(of: template.draft.definition.elements)
        eventName = template.draft.eventName
        (stateText, stateStyle) = (state.text, state.style)
        stateNote =
            template.isPublished && template.isEnabled && template.hasUnpublishedChanges ? state.note : nil
        let own = template.draft.containerIDs.map { names[$0] ?? $0.rawValue }
        containerNames = own.isEmpty ? fallback : own.joined(separator: ", ")
        sent = Count.grouped(numbers?.sent ?? 0)
        completed = Count.share(numbers?.completed ?? 0, of: numbers?.sent ?? 0)
        changed = request.moment(template.updatedAt)
    }
}
