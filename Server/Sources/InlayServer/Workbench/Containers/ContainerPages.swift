import InlayWire

/// Containers: which there are, how they look, which one is the default.
struct ContainerPages: Sendable {
    let services: ServerServices
    let stores: WorkbenchStores

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

    static func routes(_ services: ServerServices, _ stores: WorkbenchStores) -> [WorkbenchRoute] {
        let pages = ContainerPages(services: services, stores: stores)
        let root = "e/:environment/cards/containers"
        return [
            .page(root) { try await pages.list($0) },
            .page("\(root)/new", for: .editor) { try await pages.form($0, nil, faults: FieldErrors()) },
            .form("\(root)/new", for: .editor) { try await pages.save($0, nil) },
            .page("\(root)/:container") {
                try await pages.form($0, try await pages.found($0), faults: FieldErrors())
            },
            .form("\(root)/:container", for: .editor) { try await pages.save($0, try await pages.found($0)) },
            .form("\(root)/:container/default", for: .editor) { try await pages.makeDefault($0) },
            .page("\(root)/:container/archive", for: .editor) { try await pages.confirmArchive($0) },
            .form("\(root)/:container/archive", for: .editor) { try await pages.archive($0) },
        ]
    }

    private func found(_ request: WorkbenchRequest) async throws -> CardContainer {
        try await request.found("container", stores.containers.container)
    }

    private func list(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let environmentID = try request.environmentID
        let containers = try await stores.containers.list(environmentID)
        let themes = try await stores.themes.list(environmentID)
        let templates = try await stores.templates.list(environmentID)
        let path = request.address("cards", "containers")
        let rows = containers.map { container in
            let here = templates.filter { template in
                let ids = template.draft.containerIDs
                return ids.isEmpty ? container.isDefault : ids.contains(container.id)
            }
            return Row(
                csrf: request.csrfToken, rowPath: "\(path)/\(FormFields.escaped(container.id))",
                rowName: container.name, rowID: container.id,
                themeName: themes.first { $0.id == container.themeID }?.name ?? "Inlay’s own look",
                isDefault: container.isDefault, templates: Count.grouped(here.count),
                made: request.moment(container.createdAt))
        }
        return .page("Containers", "cards/containers", ListModel(rows, path: path, for: request))
    }

    private func form(
        _ request: WorkbenchRequest, _ container: CardContainer?, faults: FieldErrors
    ) async throws -> WorkbenchAnswer {
        let themes = try await stores.themes.list(request.environmentID)
        let choices = [("", "Inlay’s own look")] + themes.map { ($0.id, $0.name) }
        var fields: [FieldView] = [
            .line("name", "Name", request.form["name"] ?? container?.name ?? "", hint: "For your team."),
            .choice("themeID", "Theme", request.form["themeID"] ?? container?.themeID ?? "", of: choices),
        ]
        if container == nil {
            let hint = "Your app names it: letters, digits, - and _. It never changes."
            fields.insert(.line("id", "Id", request.form["id"] ?? "", hint: hint), at: 1)
        }
        let list = request.address("cards", "containers")
        let path = list + "/" + (container.map { FormFields.escaped($0.id) } ?? "new")
        let canChange = container.map { !$0.isDefault } ?? false
        let actions: [FormModel.Action] = [
            .init(actionLabel: "Make it the default", actionPath: path + "/default", isForm: true),
            .init(actionLabel: "Archive…", actionPath: path + "/archive", isForm: false),
        ]
        let model = FormModel(
            container?.name ?? "New container", in: ("Containers", list), at: path, fields: fields,
            faults: faults, button: container == nil ? "Make the container" : "Save",
            actions: canChange ? actions : [], for: request)
        return .page(model.title, "form", model, faults: faults)
    }

    private func save(_ request: WorkbenchRequest, _ known: CardContainer?) async throws -> WorkbenchAnswer {
        let environmentID = try request.environmentID
        let id = known?.id ?? request.form.trimmed("id")
        let theme = request.form.trimmed("themeID")
        do {
            // A page of the Workbench stands where a container of this id would.
            if id == "new" { throw FieldErrors("id", "Choose another id.") }
            if known == nil, try await stores.containers.container(environmentID, id) != nil {
                throw FieldErrors("id", "There is a container with this id already.")
            }
            let saved = try await stores.containers.save(
                environmentID, id: id, name: request.form.trimmed("name"),
                themeID: theme.isEmpty ? nil : theme)
            try services.audit.record(
                known == nil ? "created container" : "changed container", saved.name, by: request)
            return .redirect(
                to: request.address("cards", "containers"),
                Flash(
                    known == nil
                        ? "Made the container “\(saved.name)”."
                        : "Saved “\(saved.name)”. Apps show it at their next look."))
        } catch let faults as FieldErrors {
            return try await form(request, known, faults: faults)
        }
    }

    private func makeDefault(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let container = try await found(request)
        let before = try await stores.containers.list(request.environmentID).first { $0.isDefault }
        try await stores.containers.makeDefault(request.environmentID, container.id)
        try services.audit.record(
            "made container the default", container.name, by: request)
        let undo = before.map {
            Flash.Step(label: "Undo", path: request.address("cards", "containers", $0.id, "default"))
        }
        return .redirect(
            to: request.address("cards", "containers"),
            Flash("Templates that name no container appear in “\(container.name)” now.", undo: undo))
    }

    private func confirmArchive(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let container = try await found(request)
        let path = request.address("cards", "containers", container.id)
        return .confirm(
            "Archive", container.name,
            "Apps that show this container see nothing in it any more. A container with the same id brings it back.",
            at: path + "/archive", back: path, for: request)
    }

    private func archive(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let container = try await found(request)
        try await stores.containers.archive(request.environmentID, container.id)
        try services.audit.record(
            "archived container", container.name, by: request)
        return .redirect(to: request.address("cards", "containers"), Flash("Archived “\(container.name)”."))
    }
}
