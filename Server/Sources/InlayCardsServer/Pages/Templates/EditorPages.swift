import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The pages of a template's editor: the form with saving and publishing, and the preview.
struct EditorPages: Sendable {
    let services: ServerServices
    let cards: CardsFeature

    /// The model of the page: the head and the form.
    struct Model {
        let head: TemplateHead
        let editor: EditorModel
        let formPath: String
        let previewPath: String
        let archivePath: String
        let savedText: String
    }

    static func routes(_ services: ServerServices, _ cards: CardsFeature) -> [WorkbenchRoute] {
        let pages = EditorPages(services: services, cards: cards)
        let root = "e/:environment/cards/templates/:template"
        return [
            .page(root) { try await pages.show($0) },
            .form(root, for: .editor) { try await pages.submit($0) },
            .page("\(root)/preview") { try await pages.previewSaved($0) },
            .form("\(root)/preview", for: .editor) { try await pages.previewTyped($0) },
        ]
    }

    private func template(_ request: WorkbenchRequest) async throws -> CardTemplate {
        try await request.found("template", cards.templates.template)
    }

    private func show(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let template = try await template(request)
        return try await page(
            TemplateForm(template.draft, in: request.zone), of: template, revision: template.revision,
            for: request)
    }

    /// Handles a press of any button of the form; the typed values are never lost.
    private func submit(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let template = try await template(request)
        var form = TemplateForm(request.form)
        let revision = request.form["revision"].flatMap { Int64($0) } ?? template.revision
        let operation = request.form["op"] ?? "save"
        if let step = EditorStep(operation) {
            step.apply(to: &form)
            return try await page(form, of: template, revision: revision, for: request)
        }
        do {
            return try await save(
                form, of: template, revision: revision, publishes: operation == "publish", for: request)
        } catch let faults as FieldErrors {
            return try await page(form, of: template, revision: revision, faults: faults, for: request)
        } catch let problem as Problem where problem.code == .conflict {
            let notice = FaultSummary(
                problem.title,
                "Open the template in another tab to see the other version; yours is below, unsaved.")
            return try await page(form, of: template, revision: revision, notice: notice, for: request)
        }
    }

    private func save(
        _ form: TemplateForm, of template: CardTemplate, revision: Int64, publishes: Bool,
        for request: WorkbenchRequest
    ) async throws -> WorkbenchResult {
        let environmentID = try request.environmentID
        let draft = try Self.checked(form, in: request.zone)
        var saved = template
        if draft != template.draft || revision != template.revision {
            saved = try await cards.templates.save(environmentID, template.id, draft, over: revision)
        }
        let path = request.address("cards", "templates", template.id.rawValue)
        guard publishes else {
            return .redirect(to: path, Flash("Saved “\(draft.name)”. Users see it after you publish it."))
        }
        let published = try await cards.templates.publish(environmentID, saved.id)
        try services.audit.record(
            "published template", draft.name, by: request, detail: "version \(published.publishedVersion)")
        let next = Flash.Step(label: "Send a test card", path: path + "/send")
        return .redirect(
            to: path, Flash("Published “\(draft.name)”, version \(published.publishedVersion).", next: next))
    }

    /// Returns the draft of a form; throws all faults together: of values that could not be read, and of invalid ones.
    static func checked(_ form: TemplateForm, in zone: CalendarZone) throws -> CardTemplateDraft {
        var (draft, faults) = form.draft(in: zone)
        do {
            try CardTemplateCheck.validate(draft)
        } catch let invalid as FieldErrors {
            let unreadable = Set(faults.items.map(\.field))
            for item in invalid.items where !unreadable.contains(item.field) {
                faults.add(item.field, item.message)
            }
        }
        try faults.throwIfAny()
        return draft
    }

    private func page(
        _ form: TemplateForm, of template: CardTemplate, revision: Int64, faults: FieldErrors = FieldErrors(),
        notice: FaultSummary? = nil, for request: WorkbenchRequest
    ) async throws -> WorkbenchResult {
        let containers = try await cards.containers.list(request.environmentID)
        let editor = EditorModel(
            form, revision: revision, containers: containers, faults: faults, notice: notice, for: request)
        if request.wantsFragment { return .fragment(template: "cards/editor-parts", model: editor) }
        let path = request.address("cards", "templates", template.id.rawValue)
        let model = Model(
            head: TemplateHead(template, tab: "", for: request), editor: editor, formPath: path,
            previewPath: path + "/preview", archivePath: path + "/archive",
            savedText: "Saved \(request.moment(template.updatedAt).words)")
        let isFaulty = !faults.items.isEmpty || notice != nil
        return .page(
            template.draft.name, "cards/editor", model, scripts: ["editor.js"], status: isFaulty ? 422 : 200)
    }

    // MARK: Preview

    private func previewSaved(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let template = try await template(request)
        let wantsPublished = request.query["of"] == "published"
        let published =
            wantsPublished
            ? try await cards.templates.publishedDraft(request.environmentID, template.id) : nil
        return try await preview(published ?? template.draft, request.query, for: request)
    }

    private func previewTyped(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        _ = try await template(request)
        return try await preview(
            TemplateForm(request.form).draft(in: request.zone).draft, request.form, for: request)
    }

    private func preview(
        _ draft: CardTemplateDraft, _ fields: FormFields, for request: WorkbenchRequest
    ) async throws -> WorkbenchResult {
        let environmentID = try request.environmentID
        let containers = try await cards.containers.list(environmentID)
        let container =
            containers.first { draft.containerIDs.contains($0.id) } ?? containers.first { $0.isDefault }
        var appearance: CardAppearance?
        if let container { appearance = try await cards.containers.appearance(environmentID, container.id) }
        return try .preview(draft, appearance, fields)
    }
}
