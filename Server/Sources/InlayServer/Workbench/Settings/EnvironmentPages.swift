import InlayWire

/// Environments: which there are, new ones, their names.
struct EnvironmentPages: Sendable {
    let services: ServerServices
    let stores: WorkbenchStores

    private struct Row {
        let rowName: String
        let rowID: String
        let rowPath: String
        let isCurrent: Bool
        let users: String
        let made: Moment
    }

    private struct Model {
        let csrf: String
        let path: String
        let isAdmin: Bool
        let rows: [Row]
        let renameField: FieldView
        let zoneField: FieldView
        let zoneWords: String
        let zoneNames: [String]
        let faultSummary: FaultSummary?
        let fields: [FieldView]
        let isNewOpen: Bool
    }

    static func routes(_ services: ServerServices, _ stores: WorkbenchStores) -> [WorkbenchRoute] {
        let pages = EnvironmentPages(services: services, stores: stores)
        let root = "e/:environment/settings/environments"
        return [
            .page(root) { try await pages.show($0, fault: nil) },
            .form("\(root)/new", for: .admin) { try await pages.create($0) },
            .form("\(root)/rename", for: .admin) { try await pages.rename($0) },
            .form("\(root)/time-zone", for: .admin) { try await pages.setTimeZone($0) },
        ]
    }

    /// The fields of a new environment.
    static func newFields(_ form: FormFields) -> [FieldView] {
        [
            .line("name", "Name", form["name"] ?? "", hint: "For people, for example “Harbor test”."),
            .line(
                "id", "Id", form["id"] ?? "",
                hint: "Apps send it: letters, digits, - and _. It never changes."),
        ]
    }

    /// Makes an environment with a container for its first cards, and leads there.
    func created(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let id = request.form.trimmed("id")
        let made = try await services.environments.create(
            id: id.isEmpty ? nil : id, name: request.form.trimmed("name"))
        try await stores.containers.save(made.id, id: "inbox", name: "Inbox")
        try services.audit.record("created environment", made.name, by: request, in: .other(made.id))
        return .redirect(
            to: WorkbenchRequest.address(environment: made.id, ["overview"]),
            Flash("Made the environment “\(made.name)”, with the container “Inbox”."))
    }

    private func create(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        do {
            return try await created(request)
        } catch let problem as Problem {
            return try await show(request, fault: problem)
        }
    }

    private func rename(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let name = request.form.trimmed("newName")
        do {
            try await services.environments.rename(request.environmentID, to: name)
        } catch let problem as Problem {
            return try await show(request, fault: problem)
        }
        try services.audit.record("renamed environment", name, by: request)
        return .redirect(
            to: request.address("settings", "environments"), Flash("It is called “\(name)” now."))
    }

    private func setTimeZone(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let name = request.form.trimmed("timeZone")
        do {
            try await services.environments.setTimeZone(request.environmentID, to: name)
        } catch let problem as Problem {
            return try await show(request, fault: problem)
        }
        let zone = CalendarZone(name) ?? request.serverZone
        try services.audit.record("set time zone", zone.name, by: request)
        return .redirect(
            to: request.address("settings", "environments"),
            Flash("Days and times are those of \(zone.name) now."))
    }

    /// The field for the zone; a name that was refused is shown again.
    private static func zoneField(_ request: WorkbenchRequest, _ fault: Problem?) -> FieldView {
        let typed = request.form["timeZone"]
        let hint =
            "Type to search, for example Europe/Berlin. Empty: the server's, \(request.serverZone.name)."
        return FieldView.line(
            "timeZone", "Time zone", typed ?? request.environment?.timeZone?.name ?? "", hint: hint
        ).with { $0.list = "time-zones" }.with(fault: typed == nil ? nil : fault?.detail ?? fault?.title)
    }

    private func show(_ request: WorkbenchRequest, fault: Problem?) async throws -> WorkbenchAnswer {
        var rows: [Row] = []
        for environment in request.environments {
            rows.append(
                Row(
                    rowName: environment.name, rowID: environment.id,
                    rowPath: WorkbenchRequest.address(environment: environment.id, ["overview"]),
                    isCurrent: environment.id == request.environment?.id,
                    users: Count.grouped(try await services.users.count(environment.id)),
                    made: request.moment(environment.createdAt)))
        }
        let current = request.form["newName"] ?? request.environment?.name ?? ""
        let model = Model(
            csrf: request.csrfToken, path: request.address("settings", "environments"),
            isAdmin: request.may(.admin),
            rows: rows, renameField: .line("newName", "Name of this environment", current),
            zoneField: Self.zoneField(request, fault),
            zoneWords: "It is \(request.moment(request.now).exact) now.", zoneNames: CalendarZone.names,
            faultSummary: fault.map { FaultSummary($0.title, $0.detail) },
            fields: Self.newFields(request.form),
            isNewOpen: fault != nil && request.form["newName"] == nil && request.form["timeZone"] == nil)
        return .page("Environments", "settings/environments", model, status: fault?.status ?? 200)
    }
}
