import InlayBehaviorsServer
import InlayCardsServer
import InlayDevicesServer
import InlayHubServer
import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The users of an environment: the list, one user's profile and cards, and the erasure of a user.
struct UserPages: WorkbenchSection, RecordRemovalPages {
    let services: ServerServices
    let cards: CardsFeature
    let devices: DevicesFeature
    let root = "e/:environment/users"
    let noun = "user"
    let role = OperatorRole.admin
    let removal = RecordRemoval.erase

    private struct Row {
        let rowPath: String
        let rowID: String
        let rowName: String
        let city: String
        let seen: String
        let seenExact: String
    }

    private struct OneModel {
        let listPath: String
        let userID: UserID
        let title: String
        let facts: [Fact]
        let fields: [Fact]
        let hasFields: Bool
        let cards: [InspectionRow]
        let hasCards: Bool
        let inspectorPath: String
        let canEdit: Bool
        let templatesPath: String
        /// For admins: the page that asks before the user is erased, or before the account is deleted.
        let erasePath: String?
        let eraseLabel: String
    }

    var navigation: [NavigationEntry] {
        [.init("Users", icon: "users", folder: "users", in: .lower)]
    }

    var pages: [WorkbenchRoute] {
        [
            .page(root) { try await list($0) },
            .page("\(root)/:user") { try await one($0) },
        ] + removalRoutes
    }

    private func list(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let environmentID = try request.environmentID, path = request.address("users")
        let page = try await request.page(of: path, key: \.id.rawValue) {
            try await services.users.users(
                environmentID, after: UserID($0.after), search: $0.search, limit: $0.limit)
        }
        let count = try await services.users.count(environmentID)
        let model = PagedListModel(
            page.items.map { row($0, path, request) }, of: count, Count.of(count, "user") + " in all",
            pager: page.pager, startPath: request.address("settings", "keys"))
        return .page("Users", "users", model)
    }

    private func row(_ user: User, _ path: String, _ request: WorkbenchRequest) -> Row {
        let seen = user.lastSeenAt.map { request.moment($0) }
        return Row(
            rowPath: "\(path)/\(FormFields.escaped(user.id.rawValue))", rowID: user.id.rawValue,
            rowName: user.profile.text("name") ?? "", city: user.profile.text("city") ?? "–",
            seen: seen?.words ?? "not yet", seenExact: seen?.exact ?? "No request of an app yet")
    }

    private func one(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let environmentID = try request.environmentID
        let user = try await found(request)
        let id = user.id
        let account = try await devices.account(ofUser: id, environmentID)
        let erasePath =
            account.map { request.address("devices", "accounts", $0.id.rawValue, "delete") }
            ?? request.address("users", id.rawValue, "erase")
        let shown = try await cards.inspector.cards(environmentID, id).prefix(50)
        let names = user.profile.values
        let known = UserProfile.fixedFields.compactMap { field in
            names[field].map { Fact(factName: field.replacing("_", with: " "), factValue: $0.text) }
        }
        let own = names.filter { !UserProfile.fixedFields.contains($0.key) }.sorted { $0.key < $1.key }
            .map { Fact(factName: $0.key, factValue: text($0.value, request)) }
        let facts =
            known + [
                Fact(factName: "first known", factValue: request.moment(user.createdAt).exact),
                Fact(
                    factName: "last seen",
                    factValue: user.lastSeenAt.map { request.moment($0).exact } ?? "not yet"),
            ]
        let model = OneModel(
            listPath: request.address("users"), userID: id, title: user.profile.text("name") ?? id.rawValue,
            facts: facts,
            fields: own, hasFields: !own.isEmpty, cards: shown.map { InspectionRow($0, for: request) },
            hasCards: !shown.isEmpty,
            inspectorPath: request.address("cards", "inspector") + "?user=" + FormFields.escaped(id.rawValue),
            canEdit: request.may(.editor), templatesPath: request.address("cards", "templates"),
            erasePath: request.may(.admin) ? erasePath : nil,
            eraseLabel: account == nil ? "Erase…" : "Delete the account…")
        return .page(model.title, "user", model)
    }

    func find(_ request: WorkbenchRequest, _ id: String) async throws -> User? {
        try await services.users.user(request.environmentID, UserID(id))
    }

    func name(of user: User) -> String { user.profile.text("name") ?? user.id.rawValue }

    func subject(of user: User) -> AuditSubject { AuditSubject(user.id.rawValue) }

    func warning(about user: User, _ request: WorkbenchRequest) -> String {
        "All data of the user \(user.id) in cards, behaviors, analytics and ads is deleted, and so is the profile. Totals "
            + "stay, and so does the entry of the audit log with the id. Data on your own servers is not affected. "
            + "Revoke the user's tokens first: an app that still uses one creates the user again."
    }

    func cancelPath(of user: User, _ request: WorkbenchRequest) -> String {
        request.address("users", user.id.rawValue)
    }

    func remove(_ user: User, _ request: WorkbenchRequest) async throws {
        try await devices.eraseUser(request.environmentID, user.id)
    }

    func pathAfterRemoval(of user: User, _ request: WorkbenchRequest) -> String { request.address("users") }

    func notice(ofRemoved user: User) -> String {
        "“\(name(of: user))” is erased within seconds, and once more in ten minutes "
            + "for requests that were in progress."
    }

    private func text(_ field: UserField, _ request: WorkbenchRequest) -> String {
        switch field {
        case .text(let text): text
        case .date(let date): request.moment(date).exact
        }
    }
}
