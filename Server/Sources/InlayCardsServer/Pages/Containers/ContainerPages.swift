import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The pages of containers: the list, a container's form, the choice of the default one, and archiving.
struct ContainerPages: RecordFormPages, RecordRemovalPages {
    let services: ServerServices
    let cards: CardsFeature
    let root = "e/:environment/cards/containers"
    let noun = "container"
    let removal = RecordRemoval.archive

    /// The values of a container that an operator typed.
    struct Draft: Sendable {
        let id: CardContainerID
        let name: String
        let themeID: CardThemeID?
    }

    private struct Row {
        let csrf: String
        let rowPath: String
        let rowName: String
        let rowID: String
        let themeName: String
        let isDefault: Bool
        let templates: String
        let made: Moment
    }

    static func routes(_ services: ServerServices, _ cards: CardsFeature) -> [WorkbenchRoute] {
        let pages = ContainerPages(services: services, cards: cards)
        return [
            .page(pages.root) { try await pages.list($0) },
            .form("\(pages.root)/:container/default", for: .editor) { try await pages.makeDefault($0) },
        ] + pages.newRoutes + pages.changeRoutes + pages.removalRoutes
    }

    func find(_ request: WorkbenchRequest, _ id: String) async throws -> CardContainer? {
        try await cards.containers.container(request.environmentID, CardContainerID(id))
    }

    func name(of container: CardContainer) -> String { container.name }

    private func list(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let environmentID = try request.environmentID
        let containers = try await cards.containers.list(environmentID)
        let themes = try await cards.themes.list(environmentID)
        let templates = try await cards.templates.list(environmentID)
        let path = request.address("cards", "containers")
        let rows = containers.map { container in
            let shownTemplates = templates.filter { template in
                let ids = template.draft.containerIDs
                return ids.isEmpty ? container.isDefault : ids.contains(container.id)
            }
            return Row(
                csrf: request.csrfToken, rowPath: "\(path)/\(FormFields.escaped(container.id.rawValue))",
                rowName: container.name, rowID: container.id.rawValue,
                themeName: themes.first { $0.id == container.themeID }?.name ?? "Default theme",
                isDefault: container.isDefault, templates: Count.grouped(shownTemplates.count),
                made: request.moment(container.createdAt))
        }
        return .page("Containers", "cards/containers", ListModel(rows, path: path, for: request))
    }

    func form(
        _ request: WorkbenchRequest, _ container: CardContainer?, faults: FieldErrors
    ) async throws -> WorkbenchResult {
        let themes = try await cards.themes.list(request.environmentID)
        let choices = [("", "Default theme")] + themes.map { ($0.id.rawValue, $0.name) }
        var fields: [FieldView] = [
            .line("name", "Name", request.form["name"] ?? container?.name ?? "", hint: "For your team."),
            .choice(
                "themeID", "Theme", request.form["themeID"] ?? container?.themeID?.rawValue ?? "", of: choices
            ),
        ]
        if container == nil {
            let hint = "Your app uses it: letters, digits, - and _. It cannot be changed."
            fields.insert(.line("id", "Id", request.form["id"] ?? "", hint: hint), at: 1)
        }
        let list = request.address("cards", "containers")
        let path = list + "/" + (container.map { FormFields.escaped($0.id.rawValue) } ?? "new")
        let canChange = container.map { !$0.isDefault } ?? false
        let actions: [FormModel.Action] = [
            .init(actionLabel: "Make default", actionPath: path + "/default", isForm: true),
            .init(actionLabel: "Archive…", actionPath: path + "/archive", isForm: false),
        ]
        let model = FormModel(
            container?.name ?? "New container", in: ("Containers", list), at: path, fields: fields,
            faults: faults, button: container == nil ? "Create container" : "Save",
            actions: canChange ? actions : [], for: request)
        return .page(model.title, "form", model, faults: faults)
    }

    func draft(_ request: WorkbenchRequest, over known: CardContainer?) async throws -> Draft {
        let id = known?.id ?? CardContainerID(request.form.trimmed("id"))
        let theme = request.form.trimmed("themeID")
        // The page "New container" has the address that a container with this id would have.
        if id.rawValue == "new" { throw FieldErrors("id", "Choose another id.") }
        if known == nil, try await find(request, id.rawValue) != nil {
            throw FieldErrors("id", "There is a container with this id already.")
        }
        return Draft(
            id: id, name: request.form.trimmed("name"), themeID: theme.isEmpty ? nil : CardThemeID(theme))
    }

    func subject(of draft: Draft, _ request: WorkbenchRequest) -> AuditSubject { AuditSubject(draft.name) }

    func save(
        _ draft: Draft, over known: CardContainer?, _ request: WorkbenchRequest
    ) async throws -> CardContainer {
        try await cards.containers.save(
            request.environmentID, id: draft.id, name: draft.name, themeID: draft.themeID)
    }

    func saved(_ container: CardContainer, isNew: Bool, _ request: WorkbenchRequest) -> WorkbenchResult {
        .redirect(
            to: request.address("cards", "containers"),
            Flash(
                isNew
                    ? "Created the container “\(container.name)”."
                    : "Saved “\(container.name)”. Apps show it after their next refresh."))
    }

    private func makeDefault(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let container = try await found(request)
        let before = try await cards.containers.list(request.environmentID).first { $0.isDefault }
        try await services.audit.record("set default container", container.name, by: request) {
            try await cards.containers.makeDefault(request.environmentID, container.id)
        }
        let undo = before.map {
            Flash.Step(label: "Undo", path: request.address("cards", "containers", $0.id.rawValue, "default"))
        }
        return .redirect(
            to: request.address("cards", "containers"),
            Flash("Templates without a container appear in “\(container.name)” now.", undo: undo))
    }

    // MARK: Removal

    func warning(about container: CardContainer, _ request: WorkbenchRequest) -> String {
        "Apps show no cards in this container any more. Create a container with the same id to bring it back."
    }

    func cancelPath(of container: CardContainer, _ request: WorkbenchRequest) -> String {
        request.address("cards", "containers", container.id.rawValue)
    }

    func remove(_ container: CardContainer, _ request: WorkbenchRequest) async throws {
        try await cards.containers.archive(request.environmentID, container.id)
    }

    func pathAfterRemoval(of container: CardContainer, _ request: WorkbenchRequest) -> String {
        request.address("cards", "containers")
    }
}
