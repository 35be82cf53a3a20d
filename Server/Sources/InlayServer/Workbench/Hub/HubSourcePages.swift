import InlayWire

/// Content sources: which there are, what one holds, how it is set.
struct HubSourcePages: Sendable {
    let services: ServerServices
    let stores: WorkbenchStores

    private struct Row {
        let rowPath: String
        let rowName: String
        let rowID: String
        let version: String
        let published: Moment?
    }

    private struct ContentModel {
        let head: HubHead
        let groups: [HubGroup]
        let isUntouched: Bool
        let canEdit: Bool
    }

    static func routes(_ services: ServerServices, _ stores: WorkbenchStores) -> [WorkbenchRoute] {
        let pages = HubSourcePages(services: services, stores: stores)
        let root = "e/:environment/hub"
        return [
            .page(root) { try await pages.list($0) },
            .page("\(root)/new", for: .editor) { pages.blank($0, faults: FieldErrors()) },
            .form("\(root)/new", for: .editor) { try await pages.make($0) },
            .page("\(root)/:source") { try await pages.content($0) },
            .page("\(root)/:source/settings") {
                pages.settings($0, try await stores.source($0), faults: FieldErrors())
            },
            .form("\(root)/:source/settings", for: .editor) { try await pages.saveSettings($0) },
        ]
    }

    private func list(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let sources = try await stores.hub.content.sources(request.environmentID)
        let rows = sources.map { source in
            Row(
                rowPath: request.address("hub", source.id), rowName: source.name, rowID: source.id,
                version: source.version > 0 ? "\(source.version)" : "–",
                published: source.publishedAt.map { request.moment($0) })
        }
        let model = ListModel(rows, path: request.address("hub"), for: request)
        return .page("Hub", "hub/sources", model)
    }

    private func content(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let source = try await stores.source(request)
        let items = try await stores.hub.content.items(request.environmentID, source.id)
        let model = ContentModel(
            head: HubHead(source, tab: "", for: request),
            groups: [.article, .channel, .hub].map { kind in
                HubGroup(kind, items.filter { $0.kind == kind }, of: source, for: request)
            },
            isUntouched: items.isEmpty, canEdit: request.may(.editor))
        return .page(source.name, "hub/content", model)
    }

    // MARK: Making and setting

    private func blank(_ request: WorkbenchRequest, faults: FieldErrors) -> WorkbenchAnswer {
        let fields = [
            FieldView.line("name", "Name", request.form["name"] ?? "", hint: "For your team."),
            FieldView.line(
                "id", "Id", request.form["id"] ?? "",
                hint: "Your app names it: a–z, digits and -. It never changes."),
        ]
        let model = FormModel(
            "New content source", in: ("Hub", request.address("hub")), at: request.address("hub", "new"),
            fields: fields, faults: faults, button: "Make the source", for: request)
        return .page(model.title, "form", model, status: faults.items.isEmpty ? 200 : 422)
    }

    private func make(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        do {
            let id = request.form.trimmed("id")
            // Pages of the Workbench stand where a source's would.
            if id == "new" { throw FieldErrors("id", "Choose another id.") }
            let source = try await stores.hub.content.createSource(
                request.environmentID, id: id, name: request.form.trimmed("name"))
            try services.audit.record("created content source", source.name, by: request)
            return .redirect(
                to: request.address("hub", source.id),
                Flash("Made “\(source.name)”. Write a channel and an article, then publish."))
        } catch let faults as FieldErrors {
            return blank(request, faults: faults)
        } catch let problem as Problem where problem.code == .conflict {
            return blank(request, faults: FieldErrors("id", "There is a source with this id already."))
        }
    }

    private func settings(
        _ request: WorkbenchRequest, _ source: HubSource, faults: FieldErrors
    ) -> WorkbenchAnswer {
        let form = request.form, settings = source.settings
        let typed = form["name"] != nil
        let fields = [
            FieldView.line("name", "Name", form["name"] ?? source.name),
            .line("language", "Language", form["language"] ?? settings.language, hint: "For example en."),
            .line(
                "appSchemes", "Schemes of your app",
                form["appSchemes"] ?? settings.appSchemes.joined(separator: ", "),
                hint: "Links such as harbor:tickets then open in your app."),
            .line(
                "timestampHours", "A timestamp is valid for",
                form["timestampHours"] ?? "\(settings.timestampHours)",
                hint: "The server renews it in time."
            ).with {
                $0.mode = "numeric"
                $0.unit = "hours"
            },
            .line("contentDays", "Content is valid for", form["contentDays"] ?? "\(settings.contentDays)")
                .with {
                    $0.mode = "numeric"
                    $0.unit = "days"
                },
            .check(
                "allowsScripts", "Articles may ask for scripts",
                typed ? form.isOn("allowsScripts") : settings.allowsScripts,
                hint: "They run in a closed frame, and only in articles that say so."),
        ]
        let model = HubFormModel(
            source, tab: "settings", fields: fields, faults: faults, button: "Save", for: request)
        return .page(
            "\(source.name): settings", "hub/form", model, status: faults.items.isEmpty ? 200 : 422)
    }

    private func saveSettings(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let source = try await stores.source(request)
        var settings = source.settings
        var faults = FieldErrors()
        settings.allowsScripts = request.form.isOn("allowsScripts")
        settings.language = request.form.trimmed("language")
        settings.appSchemes = TypedText.words(request.form["appSchemes"])
        settings.timestampHours = TypedText.number(request.form, "timestampHours", &faults)
        settings.contentDays = TypedText.number(request.form, "contentDays", &faults)
        do {
            try faults.throwIfAny()
            try await stores.hub.content.updateSource(
                request.environmentID, source.id, name: request.form.trimmed("name"), settings: settings)
        } catch let faults as FieldErrors {
            return self.settings(request, source, faults: faults)
        }
        try services.audit.record("changed content source", source.name, by: request)
        return .redirect(
            to: request.address("hub", source.id, "settings"),
            Flash("Saved. It holds from the next publish on."))
    }
}
