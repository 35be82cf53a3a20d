import InlayWire

/// Announcements: what devices show by themselves at a moment, without a network.
struct HubAnnouncementPages: Sendable {
    let services: ServerServices
    let stores: WorkbenchStores

    private struct Row {
        let rowPath: String
        let rowName: String
        let rowID: String
        let stateWords: String
        let stateStyle: String
        let tagWords: String
        let fires: Moment
    }

    private struct Model {
        let head: HubHead
        let list: ListModel<Row>
    }

    static func routes(_ services: ServerServices, _ stores: WorkbenchStores) -> [WorkbenchRoute] {
        let pages = HubAnnouncementPages(services: services, stores: stores)
        let root = "e/:environment/hub/:source/announcements"
        return [
            .page(root) { try await pages.list($0) },
            .page("\(root)/new", for: .editor) { request in
                pages.form(request, try await pages.stores.source(request), nil, faults: FieldErrors())
            },
            .form("\(root)/new", for: .editor) { try await pages.save($0, isNew: true) },
            .page("\(root)/:announcement") { request in
                let (source, item) = try await pages.found(request)
                return pages.form(request, source, item, faults: FieldErrors())
            },
            .form("\(root)/:announcement", for: .editor) { try await pages.save($0, isNew: false) },
            .page("\(root)/:announcement/delete", for: .editor) { try await pages.confirmDelete($0) },
            .form("\(root)/:announcement/delete", for: .editor) { try await pages.delete($0) },
        ]
    }

    private func found(_ request: WorkbenchRequest) async throws -> (HubSource, HubNotification) {
        let source = try await stores.source(request)
        let id = try request.parameter("announcement")
        guard let item = source.notifications.first(where: { $0.id == id }) else {
            throw Problem.notFound("announcement")
        }
        return (source, item)
    }

    private func path(_ request: WorkbenchRequest, _ source: HubSource) -> String {
        request.address("hub", source.id, "announcements")
    }

    private func list(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let source = try await stores.source(request)
        let path = path(request, source)
        let rows = source.notifications.sorted { ($0.fireAt, $0.id) > ($1.fireAt, $1.id) }.map { item in
            let isPast = item.fireAt <= request.now
            return Row(
                rowPath: "\(path)/\(FormFields.escaped(item.id))", rowName: item.title ?? item.message,
                rowID: item.id, stateWords: isPast ? "Past" : "Scheduled",
                stateStyle: isPast ? "" : "accent",
                tagWords: item.tags.isEmpty ? "Everybody" : item.tags.joined(separator: ", "),
                fires: request.moment(item.fireAt))
        }
        let model = Model(
            head: HubHead(source, tab: "announcements", for: request),
            list: ListModel(rows, path: path, for: request))
        return .page("\(source.name): announcements", "hub/announcements", model)
    }

    // MARK: The form

    private func form(
        _ request: WorkbenchRequest, _ source: HubSource, _ item: HubNotification?, faults: FieldErrors
    ) -> WorkbenchAnswer {
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
            FieldView.area("message", "What it says", typed("message", item?.message)).with {
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

    private func save(_ request: WorkbenchRequest, isNew: Bool) async throws -> WorkbenchAnswer {
        let source = try await stores.source(request)
        let known = isNew ? nil : try await found(request).1
        do {
            let item = try read(request, id: known?.id ?? request.form.trimmed("id"))
            try await stores.hub.content.keepAnnouncement(
                request.environmentID, source.id, item, isNew: isNew)
            try services.audit.record(
                isNew ? "created announcement" : "changed announcement", item.id, by: request,
                detail: source.id)
            return .redirect(
                to: path(request, source),
                Flash(
                    "Keeps “\(item.title ?? item.id)”. Devices hear of it with the next publish.",
                    next: .init(label: "Publish", path: request.address("hub", source.id, "publish"))))
        } catch let faults as FieldErrors {
            return form(request, source, known, faults: faults)
        } catch let problem as Problem where problem.code == .conflict {
            return form(request, source, known, faults: FieldErrors("id", problem.title))
        }
    }

    private func read(_ request: WorkbenchRequest, id: String) throws -> HubNotification {
        let form = request.form
        // A page of the Workbench stands where an announcement of this id would.
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

    // MARK: Taking away

    private func confirmDelete(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let (source, item) = try await found(request)
        return .confirm(
            "Delete", item.title ?? item.id,
            "Devices call it off with the next publish; where it was shown already, it stays.",
            at: request.path, back: path(request, source) + "/" + FormFields.escaped(item.id), for: request)
    }

    private func delete(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let (source, item) = try await found(request)
        try await stores.hub.content.removeAnnouncement(request.environmentID, source.id, item.id)
        try services.audit.record("deleted announcement", item.id, by: request, detail: source.id)
        return .redirect(
            to: path(request, source),
            Flash("Deleted “\(item.title ?? item.id)”. Devices hear of it with the next publish."))
    }
}
