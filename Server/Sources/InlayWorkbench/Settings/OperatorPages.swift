import InlayServerCore
@_spi(Inlay) import InlayWire

/// The pages of operators and their roles, of the audit log, and of the operator's own password.
struct OperatorPages: Sendable {
    let services: ServerServices

    private struct Row {
        let csrf: String
        let login: String
        let role: String
        let isSelf: Bool
        let isDisabled: Bool
        let state: String
        let stateStyle: String
        let roles: [ChoiceView]
        let path: String
        let made: Moment
    }

    private struct ListModel {
        let csrf: String
        let path: String
        let rows: [Row]
        let faultSummary: FaultSummary?
        let fields: [FieldView]

        package init(
            csrf: String, path: String, rows: [Row], faultSummary: FaultSummary?, fields: [FieldView]
        ) {
            self.csrf = csrf
            self.path = path
            self.rows = rows
            self.faultSummary = faultSummary
            self.fields = fields
        }
    }

    private struct AuditModel {
        let rows: [AuditRow]
        let hasRows: Bool
        let scopes: [ChoiceView]
        let path: String
    }

    private struct AccountModel {
        let csrf: String
        let path: String
        let login: String
        let role: String
        let faultSummary: FaultSummary?
        let fields: [FieldView]
    }

    static func routes(_ services: ServerServices) -> [WorkbenchRoute] {
        let pages = OperatorPages(services: services)
        let root = "e/:environment/settings/operators"
        return [
            .page(root, for: .admin) { try await pages.list($0, fault: nil) },
            .form("\(root)/new", for: .admin) { try await pages.add($0) },
            .form("\(root)/:operator/role", for: .admin) { try await pages.setRole($0) },
            .form("\(root)/:operator/shut-out", for: .admin) { try await pages.setDisabled(true, $0) },
            .form("\(root)/:operator/let-in", for: .admin) { try await pages.setDisabled(false, $0) },
            .page("\(root)/:operator/password", for: .admin) { try await pages.confirmPassword($0) },
            .form("\(root)/:operator/password", for: .admin) { try await pages.resetPassword($0) },
            .page("e/:environment/settings/audit", for: .admin) { try await pages.audit($0) },
            .page("e/:environment/settings/account") { pages.account($0, fault: nil) },
            .form(
                "e/:environment/settings/account", for: .analyst, secrets: ["old", "new", "again"]
            ) { try await pages.changePassword($0) },
        ]
    }

    private static let roles = [
        ("analyst", "Analyst: looks"), ("editor", "Editor: writes and sends"), ("admin", "Admin: everything"),
    ]

    private func list(_ request: WorkbenchRequest, fault: Problem?) async throws -> WorkbenchResult {
        let root = request.address("settings", "operators")
        let rows = try await services.operators.operators().map { `operator` in
            Row(
                csrf: request.csrfToken, login: `operator`.login, role: `operator`.role.rawValue,
                isSelf: `operator`.id == request.operator.id, isDisabled: `operator`.disabledAt != nil,
                state: `operator`.disabledAt == nil ? "Active" : "Disabled",
                stateStyle: `operator`.disabledAt == nil ? "good" : "warn",
                roles: ChoiceView.list(Self.roles, chosen: `operator`.role.rawValue),
                path: "\(root)/\(FormFields.escaped(`operator`.id))",
                made: request.moment(`operator`.createdAt))
        }
        let fields: [FieldView] = [
            .line("login", "Login", request.form["login"] ?? "", hint: "For example a mail address."),
            .choice("role", "Role", request.form["role"] ?? "editor", of: Self.roles),
        ]
        let model = ListModel(
            csrf: request.csrfToken, path: root, rows: rows,
            faultSummary: fault.map { FaultSummary($0.title, $0.detail) }, fields: fields)
        return .page("Operators", "settings/operators", model, status: fault?.status ?? 200)
    }

    private func add(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let role = OperatorRole(rawValue: request.form["role"] ?? "") ?? .analyst
        let password = Secret.random(bytes: 12)
        do {
            let login = OperatorStore.plain(request.form.trimmed("login"))
            let `operator` = try await recorded("created operator", login, request, detail: role.rawValue) {
                try await services.operators.create(
                    login: login, password: password, role: role, isTemporary: true)
            }
            return shownOncePage(`operator`, password, request)
        } catch let problem as Problem {
            return try await list(request, fault: problem)
        }
    }

    private func shownOncePage(_ `operator`: Operator, _ password: String, _ request: WorkbenchRequest)
        -> WorkbenchResult
    {
        struct Model {
            let title: String, words: String, keyID: String, secret: String, sample: String?, back: String
        }
        let model = Model(
            title: "Password of \(`operator`.login)",
            words:
                "It is shown only now. Pass it on in person or over a secure channel; it must be changed at the first sign-in.",
            keyID: `operator`.login, secret: password, sample: nil,
            back: request.address("settings", "operators"))
        return .page(model.title, "settings/shown-once", model)
    }

    private func found(_ request: WorkbenchRequest) async throws -> Operator {
        let id = try request.parameter("operator")
        guard let `operator` = try await services.operators.operators().first(where: { $0.id == id }) else {
            throw Problem.notFound("operator", named: id)
        }
        // Operators cannot change their own account here: a disabled last admin could not be enabled again.
        guard `operator`.id != request.operator.id else {
            throw Problem(
                .conflict, status: 409, title: "This is your own account.",
                detail: "Ask another admin to change it.")
        }
        return `operator`
    }

    private func setRole(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let `operator` = try await found(request)
        guard let role = OperatorRole(rawValue: request.form["role"] ?? "") else {
            throw Problem.invalidValue("role", "analyst, editor or admin.")
        }
        try await recorded(
            "changed role", `operator`.login, request,
            detail: "\(`operator`.role.rawValue) to \(role.rawValue)"
        ) { try await services.operators.setRole(`operator`.id, role) }
        return .redirect(
            to: request.address("settings", "operators"),
            Flash("\(`operator`.login) is \(role.rawValue) now."))
    }

    private func setDisabled(_ isDisabled: Bool, _ request: WorkbenchRequest) async throws -> WorkbenchResult
    {
        let `operator` = try await found(request)
        try await recorded(isDisabled ? "disabled operator" : "enabled operator", `operator`.login, request) {
            try await services.operators.setDisabled(`operator`.id, isDisabled)
        }
        let path = request.address("settings", "operators", `operator`.id, isDisabled ? "let-in" : "shut-out")
        let effect = isDisabled ? "cannot sign in any more, and was signed out" : "may sign in again"
        return .redirect(
            to: request.address("settings", "operators"),
            Flash("\(`operator`.login) \(effect).", undo: .init(label: "Undo", path: path)))
    }

    private func confirmPassword(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let `operator` = try await found(request)
        return .confirm(
            "Set a new password for", `operator`.login,
            "The current password becomes invalid at once, and all sessions of the operator end. A new one is generated and shown to "
                + "you once.",
            at: request.path, back: request.address("settings", "operators"), for: request)
    }

    private func resetPassword(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let `operator` = try await found(request)
        let password = Secret.random(bytes: 12)
        try await recorded("set password", `operator`.login, request) {
            _ = try await services.operators.setPassword(`operator`.id, password, isTemporary: true)
        }
        return shownOncePage(`operator`, password, request)
    }

    /// Runs a change of an operator with its line in the server's audit log.
    private func recorded<Result: Sendable>(
        _ action: String, _ login: String, _ request: WorkbenchRequest, detail: String? = nil,
        _ change: () async throws -> Result
    ) async throws -> Result {
        try await services.audit.record(
            action, login, by: request, detail: detail, in: .server, with: change)
    }

    // MARK: Audit log

    private func audit(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let isServer = request.query["scope"] == "server"
        let entries = try await services.audit.entries(isServer ? nil : request.environmentID, limit: 300)
        let name = request.environment?.name ?? ""
        let model = AuditModel(
            rows: entries.map { AuditRow($0, for: request) }, hasRows: !entries.isEmpty,
            scopes: ChoiceView.list(
                [("", name), ("server", "Server and operators")], chosen: isServer ? "server" : ""),
            path: request.path)
        return .page("Audit log", "settings/audit", model)
    }

    // MARK: The operator's own account

    private func account(_ request: WorkbenchRequest, fault: Problem?) -> WorkbenchResult {
        func password(_ name: String, _ label: String, _ hint: String?) -> FieldView {
            FieldView.line(name, label, "", hint: hint).with { $0.inputType = "password" }
        }
        let model = AccountModel(
            csrf: request.csrfToken, path: request.path, login: request.operator.login,
            role: request.operator.role.rawValue,
            faultSummary: fault.map { FaultSummary($0.title, $0.detail) },
            fields: [
                password("old", "Current password", nil),
                password("new", "New password", "At least \(PasswordRules.defaultMinimumLength) characters."),
                password("again", "New password again", nil),
            ])
        return .page("Your account", "settings/account", model, status: fault?.status ?? 200)
    }

    private func changePassword(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        do {
            guard request.form["new"] == request.form["again"] else {
                throw Problem.invalidValue("the new password", "The two passwords differ.")
            }
            let login = request.operator.login
            // Wrong passwords are counted here too, separately from those of the sign-in page.
            let compared = try await services.sessions.authenticate(
                login: login, password: request.form["old"] ?? "",
                address: CallerAddress(name: "account:\(login)"), isSignedIn: true
            ).passwordHash
            try await recorded("changed own password", login, request) {
                _ = try await services.operators.setPassword(
                    request.operator.id, request.form["new"] ?? "", replacingHash: compared)
            }
            return .redirect(to: "/workbench/sign-in", nil)
        } catch let problem as Problem {
            return account(request, fault: problem)
        } catch let refusal as Refusal where refusal.problem.status < 500 {
            return account(request, fault: refusal.problem)
        }
    }
}
