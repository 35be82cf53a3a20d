import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The pages of content sources: the list, the content of a source, its settings.
struct HubSourcePages: RecordFormPages {
    let services: ServerServices
    let hub: HubFeature
    let root = "e/:environment/hub"
    let noun = "content source"
    let parameter = "source"
    let changePath = "e/:environment/hub/:source/settings"

    /// The typed values of a source.
    struct Draft: Sendable {
        let id: HubSourceID
        let name: String
        var settings = HubSettings()
    }

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

    static func routes(_ services: ServerServices, _ hub: HubFeature) -> [WorkbenchRoute] {
        let pages = HubSourcePages(services: services, hub: hub)
        return [
            .page(pages.root) { try await pages.list($0) },
            .page("\(pages.root)/:source") { try await pages.content($0) },
        ] + pages.newRoutes + pages.changeRoutes
    }

    func find(_ request: WorkbenchRequest, _ id: String) async throws -> HubSource? {
        try await hub.content.source(request.environmentID, HubSourceID(id))
    }

    func name(of source: HubSource) -> String { source.name }

    private func list(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let sources = try await hub.content.sources(request.environmentID)
        let rows = sources.map { source in
            Row(
                rowPath: request.address("hub", source.id.rawValue), rowName: source.name,
                rowID: source.id.rawValue,
                version: source.version > 0 ? "\(source.version)" : "–",
                published: source.publishedAt.map { request.moment($0) })
        }
        let model = ListModel(rows, path: request.address("hub"), for: request)
        return .page("Hub", "hub/sources", model)
    }

    private func content(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let source = try await hub.source(request)
        let items = try await hub.content.items(request.environmentID, source.id)
        let model = ContentModel(
            head: HubHead(source, tab: "", for: request),
            groups: [.article, .channel, .hub].map { kind in
                HubGroup(kind, items.filter { $0.kind == kind }, of: source, for: request)
            },
            isUntouched: items.isEmpty, canEdit: request.may(.editor))
        return .page(source.name, "hub/content", model)
    }

    // MARK: The forms

    func form(
        _ request: WorkbenchRequest, _ source: HubSource?, faults: FieldErrors
    ) -> WorkbenchResult {
        source.map { settings(request, $0, faults: faults) } ?? blank(request, faults: faults)
    }

    private func blank(_ request: WorkbenchRequest, faults: FieldErrors) -> WorkbenchResult {
        let fields = [
            FieldView.line("name", "Name", request.form["name"] ?? "", hint: "For your team."),
            FieldView.line(
                "id", "Id", request.form["id"] ?? "",
                hint: "Your app uses it: a–z, digits and -. It cannot be changed."),
        ]
        let model = FormModel(
            "New content source", in: ("Hub", request.address("hub")), at: request.address("hub", "new"),
            fields: fields, faults: faults, button: "Create source", for: request)
        return .page(model.title, "form", model, status: faults.items.isEmpty ? 200 : 422)
    }

    private func settings(
        _ request: WorkbenchRequest, _ source: HubSource, faults: FieldErrors
    ) -> WorkbenchResult {
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
                hint: "The server renews it automatically."
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
                "usesTypographicPunctuation", "Typographic punctuation",
                typed ? form.isOn("usesTypographicPunctuation") : settings.usesTypographicPunctuation,
                hint: "In Markdown, -- becomes – and straight quotes become curly ones, always as in English."
            ),
            .check(
                "allowsScripts", "Allow scripts in articles",
                typed ? form.isOn("allowsScripts") : settings.allowsScripts,
                hint: "They run in a sandboxed frame, and only in articles that use scripts."),
        ]
        let model = HubFormModel(
            source, tab: "settings", fields: fields, faults: faults, button: "Save", for: request)
        return .page(
            "\(source.name): settings", "hub/form", model, status: faults.items.isEmpty ? 200 : 422)
    }

    func draft(_ request: WorkbenchRequest, over source: HubSource?) throws -> Draft {
        let form = request.form
        let name = form.trimmed("name")
        guard let source else {
            let id = HubSourceID(form.trimmed("id"))
            // The page for a new source has the path that a source with this id would have.
            if id.rawValue == "new" { throw FieldErrors("id", "Choose another id.") }
            return Draft(id: id, name: name)
        }
        var settings = source.settings
        var faults = FieldErrors()
        settings.allowsScripts = form.isOn("allowsScripts")
        settings.language = form.trimmed("language")
        settings.usesTypographicPunctuation = form.isOn("usesTypographicPunctuation")
        settings.appSchemes = TypedText.words(form["appSchemes"])
        settings.timestampHours = TypedText.number(form, "timestampHours", &faults)
        settings.contentDays = TypedText.number(form, "contentDays", &faults)
        try faults.throwIfAny()
        return Draft(id: source.id, name: name, settings: settings)
    }

    func subject(of draft: Draft, _ request: WorkbenchRequest) -> AuditSubject { AuditSubject(draft.name) }

    func save(
        _ draft: Draft, over source: HubSource?, _ request: WorkbenchRequest
    ) async throws -> HubSource {
        guard source != nil else {
            return try await hub.content.createSource(
                request.environmentID, id: draft.id, name: draft.name)
        }
        return try await hub.content.updateSource(
            request.environmentID, draft.id, name: draft.name, settings: draft.settings)
    }

    func faults(for problem: Problem, isNew: Bool) -> FieldErrors? {
        guard isNew, problem.code == .conflict else { return nil }
        return FieldErrors("id", "There is a source with this id already.")
    }

    func saved(_ source: HubSource, isNew: Bool, _ request: WorkbenchRequest) -> WorkbenchResult {
        isNew
            ? .redirect(
                to: request.address("hub", source.id.rawValue),
                Flash("Created “\(source.name)”. Write a channel and an article, then publish."))
            : .redirect(
                to: request.address("hub", source.id.rawValue, "settings"),
                Flash("Saved. It takes effect with the next publish."))
    }
}
