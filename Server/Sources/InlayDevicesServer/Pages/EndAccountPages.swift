import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The pages of end users' accounts: the list, and one account with its devices, never with its password.
struct EndAccountPages: Sendable {
    let services: ServerServices
    let devices: DevicesFeature

    private struct Row {
        let rowPath: String
        let rowEmail: String
        let rowID: String
        let isProven: Bool
        let made: Moment
        let used: Moment?
    }

    private struct OneModel {
        let csrf: String
        let title: String
        let listPath: String
        let userPath: String?
        let facts: [Fact]
        let rows: [DeviceLine]
        let hasRows: Bool
        /// Whether the column of owners is hidden: all of these devices belong to the account of the page.
        let hidesOwner = true
        let canEnd: Bool
        let logOutPath: String
        let deletePath: String
    }

    static func routes(_ services: ServerServices, _ devices: DevicesFeature) -> [WorkbenchRoute] {
        let pages = EndAccountPages(services: services, devices: devices)
        let root = "e/:environment/devices/accounts", one = "\(root)/:account"
        return [
            .page(root) { try await pages.list($0) },
            .page(one) { try await pages.show($0) },
            .form("\(one)/log-out", for: .admin) { try await pages.logOut($0) },
            .page("\(one)/delete", for: .admin) { try await pages.confirm($0) },
            .form("\(one)/delete", for: .admin) { try await pages.delete($0) },
        ]
    }

    private func path(_ request: WorkbenchRequest) -> String { request.address("devices", "accounts") }

    private func found(_ request: WorkbenchRequest) async throws -> EndAccount {
        try await request.found("account") { try await devices.accounts.account($0, AccountID($1)) }
    }

    private func list(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let environmentID = try request.environmentID, path = path(request)
        let page = try await request.page(of: path, key: \.email) {
            try await devices.accounts.accounts(
                environmentID, after: $0.after, search: $0.search, limit: $0.limit)
        }
        let counts = try await devices.accounts.counts(environmentID)
        let model = PagedListModel(
            page.items.map { row($0, path, request) }, of: counts.all,
            "\(Count.of(counts.all, "account")), \(Count.grouped(counts.proven)) proven",
            pager: page.pager, startPath: request.address("devices", "applications"))
        return .page("Accounts", "devices/accounts", model)
    }

    private func row(_ account: EndAccount, _ path: String, _ request: WorkbenchRequest) -> Row {
        Row(
            rowPath: "\(path)/\(FormFields.escaped(account.id.rawValue))", rowEmail: account.email,
            rowID: account.id.rawValue,
            isProven: account.provenAt != nil, made: request.moment(account.createdAt),
            used: account.usedAt.map { request.moment($0) })
    }

    private func show(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let account = try await found(request)
        let owned = try await devices.devices.devices(account.environmentID, of: account.id)
        let application = try await devices.applications.application(
            account.environmentID, account.applicationID)
        let user = try await services.users.user(
            account.environmentID, UserID(account.wire.userID))
        let facts = [
            Fact(factName: "Account", factValue: account.id.rawValue),
            Fact(
                factName: "Address",
                factValue: account.provenAt.map { "proven \(request.moment($0).exact)" }
                    ?? "not proven; the account is deleted a day after it was created"),
            Fact(factName: "Opens with", factValue: account.hasPassword ? "password or mail" : "mail"),
            Fact(factName: "Created", factValue: request.moment(account.createdAt).exact),
            Fact(factName: "Created in", factValue: application?.name ?? account.applicationID.rawValue),
            Fact(
                factName: "Last log-in", factValue: account.usedAt.map { request.moment($0).exact } ?? "none"),
        ]
        let path = "\(path(request))/\(account.id)"
        let rows = owned.map { DeviceLine($0, owner: account.email, for: request) }
        let model = OneModel(
            csrf: request.csrfToken, title: account.email, listPath: self.path(request),
            userPath: user.map { request.address("users", $0.id.rawValue) }, facts: facts, rows: rows,
            hasRows: !rows.isEmpty, canEnd: request.may(.admin), logOutPath: "\(path)/log-out",
            deletePath: "\(path)/delete")
        return .page(account.email, "devices/account", model)
    }

    private func logOut(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let account = try await found(request)
        try await services.audit.record("logged out everywhere", account.id.rawValue, by: request) {
            try await devices.logOutEverywhere(account.environmentID, account.id)
        }
        return .redirect(
            to: "\(path(request))/\(account.id)", Flash("\(account.email) is logged out everywhere."))
    }

    private func confirm(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let account = try await found(request)
        return .confirm(
            "Delete", account.email,
            "The account, its sessions and its devices are deleted; the devices must be set up again. All data of "
                + "the user \(account.wire.userID) in cards, behaviors and ads is deleted too; data on your own servers stays.",
            at: request.path, back: "\(path(request))/\(account.id)", for: request)
    }

    private func delete(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let account = try await found(request)
        try await services.audit.record("deleted account", account.id.rawValue, by: request) {
            try await devices.deleteAccount(account.environmentID, account.id)
        }
        return .redirect(to: path(request), Flash("Deleted “\(account.email)”."))
    }
}
