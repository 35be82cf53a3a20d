import Foundation
import InlayWire

/// The list of templates, new ones, and switching them off and on.
struct TemplatePages: Sendable {
    let services: ServerServices
    let stores: WorkbenchStores

    static func routes(_ services: ServerServices, _ stores: WorkbenchStores) -> [WorkbenchRoute] {
        let pages = TemplatePages(services: services, stores: stores)
        let root = "e/:environment/cards/templates"
        return [
            .page(root) { try await pages.list($0) },
            .page("\(root)/new", for: .editor) { pages.form($0, faults: FieldErrors()) },
            .form("\(root)/new", for: .editor) { try await pages.create($0) },
            .form("\(root)/:template/switch-off", for: .editor) { try await pages.switchTo(false, $0) },
            .form("\(root)/:template/switch-on", for: .editor) { try await pages.switchTo(true, $0) },
            .page("\(root)/:template/archive", for: .editor) { try await pages.confirmArchive($0) },
            .form("\(root)/:template/archive", for: .editor) { try await pages.archive($0) },
        ]
    }

    private func list(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let environmentID = try request.environmentID
        let templates = try await stores.templates.list(environmentID)
        let containers = try await stores.containers.list(environmentID)
        let totals = try await stores.analytics.totals(environmentID)
        let model = TemplateListModel(templates, containers: containers, totals: totals, for: request)
        return .page("Card templates", "cards/template-list", model)
    }

    // MARK: New

    private struct NewModel {
        struct Choice {
            let starterID: String
            let starterName: String
            let starterWords: String
            let isChosen: Bool
        }

        let csrf: String
        let listPath: String
        let formPath: String
        let faultSummary: FaultSummary?
        let fields: [FieldView]
        let starters: [Choice]
    }

    private func form(_ request: WorkbenchRequest, faults: FieldErrors) -> WorkbenchAnswer {
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
                    starterID: $0.id, starterName: $0.name, starterWords: $0.words, isChosen: $0.id == chosen)
            })
        return .page("New template", "cards/template-new", model, faults: faults)
    }

    private func create(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let starter = TemplateStarter.all.first { $0.id == request.form["starter"] } ?? TemplateStarter.all[0]
        let draft = CardTemplateDraft(
            name: request.form.trimmed("name"), eventName: request.form.trimmed("eventName"),
            definition: starter.definition)
        do {
            let template = try await stores.templates.create(request.environmentID, draft)
            try services.audit.record(
                "created template", draft.name, by: request)
            return .redirect(
                to: request.address("cards", "templates", template.id), Flash("Created “\(draft.name)”."))
        } catch let faults as FieldErrors {
            return form(request, faults: faults)
        }
    }

    // MARK: Off, on, archive

    private func found(_ request: WorkbenchRequest) async throws -> CardTemplate {
        try await request.found("template", stores.templates.template)
    }

    private func switchTo(_ isEnabled: Bool, _ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let template = try await found(request)
        try await stores.templates.setEnabled(request.environmentID, template.id, isEnabled)
        try services.audit.record(
            isEnabled ? "switched template on" : "switched template off", template.draft.name, by: request)
        let path = request.address("cards", "templates", template.id)
        let undo = Flash.Step(label: "Undo", path: path + (isEnabled ? "/switch-off" : "/switch-on"))
        let words = isEnabled ? "makes cards again" : "makes no new cards; those that exist stay"
        return .redirect(to: path, Flash("“\(template.draft.name)” \(words).", undo: undo))
    }

    private func confirmArchive(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let template = try await found(request)
        let path = request.address("cards", "templates", template.id)
        return .confirm(
            "Archive", template.draft.name,
            "It leaves the list and its event makes no more cards. Cards that users have stay, and so do its "
                + "numbers. It cannot be brought back here; switch it off instead to pause it.",
            at: path + "/archive", back: path, for: request)
    }

    private func archive(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let template = try await found(request)
        try await stores.templates.archive(request.environmentID, template.id)
        try services.audit.record(
            "archived template", template.draft.name, by: request)
        return .redirect(
            to: request.address("cards", "templates"), Flash("Archived “\(template.draft.name)”."))
    }
}
