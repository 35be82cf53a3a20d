import InlayServerCore
@_spi(Inlay) import InlayWire

/// The page of environments: the list, new ones, names and time zones.
struct EnvironmentPages: Sendable {
    let services: ServerServices
    /// Prepares a new environment for all features.
    let prepare: EnvironmentPreparation

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
        let zoneText: String
        let zoneNames: [String]
        let faultSummary: FaultSummary?
        let fields: [FieldView]
        let isNewOpen: Bool
    }

    var routes: [WorkbenchRoute] {
        let root = "e/:environment/settings/environments"
        return [
            .page(root) { try await show($0, fault: nil) },
            .form("\(root)/new", for: .admin) { try await create($0) },
            .form("\(root)/rename", for: .admin) { try await rename($0) },
            .form("\(root)/time-zone", for: .admin) { try await setTimeZone($0) },
        ]
    }

    /// Returns the fields of the form of a new environment.
    static func newFields(_ form: FormFields) -> [FieldView] {
        [
            .line("name", "Name", form["name"] ?? "", hint: "For your team, for example “Harbor test”."),
            .line(
                "id", "Id", form["id"] ?? "",
                hint: "Apps send it: letters, digits, - and _. It cannot be changed."),
        ]
    }

    /// Creates and prepares an environment, and redirects to it.
    func createEnvironment(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let chosen = request.form.trimmed("id"), name = request.form.trimmed("name")
        let id = try EnvironmentStore.newID(chosen: chosen.isEmpty ? nil : chosen)
        let made = try await services.audit.record(
            "created environment", name, by: request, in: .other(id)
        ) { try await services.environments.create(id: id.rawValue, name: name, prepare: prepare) }
        return .redirect(
            to: WorkbenchRequest.address(environment: made.id.rawValue, ["overview"]),
            Flash("Created the environment “\(made.name)”."))
    }

    private func create(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        do {
            return try await createEnvironment(request)
        } catch let problem as Problem {
            return try await show(request, fault: problem)
        }
    }

    private func rename(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let name = request.form.trimmed("newName")
        do {
            try await services.audit.record("renamed environment", name, by: request) {
                try await services.environments.rename(request.environmentID, to: name)
            }
        } catch let problem as Problem {
            return try await show(request, fault: problem)
        }
        return .redirect(
            to: request.address("settings", "environments"), Flash("Renamed to “\(name)”."))
    }

    private func setTimeZone(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let name = request.form.trimmed("timeZone")
        let zone = CalendarZone(name) ?? request.serverZone
        do {
            try await services.audit.record("set time zone", zone.name, by: request) {
                try await services.environments.setTimeZone(request.environmentID, to: name)
            }
        } catch let problem as Problem {
            return try await show(request, fault: problem)
        }
        return .redirect(
            to: request.address("settings", "environments"),
            Flash("Days and times are now those of \(zone.name)."))
    }

    /// Returns the field for the time zone; a refused name is shown again.
    private static func zoneField(_ request: WorkbenchRequest, _ fault: Problem?) -> FieldView {
        let typed = request.form["timeZone"]
        let hint =
            "Type to search, for example Europe/Berlin. Empty: the server's, \(request.serverZone.name)."
        return FieldView.line(
            "timeZone", "Time zone", typed ?? request.environment?.timeZone?.name ?? "", hint: hint
        ).with { $0.list = "time-zones" }.with(fault: typed == nil ? nil : fault?.detail ?? fault?.title)
    }

    private func show(_ request: WorkbenchRequest, fault: Problem?) async throws -> WorkbenchResult {
        var rows: [Row] = []
        for environment in request.environments {
            rows.append(
                Row(
                    rowName: environment.name, rowID: environment.id.rawValue,
                    rowPath: WorkbenchRequest.address(environment: environment.id.rawValue, ["overview"]),
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
            zoneText: "The time there is \(request.moment(request.now).exact).",
            zoneNames: CalendarZone.names,
            faultSummary: fault.map { FaultSummary($0.title, $0.detail) },
            fields: Self.newFields(request.form),
            isNewOpen: fault != nil && request.form["newName"] == nil && request.form["timeZone"] == nil)
        return .page("Environments", "settings/environments", model, status: fault?.status ?? 200)
    }
}
