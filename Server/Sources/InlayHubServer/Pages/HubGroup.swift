import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The list of the items of one kind on the content page.
struct HubGroup {
    struct Row {
        let rowPath: String
        let rowName: String
        let rowID: String
        let stateText: String
        let stateStyle: String
        let tagText: String
        let changed: Moment
    }

    let groupID: String
    let title: String
    let noun: String
    let emptyText: String
    let rows: [Row]
    let hasRows: Bool
    let canEdit: Bool
    let newPath: String

    init(_ kind: HubKind, _ items: [HubItem], of source: HubSource, for request: WorkbenchRequest) {
        groupID = kind.plural
        title = kind.plural.capitalized
        noun = kind.rawValue
        emptyText =
            switch kind {
            case .article: "No article yet. Write the first one."
            case .channel: "No channel yet. Articles appear in channels."
            case .hub: "No hub yet. A hub is the page that a reader sees first."
            }
        let path = request.address("hub", source.id.rawValue, kind.plural)
        rows = items.map { item in
            let state = HubItemState(item, of: source, for: request)
            return Row(
                rowPath: "\(path)/\(item.id)", rowName: item.draft.title, rowID: item.id,
                stateText: state.text, stateStyle: state.style,
                tagText: item.draft.tags.joined(separator: ", "), changed: request.moment(item.updatedAt))
        }
        hasRows = !rows.isEmpty
        canEdit = request.may(.editor)
        newPath = path + "/new"
    }
}

/// The publishing state of an item, as text and style.
struct HubItemState {
    let text: String
    let style: String

    init(_ item: HubItem, of source: HubSource, for request: WorkbenchRequest) {
        if item.kind == .article, source.policy.recalledArticles.contains(item.id) {
            (text, style) = ("Recalled", "danger")
        } else if item.released == nil {
            (text, style) = ("Draft", "")
        } else if item.hasUnreleasedChanges {
            (text, style) = ("Changes not released", "warn")
        } else if let date = item.draft.publishAt, date > request.now {
            (text, style) = ("Waits for \(request.moment(date).exact)", "accent")
        } else {
            (text, style) = ("Released", "good")
        }
    }
}

extension HubReference.Kind {
    /// The name of the kind in URLs, for example `articles`.
    var plural: String { rawValue + "s" }

    /// Returns the kind with this name in URLs. Throws `not-found`.
    static func named(_ plural: String) throws -> Self {
        guard let kind = allCases.first(where: { $0.plural == plural }) else { throw Problem.notFound }
        return kind
    }
}
