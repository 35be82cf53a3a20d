import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The pages of announcements, which devices show at a set time, also without a network.
struct HubAnnouncementPages: RecordFormPages, RecordRemovalPages {
    let services: ServerServices
    let hub: HubFeature
    let root = "e/:environment/hub/:source/announcements"
    let noun = "announcement"

    /// An announcement with its source.
    struct Record: Sendable {
        let source: HubSource
        let item: HubNotification
    }

    private struct Row {
        let rowPath: String
        let rowName: String
        let rowID: String
        let stateText: String
        let stateStyle: String
        let tagText: String
        let fires: Moment
    }

    private struct Model {
        let head: HubHead
        let list: ListModel<Row>
    }

    static func routes(_ services: ServerServices, _ hub: HubFeature) -> [WorkbenchRoute] {
        let pages = HubAnnouncementPages(services: services, hub: hub)
        return [.page(pages.root) { try await pages.list($0) }]
            + pages.newRoutes + pages.changeRoutes + pages.removalRoutes
    }

    func find(_ request: WorkbenchRequest, _ id: String) async throws -> Record? {
        let source = try await hub.source(request)
        return source.notifications.first { $0.id == id }.map { Record(source: source, item: $0) }
    }

    func name(of record: Record) -> String { record.item.title ?? record.item.id }

    func subject(of record: Record) -> AuditSubject {
        AuditSubject(record.item.id, detail: record.source.id.rawValue)
    }

    private func path(_ request: WorkbenchRequest, _ source: HubSource) -> String {
        request.address("hub", source.id.rawValue, "announcements")
    }

    private func list(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let source = try await hub.source(request)
        let path = path(request, source)
        let rows = source.notifications.sorted { ($0.fireAt, $0.id) > ($1.fireAt, $1.id) }.map { item in
            let isPast = item.fireAt <= request.now
            return Row(
                rowPath: "\(path)/\(FormFields.escaped(item.id))", rowName: item.title ?? item.message,
                rowID: item.id, stateText: isPast ? "Past" : "Scheduled",
                stateStyle: isPast ? "" : "accent",
                tagText: item.tags.isEmpty ? "Everybody" : item.tags.joined(separator: ", "),
                fires: request.moment(item.fireAt))
        }
        let model = Model(
            head: HubHead(source, tab: "announcements", for: request),
            list: ListModel(rows, path: path, for: request))
        return .page("\(source.name): announcements", "hub/announcements", model)
    }

    // MARK: The form

    func form(
        _ request: WorkbenchRequest, _ record: Record?, faults: FieldErrors
    ) async throws -> WorkbenchResult {
        let source = try await hub.source(request), item = record?.item
        let form = request.form, list = path(request, source)
        func typed(_ name: String, _ kept: String?) -> String { form[name] ?? kept ?? "" }
        let schemes = source.settings.appSchemes.map { "\($0):…" }.joined(separator: ", ")
        var fields: [FieldView] = [
            .moment(
                "fireAt", "Shows at",
                typed("fireAt", item.map { TypedText.field($0.fireAt, in: request.zone) }),
                in: request.zone),
            .line("title", "Heading", typed("title", item?.title), hint: "Empty: the app’s name."),
            .line(
                "tags", "Only for users with one of these tags",
                typed("tags", item?.tags.joined(separator: ", ")), hint: "Between commas. Empty: everybody."),
            FieldView.area("message", "Text", typed("message", item?.message)).with {
                $0.isWide = true
            },
            FieldView.line(
                "action", "Opens", typed("action", item?.action),
                hint: "hub:article/its-id" + (schemes.isEmpty ? "." : ", or \(schemes)")
            ).with { $0.isWide = true },
        ]
        if item == nil {
            let hint = "a–z, digits and -. One with the same id replaces it; it never changes."
            fields.insert(.line("id", "Id", form["id"] ?? "", hint: hint), at: 0)
        }
        let own = list + "/" + (item.map { FormFields.escaped($0.id) } ?? "new")
        let delete = FormModel.Action(actionLabel: "Delete…", actionPath: own + "/delete", isForm: false)
        let model = FormModel(
            item.map { $0.title ?? $0.id } ?? "New announcement", in: ("\(source.name): announcements", list),
            at: own, fields: fields, faults: faults, button: "Save announcement",
            actions: item == nil ? [] : [delete], for: request)
        return .page(model.title, "form", model, faults: faults)
    }

    func draft(_ request: WorkbenchRequest, over record: Record?) async throws -> Record {
        Record(
            source: try await hub.source(request),
            item: try read(request, id: record?.item.id ?? request.form.trimmed("id")))
    }

    func subject(of draft: Record, _ request: WorkbenchRequest) -> AuditSubject { subject(of: draft) }

    func save(_ draft: Record, over record: Record?, _ request: WorkbenchRequest) async throws -> Record {
        let source = try await hub.content.saveAnnouncement(
            request.environmentID, draft.source.id, draft.item, isNew: record == nil)
        return Record(source: source, item: draft.item)
    }

    func faults(for problem: Problem, isNew: Bool) -> FieldErrors? {
        problem.code == .conflict ? FieldErrors("id", problem.title) : nil
    }

    func saved(_ record: Record, isNew: Bool, _ request: WorkbenchRequest) -> WorkbenchResult {
        .redirect(
            to: path(request, record.source),
            Flash(
                "Saved “\(name(of: record))”. Devices receive the change with the next publish.",
                next: .init(
                    label: "Publish", path: request.address("hub", record.source.id.rawValue, "publish"))))
    }

    private func read(_ request: WorkbenchRequest, id: String) throws -> HubNotification {
        let form = request.form
        // The page for a new announcement has the path that an announcement with this id would have.
        if id == "new" { throw FieldErrors("id", "Choose another id.") }
        guard let fireAt = TypedText.moment(form.trimmed("fireAt"), in: request.zone) else {
            throw FieldErrors("fireAt", "A date and a time.")
        }
        func text(_ name: String) -> String? {
            let text = form.trimmed(name)
            return text.isEmpty ? nil : text
        }
        return HubNotification(
            id: id, fireAt: fireAt, title: text("title"), message: form.trimmed("message"),
            action: text("action"), tags: TypedText.words(form["tags"]))
    }

    // MARK: Removal

    func warning(about record: Record, _ request: WorkbenchRequest) -> String {
        "Devices call it off with the next publish; where it was shown already, it stays."
    }

    func cancelPath(of record: Record, _ request: WorkbenchRequest) -> String {
        path(request, record.source) + "/" + FormFields.escaped(record.item.id)
    }

    func remove(_ record: Record, _ request: WorkbenchRequest) async throws {
        try await hub.content.removeAnnouncement(request.environmentID, record.source.id, record.item.id)
    }

    func pathAfterRemoval(of record: Record, _ request: WorkbenchRequest) -> String {
        path(request, record.source)
    }

    func notice(ofRemoved record: Record) -> String {
        "Deleted “\(name(of: record))”. Devices receive the change with the next publish."
    }
}
