import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The pages of templates: the list, the form of a new one, disabling, enabling and archiving.
struct TemplatePages: RecordFormPages, RecordRemovalPages {
    let services: ServerServices
    let cards: CardsFeature
    let root = "e/:environment/cards/templates"
    let noun = "template"
    let removal = RecordRemoval.archive

    static func routes(_ services: ServerServices, _ cards: CardsFeature) -> [WorkbenchRoute] {
        let pages = TemplatePages(services: services, cards: cards)
        let root = pages.root
        return [
            .page(root) { try await pages.list($0) },
            .form("\(root)/:template/switch-off", for: .editor) { try await pages.switchTo(false, $0) },
            .form("\(root)/:template/switch-on", for: .editor) { try await pages.switchTo(true, $0) },
        ] + pages.newRoutes + pages.removalRoutes
    }

    func find(_ request: WorkbenchRequest, _ id: String) async throws -> CardTemplate? {
        try await cards.templates.template(request.environmentID, CardTemplateID(id))
    }

    func name(of template: CardTemplate) -> String { template.draft.name }

    private func list(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let environmentID = try request.environmentID
        let templates = try await cards.templates.list(environmentID)
        let containers = try await cards.containers.list(environmentID)
        let totals = try await cards.numbers.totals(environmentID)
        let model = TemplateListModel(templates, containers: containers, totals: totals, for: request)
        return .page("Card templates", "cards/template-list", model)
    }

    // MARK: New

    private struct NewModel {
        struct Choice {
            let starterID: String
            let starterName: String
            let starterText: String
            let isChosen: Bool
        }

        let csrf: String
        let listPath: String
        let formPath: String
        let faultSummary: FaultSummary?
        let fields: [FieldView]
        let starters: [Choice]
    }

    /// Returns the form of a new template; existing ones are changed in the editor.
    func form(
        _ request: WorkbenchRequest, _ template: CardTemplate?, faults: FieldErrors
    ) -> WorkbenchResult {
        let chosen = request.form["starter"] ?? TemplateStarter.all[0].id
        let fields = [
            FieldView.line(
                "name", "Name", request.form["name"] ?? "", hint: "For your team, for example “Delay notice”."
            ),
            .line(
                "eventName", "Event name", request.form["eventName"] ?? "",
                hint: "Your backend sends it, for example ferry-delayed."),
        ].map { $0.with(faults: faults) }
        let list = request.address("cards", "templates")
        let model = NewModel(
            csrf: request.csrfToken, listPath: list, formPath: list + "/new",
            faultSummary: FaultSummary(faults, fields: fields),
            fields: fields,
            starters: TemplateStarter.all.map {
                .init(
                    starterID: $0.id, starterName: $0.name, starterText: $0.summary, isChosen: $0.id == chosen
                )
            })
        return .page("New template", "cards/template-new", model, faults: faults)
    }

    func draft(_ request: WorkbenchRequest, over template: CardTemplate?) -> CardTemplateDraft {
        let starter = TemplateStarter.all.first { $0.id == request.form["starter"] } ?? TemplateStarter.all[0]
        return CardTemplateDraft(
            name: request.form.trimmed("name"), eventName: request.form.trimmed("eventName"),
            definition: starter.definition)
    }

    func subject(of draft: CardTemplateDraft, _ request: WorkbenchRequest) -> AuditSubject {
        AuditSubject(draft.name)
    }

    func save(
        _ draft: CardTemplateDraft, over template: CardTemplate?, _ request: WorkbenchRequest
    ) async throws -> CardTemplate {
        try await cards.templates.create(request.environmentID, draft)
    }

    func saved(_ template: CardTemplate, isNew: Bool, _ request: WorkbenchRequest) -> WorkbenchResult {
        .redirect(
            to: request.address("cards", "templates", template.id.rawValue),
            Flash("Created “\(template.draft.name)”."))
    }

    // MARK: Off, on, archive

    private func switchTo(_ isEnabled: Bool, _ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let template = try await found(request)
        try await services.audit.record(
            isEnabled ? "switched template on" : "switched template off", template.draft.name, by: request
        ) { try await cards.templates.setEnabled(request.environmentID, template.id, isEnabled) }
        let path = request.address("cards", "templates", template.id.rawValue)
        let undo = Flash.Step(label: "Undo", path: path + (isEnabled ? "/switch-off" : "/switch-on"))
        let effect = isEnabled ? "makes cards again" : "makes no new cards; those that exist stay"
        return .redirect(to: path, Flash("“\(template.draft.name)” \(effect).", undo: undo))
    }

    func warning(about template: CardTemplate, _ request: WorkbenchRequest) -> String {
        "It is removed from the list, and its event creates no more cards. Existing cards stay, and so do its "
            + "numbers. It cannot be restored here; switch it off instead to pause it."
    }

    func cancelPath(of template: CardTemplate, _ request: WorkbenchRequest) -> String {
        request.address("cards", "templates", template.id.rawValue)
    }

    func remove(_ template: CardTemplate, _ request: WorkbenchRequest) async throws {
        try await cards.templates.archive(request.environmentID, template.id)
    }

    func pathAfterRemoval(of template: CardTemplate, _ request: WorkbenchRequest) -> String {
        request.address("cards", "templates")
    }
}
