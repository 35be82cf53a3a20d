import InlayWire

/// The users of an environment: the list, one user's profile and cards, and the end of one.
struct UserPages: Sendable {
    let services: ServerServices
    let stores: WorkbenchStores

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
        let userID: String
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

    static func routes(_ services: ServerServices, _ stores: WorkbenchStores) -> [WorkbenchRoute] {
        let pages = UserPages(services: services, stores: stores)
        return [
            .page("e/:environment/users") { try await pages.list($0) },
            .page("e/:environment/users/:user") { try await pages.one($0) },
            .page("e/:environment/users/:user/erase", for: .admin) { try await pages.confirm($0) },
            .form("e/:environment/users/:user/erase", for: .admin) { try await pages.erase($0) },
        ]
    }

    private func list(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let environmentID = try request.environmentID, path = request.address("users")
        let page = try await request.page(of: path, key: \.id) {
            try await services.users.users(
                environmentID, after: $0.after, search: $0.search, limit: $0.limit)
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
            rowPath: "\(path)/\(FormFields.escaped(user.id))", rowID: user.id,
            rowName: user.profile.text("name") ?? "", city: user.profile.text("city") ?? "–",
            seen: seen?.words ?? "not yet", seenExact: seen?.exact ?? "No request of an app so far")
    }

    private func one(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let environmentID = try request.environmentID
        let user = try await found(request)
        let id = user.id
        let account = try await stores.devices.account(ofUser: id, environmentID)
        let erasePath =
            account.map { request.address("devices", "accounts", $0.id, "delete") }
            ?? request.address("users", id, "erase")
        let cards = try await stores.inspector.cards(environmentID, id).prefix(50)
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
            listPath: request.address("users"), userID: id, title: user.profile.text("name") ?? id,
            facts: facts,
            fields: own, hasFields: !own.isEmpty, cards: cards.map { InspectionRow($0, for: request) },
            hasCards: !cards.isEmpty,
            inspectorPath: request.address("cards", "inspector") + "?user=" + FormFields.escaped(id),
            canEdit: request.may(.editor), templatesPath: request.address("cards", "templates"),
            erasePath: request.may(.admin) ? erasePath : nil,
            eraseLabel: account == nil ? "Erase…" : "Delete the account…")
        return .page(model.title, "user", model)
    }

    private func found(_ request: WorkbenchRequest) async throws -> User {
        try await request.found("user") { try await services.users.user($0, $1) }
    }

    private func confirm(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let user = try await found(request)
        return .confirm(
            "Erase", user.profile.text("name") ?? user.id,
            "What cards, behaviors, analytics and ads keep of the user \(user.id) is gone, and so is the profile. Sums "
                + "stay, and so does the line of the audit log that names the id. What your own servers keep is yours "
                + "to remove. End the user's tokens first: an app that goes on with one makes the user anew.",
            at: request.address("users", user.id, "erase"), back: request.address("users", user.id),
            for: request)
    }

    private func erase(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let user = try await found(request)
        try await stores.devices.eraseUser(request.environmentID, user.id)
        try services.audit.record("erased user", user.id, by: request)
        return .redirect(
            to: request.address("users"),
            Flash(
                "“\(user.profile.text("name") ?? user.id)” is erased within seconds, and once more in ten minutes "
                    + "for what was under way."))
    }

    private func text(_ field: UserField, _ request: WorkbenchRequest) -> String {
        switch field {
        case .text(let text): text
        case .date(let date): request.moment(date).exact
        }
    }
}
