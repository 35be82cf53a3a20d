import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The pages that publish a source and list its versions.
struct HubVersionPages: Sendable {
    let services: ServerServices
    let hub: HubFeature

    private struct Row {
        let number: Int64
        let isCurrent: Bool
        let note: String
        let who: String
        let content: String
        let moved: String
        let published: Moment
        let warnings: HubWarningsModel?
    }

    private struct ListModel {
        let head: HubHead
        let rows: [Row]
        let hasRows: Bool

        package init(head: HubHead, rows: [Row], hasRows: Bool) {
            self.head = head
            self.rows = rows
            self.hasRows = hasRows
        }
    }

    private struct Change {
        let itemPath: String
        let itemName: String
        let itemNoun: String
        let words: String
    }

    private struct PublishModel {
        let head: HubHead
        let csrf: String
        let publishPath: String
        let contentPath: String
        let faultSummary: FaultSummary?
        let warnings: HubWarningsModel?
        let changes: [Change]
        let hasChanges: Bool
        let waiting: [Change]
        let hasWaiting: Bool
        let noteField: FieldView
        let canPublish: Bool
    }

    static func routes(_ services: ServerServices, _ hub: HubFeature) -> [WorkbenchRoute] {
        let pages = HubVersionPages(services: services, hub: hub)
        let root = "e/:environment/hub/:source"
        return [
            .page("\(root)/versions") { try await pages.list($0) },
            .page("\(root)/publish", for: .editor) { try await pages.review($0) },
            .form("\(root)/publish", for: .editor) { try await pages.publish($0) },
        ]
    }

    private func list(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let source = try await hub.source(request)
        let rows = try await hub.content.versions(request.environmentID, source.id).map { version in
            let summary = version.summary
            return Row(
                number: version.version, isCurrent: version.version == source.version,
                note: summary.note ?? "–", who: version.publishedBy,
                content: Count.of(summary.articles, "article"),
                moved: "\(Count.of(summary.newFiles, "file")), \(Count.grouped(summary.newBytes)) B",
                published: request.moment(version.publishedAt),
                warnings: HubWarningsModel(summary.warnings ?? []))
        }
        let model = ListModel(
            head: HubHead(source, tab: "versions", for: request), rows: rows, hasRows: !rows.isEmpty)
        return .page("\(source.name): versions", "hub/versions", model)
    }

    private func review(_ request: WorkbenchRequest, note: String = "") async throws -> WorkbenchResult {
        let source = try await hub.source(request)
        let (faults, warnings) = try await hub.publisher.check(request.environmentID, source.id)
        let items = try await hub.content.items(request.environmentID, source.id)
        // One version alone, because its summary has the revision of every item.
        let last = try await hub.content.versions(request.environmentID, source.id, limit: 1).first?.summary
        func change(_ item: HubItem, _ words: String) -> Change {
            Change(
                itemPath: request.address("hub", source.id.rawValue, item.kind.plural, item.id),
                itemName: item.draft.title, itemNoun: item.kind.rawValue, words: words)
        }
        let released = items.filter { $0.released != nil }
        let changes = released.compactMap { item -> Change? in
            guard let before = last?.revisions[item.reference.uri] else { return change(item, "New") }
            return before == item.releasedRevision ? nil : change(item, "Changed")
        }
        let waiting = items.filter(\.hasUnreleasedChanges).map { change($0, "Not released") }
        let model = PublishModel(
            head: HubHead(source, tab: "publish", for: request), csrf: request.csrfToken,
            publishPath: request.address("hub", source.id.rawValue, "publish"),
            contentPath: request.address("hub", source.id.rawValue), faultSummary: Self.summary(faults),
            warnings: HubWarningsModel(warnings),
            changes: changes, hasChanges: !changes.isEmpty, waiting: waiting, hasWaiting: !waiting.isEmpty,
            noteField: .line("note", "Note", note, hint: "For your team, in the list of versions."),
            canPublish: faults.items.isEmpty)
        return .page(
            "Publish \(source.name)", "hub/publish", model, status: faults.items.isEmpty ? 200 : 422)
    }

    private static func summary(_ faults: HubFaults) -> FaultSummary? {
        var errors = FieldErrors()
        for item in faults.items { errors.add(item.place, item.message) }
        return FaultSummary(errors, fields: [])
    }

    private func publish(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let source = try await hub.source(request)
        let note = request.form.trimmed("note").prefix(scalars: 200)
        do {
            let made = try await hub.publisher.publish(
                request.environmentID, source.id, by: request.operator.login, note: note.isEmpty ? nil : note)
            guard made.isNew else {
                return .redirect(
                    to: request.address("hub", source.id.rawValue), Flash("Readers already have everything."))
            }
            try services.audit.record(
                "published content", source.name, by: request, detail: "version \(made.version)")
            let moved = "\(Count.of(made.newFiles, "new file")), \(Count.grouped(made.newBytes)) bytes"
            let warnings = HubWarningsModel.sentence(about: made.warnings)
            return .redirect(
                to: request.address("hub", source.id.rawValue, "versions"),
                Flash("Published version \(made.version): \(moved).\(warnings)"))
        } catch is HubFaults {
            return try await review(request, note: note)
        }
    }
}
