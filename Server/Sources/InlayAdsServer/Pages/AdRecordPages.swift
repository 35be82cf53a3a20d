import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The pages of one kind of record: its list, its form and its removal.
struct AdRecordPages<Form: AdRecordForm>: RecordFormPages, RecordRemovalPages {
    let services: ServerServices
    let ads: AdsFeature
    /// The text above the list and in an empty list.
    let words: String
    /// Returns the content below the form.
    var below: @Sendable (Form.Record, WorkbenchRequest) async throws -> AdRecordModel.Footer = { _, _ in
        .init()
    }

    private var records: AdRecordStore { ads.records }
    var root: String { "e/:environment/ads/\(Form.folder)" }
    var noun: String { Form.noun }
    var parameter: String { "record" }

    /// The routes of list, form and removal; kinds with a parent record have no list of their own.
    var routes: [WorkbenchRoute] {
        let whole: [WorkbenchRoute] =
            Form.Record.table.parent == nil ? [.page(root) { try await list($0) }] : []
        return whole + newRoutes + changeRoutes + removalRoutes
    }

    func find(_ request: WorkbenchRequest, _ id: String) async throws -> AdStored<Form.Record>? {
        try await records.find(request.environmentID, Form.Record.ID(id), as: Form.Record.self)
    }

    func name(of stored: AdStored<Form.Record>) -> String { stored.record.name }

    private func list(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let all = try await records.list(request.environmentID, as: Form.Record.self)
        let table = AdTable(Form.self, all, parentID: nil, for: request)
        let title = AdTable.plural(Form.noun)
        return .page(title, "ads/list", AdListModel(title: title, words: words, table: table))
    }

    // MARK: One record

    func form(
        _ request: WorkbenchRequest, _ stored: AdStored<Form.Record>?, faults: FieldErrors
    ) async throws -> WorkbenchResult {
        let values = request.hasForm ? request.form : stored.map { Form.values($0.record) } ?? Form.blank
        let parentID = parentID(request, stored)
        let title = stored?.record.name ?? "New \(Form.noun)"
        let path = request.address("ads", Form.folder, stored?.record.id.rawValue ?? "new")
        let fields = Form.fields(values, try await choices(request)).map { field in
            // An id is chosen when the record is created, and cannot be changed.
            field.with { $0.isLocked = stored != nil && $0.name == "id" }
        }
        let form = FormModel(
            title, in: try await back(parentID, request), at: path, fields: fields, faults: faults,
            button: stored == nil ? "Create \(Form.noun)" : "Save",
            actions: stored == nil
                ? [] : [.init(actionLabel: "Delete…", actionPath: path + "/delete", isForm: false)],
            for: request)
        // After a fault, the revision is still the one that was read: a save in between must not be overwritten.
        let read = request.form["revision"].flatMap { Int64($0) }
        var model = AdRecordModel(
            form: form, parentID: parentID.rawValue, revision: read ?? stored?.revision ?? 0)
        if let stored {
            let ids =
                Form.Record.table == .deals
                ? [] : [(AdTable.name(Form.noun) + " id", stored.record.id.rawValue)]
            model = model.with(try await below(stored.record, request), ids: ids)
        }
        return .page(title, "ads/record", model, faults: faults)
    }

    /// Returns the choices of this kind of form, and no more: a list of all units is long.
    private func choices(_ request: WorkbenchRequest) async throws -> AdFormChoices {
        var choices = AdFormChoices()
        choices.zone = request.zone
        let environmentID = try request.environmentID
        if Form.Record.table == .campaigns {
            let segments = try await ads.segments.names(environmentID)
            choices.segments = segments.map { ($0.id.rawValue, $0.name) }
        }
        if [.campaigns, .bidders, .deals].contains(Form.Record.table) {
            let apps = try await records.list(environmentID, as: AdApp.self).map(\.record)
            let names = Dictionary(apps.map { ($0.id, $0.name) }) { first, _ in first }
            choices.units = try await records.list(environmentID, as: AdUnit.self).map(\.record).map {
                ($0.id.rawValue, "\(names[$0.parentID] ?? "") › \($0.name)")
            }.sorted { $0.1 < $1.1 }
        }
        if Form.Record.table == .deals {
            choices.bidders = try await records.list(environmentID, as: AdBidder.self).map {
                ($0.record.id.rawValue, $0.record.name)
            }
        }
        return choices
    }

    /// Returns the link to the parent record, or to the list; throws `not-found` when the parent does not exist.
    private func back(
        _ parentID: Form.Record.ParentID, _ request: WorkbenchRequest
    ) async throws -> (name: String, path: String) {
        func parent<Parent: AdRecord>(
            _ type: Parent.Type, in folder: String
        ) async throws -> (name: String, path: String) {
            let found = try await records.find(request.environmentID, Parent.ID(parentID.rawValue), as: type)
            guard let found else { throw Problem.notFound(Parent.table.noun) }
            return (found.record.name, request.address("ads", folder, parentID.rawValue))
        }
        switch Form.Record.table.parent {
        case .publishers: return try await parent(AdPublisher.self, in: AdPublisherForm.folder)
        case .apps: return try await parent(AdApp.self, in: AdAppForm.folder)
        case .campaigns: return try await parent(AdCampaign.self, in: AdCampaignForm.folder)
        default: return (AdTable.plural(Form.noun), request.address("ads", Form.folder))
        }
    }

    private func parentID(_ request: WorkbenchRequest, _ stored: AdStored<Form.Record>?)
        -> Form.Record.ParentID
    {
        if let stored { return stored.record.parentID }
        return .init(request.hasForm ? request.form.trimmed("parent") : request.query["parent"] ?? "")
    }

    func draft(
        _ request: WorkbenchRequest, over stored: AdStored<Form.Record>?
    ) async throws -> Form.Record {
        var faults = FieldErrors()
        let record = Form.record(
            AdFormReader(form: request.form, zone: request.zone), id: stored?.record.id,
            parentID: parentID(request, stored), faults: &faults)
        try faults.throwIfAny()
        // The page of a new record has the address that a record with this id would have.
        if stored == nil, record.id.rawValue == "new" { throw FieldErrors("id", "Choose another id.") }
        if stored == nil, try await find(request, record.id.rawValue) != nil {
            throw FieldErrors("id", "There is one with this id already.")
        }
        return record
    }

    func subject(of draft: Form.Record, _ request: WorkbenchRequest) -> AuditSubject {
        AuditSubject(draft.name)
    }

    func save(
        _ draft: Form.Record, over stored: AdStored<Form.Record>?, _ request: WorkbenchRequest
    ) async throws -> AdStored<Form.Record> {
        let revision = stored.map { Int64(request.form["revision"] ?? "") ?? $0.revision }
        return try await records.save(request.environmentID, draft, over: revision)
    }

    func faults(for problem: Problem, isNew: Bool) -> FieldErrors? {
        problem.code == .conflict ? FieldErrors("name", "\(problem.title) \(problem.detail ?? "")") : nil
    }

    func saved(
        _ stored: AdStored<Form.Record>, isNew: Bool, _ request: WorkbenchRequest
    ) -> WorkbenchResult {
        .redirect(
            to: request.address("ads", Form.folder, stored.record.id.rawValue),
            Flash("Saved “\(stored.record.name)”."))
    }

    // MARK: Removal

    func warning(about stored: AdStored<Form.Record>, _ request: WorkbenchRequest) -> String {
        "Everything that belongs to it is deleted too. Impressions and bills stay in the ledger and in reports."
    }

    func cancelPath(of stored: AdStored<Form.Record>, _ request: WorkbenchRequest) -> String {
        request.address("ads", Form.folder, stored.record.id.rawValue)
    }

    func remove(_ stored: AdStored<Form.Record>, _ request: WorkbenchRequest) async throws {
        try await records.remove(request.environmentID, stored.record.id, as: Form.Record.self)
    }

    func pathAfterRemoval(of stored: AdStored<Form.Record>, _ request: WorkbenchRequest) async throws
        -> String
    {
        try await back(stored.record.parentID, request).path
    }
}
