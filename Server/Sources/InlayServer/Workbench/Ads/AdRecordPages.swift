import InlayWire

/// The pages of one kind of record: its list, its form, and taking it away.
struct AdRecordPages<Form: AdRecordForm>: Sendable {
    let services: ServerServices
    let stores: WorkbenchStores
    /// What the list says above itself and when it is empty.
    let words: String
    /// What a form shows below itself.
    var below: @Sendable (Form.Record, WorkbenchRequest) async throws -> AdRecordModel.Below = { _, _ in
        .init()
    }

    private var records: AdRecordStore { stores.ads.records }

    /// List, form and removal; kinds that belong to something have no list of their own.
    var routes: [WorkbenchRoute] {
        let root = "e/:environment/ads/\(Form.folder)"
        let whole: [WorkbenchRoute] =
            Form.Record.table.parent == nil ? [.page(root) { try await list($0) }] : []
        return whole + [
            .page("\(root)/new", for: .editor) { try await blank($0) },
            .form("\(root)/new", for: .editor) { try await save($0, nil) },
            .page("\(root)/:record") { try await show($0) },
            .form("\(root)/:record", for: .editor) { try await save($0, try await found($0)) },
            .page("\(root)/:record/delete", for: .editor) { try await confirm($0) },
            .form("\(root)/:record/delete", for: .editor) { try await delete($0) },
        ]
    }

    private func found(_ request: WorkbenchRequest) async throws -> AdStored<Form.Record> {
        let id = try request.parameter("record")
        guard let stored = try await records.find(request.environmentID, id, as: Form.Record.self) else {
            throw Problem.notFound(Form.noun)
        }
        return stored
    }

    private func list(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let all = try await records.list(request.environmentID, as: Form.Record.self)
        let table = AdTable(Form.self, all, parentID: nil, for: request)
        let title = AdTable.plural(Form.noun)
        return .page(title, "ads/list", AdListModel(title: title, words: words, table: table))
    }

    // MARK: One record

    private func show(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let stored = try await found(request)
        return try await page(
            Form.values(stored.record), stored, parentID: stored.record.parentID, request)
    }

    private func blank(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        try await page(Form.blank, nil, parentID: request.query["parent"] ?? "", request)
    }

    private func page(
        _ values: FormFields, _ stored: AdStored<Form.Record>?, parentID: String,
        faults: FieldErrors = FieldErrors(), _ request: WorkbenchRequest
    ) async throws -> WorkbenchAnswer {
        let title = stored?.record.name ?? "New \(Form.noun)"
        let path = request.address("ads", Form.folder, stored?.record.id ?? "new")
        let fields = Form.fields(values, try await choices(request)).map { field in
            // An id that somebody chose is chosen once.
            field.with { $0.isLocked = stored != nil && $0.name == "id" }
        }
        let form = FormModel(
            title, in: try await back(parentID, request), at: path, fields: fields, faults: faults,
            button: stored == nil ? "Make the \(Form.noun)" : "Save",
            actions: stored == nil
                ? [] : [.init(actionLabel: "Delete…", actionPath: path + "/delete", isForm: false)],
            for: request)
        // After a fault still the one that was read: a save in between must not be written over.
        let read = request.form["revision"].flatMap { Int64($0) }
        var model = AdRecordModel(form: form, parentID: parentID, revision: read ?? stored?.revision ?? 0)
        if let stored {
            let ids = Form.Record.table == .deals ? [] : [(AdTable.name(Form.noun) + " id", stored.record.id)]
            model = model.with(try await below(stored.record, request), ids: ids)
        }
        return .page(title, "ads/record", model, faults: faults)
    }

    /// What this kind of form lets choose, and no more: a list of all units is long.
    private func choices(_ request: WorkbenchRequest) async throws -> AdFormChoices {
        var choices = AdFormChoices()
        choices.zone = request.zone
        let environmentID = try request.environmentID
        if Form.Record.table == .campaigns {
            let segments = try await stores.behaviors.segments.segments(environmentID)
            choices.segments = segments.map { ($0.id, $0.name) }
        }
        if [.campaigns, .bidders, .deals].contains(Form.Record.table) {
            let apps = try await records.list(environmentID, as: AdApp.self).map(\.record)
            let names = Dictionary(apps.map { ($0.id, $0.name) }) { first, _ in first }
            choices.units = try await records.list(environmentID, as: AdUnit.self).map(\.record).map {
                ($0.id, "\(names[$0.parentID] ?? "") › \($0.name)")
            }.sorted { $0.1 < $1.1 }
        }
        if Form.Record.table == .deals {
            choices.bidders = try await records.list(environmentID, as: AdBidder.self).map {
                ($0.record.id, $0.record.name)
            }
        }
        return choices
    }

    /// What the record belongs to, or the list; throws `not-found` when it would belong to nothing.
    private func back(
        _ parentID: String, _ request: WorkbenchRequest
    ) async throws -> (name: String, path: String) {
        func parent<Parent: AdRecord>(
            _ type: Parent.Type, in folder: String
        ) async throws -> (name: String, path: String) {
            let found = try await records.find(request.environmentID, parentID, as: type)
            guard let found else { throw Problem.notFound(Parent.table.noun) }
            return (found.record.name, request.address("ads", folder, parentID))
        }
        switch Form.Record.table.parent {
        case .publishers: return try await parent(AdPublisher.self, in: AdPublisherForm.folder)
        case .apps: return try await parent(AdApp.self, in: AdAppForm.folder)
        case .campaigns: return try await parent(AdCampaign.self, in: AdCampaignForm.folder)
        default: return (AdTable.plural(Form.noun), request.address("ads", Form.folder))
        }
    }

    private func save(
        _ request: WorkbenchRequest, _ stored: AdStored<Form.Record>?
    ) async throws -> WorkbenchAnswer {
        let parentID = stored?.record.parentID ?? request.form.trimmed("parent")
        var faults = FieldErrors()
        let record = Form.record(
            AdTyped(form: request.form, zone: request.zone), id: stored?.record.id, parentID: parentID,
            faults: &faults)
        do {
            try faults.throwIfAny()
            let revision = stored == nil ? nil : Int64(request.form["revision"] ?? "") ?? stored?.revision
            try await keep(record, isNew: stored == nil, over: revision, request)
            return .redirect(
                to: request.address("ads", Form.folder, record.id), Flash("Saved “\(record.name)”."))
        } catch let faults as FieldErrors {
            return try await page(request.form, stored, parentID: parentID, faults: faults, request)
        }
    }

    private func keep(
        _ record: Form.Record, isNew: Bool, over revision: Int64?, _ request: WorkbenchRequest
    ) async throws {
        do {
            // A page of the Workbench stands where a record of this id would.
            if isNew, record.id == "new" { throw FieldErrors("id", "Choose another id.") }
            if isNew, try await records.find(request.environmentID, record.id, as: Form.Record.self) != nil {
                throw FieldErrors("id", "There is one with this id already.")
            }
            try await records.save(request.environmentID, record, over: revision)
        } catch let problem as Problem where problem.code == .conflict {
            throw FieldErrors("name", "\(problem.title) \(problem.detail ?? "")")
        }
        try services.audit.record(
            "\(isNew ? "created" : "changed") \(Form.noun)", record.name, by: request)
    }

    // MARK: Taking away

    private func confirm(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let record = try await found(request).record
        return .confirm(
            "Delete", record.name,
            "What belongs to it goes with it. What was shown and billed stays in the ledger and in reports.",
            at: request.path, back: request.address("ads", Form.folder, record.id), for: request)
    }

    private func delete(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let record = try await found(request).record
        try await records.remove(request.environmentID, record.id, from: Form.Record.table)
        try services.audit.record("deleted \(Form.noun)", record.name, by: request)
        return .redirect(
            to: try await back(record.parentID, request).path, Flash("Deleted “\(record.name)”."))
    }
}
