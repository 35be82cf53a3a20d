import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The pages of OAuth clients: programs that send events and change contacts for an environment.
struct OAuthClientPages: RecordRemovalPages {
    let services: ServerServices
    let behaviors: BehaviorsFeature
    let root = "e/:environment/settings/oauth"
    let noun = "OAuth client"
    let parameter = "client"
    let role = OperatorRole.admin
    let removal = RecordRemoval.revoke

    private struct Row {
        let rowName: String
        let rowID: String
        let made: Moment
        let used: Moment?
        let isRevoked: Bool
        let revokePath: String
    }

    private struct Model {
        let csrf: String
        let path: String
        let environmentID: EnvironmentID
        let rows: [Row]
        let hasRows: Bool
        let faultSummary: FaultSummary?
        let nameField: FieldView
    }

    private struct ShownOnce {
        struct Second { let secondName: String, secondSecret: String }

        let title: String
        let words: String
        let keyID: String
        let secret: String
        let second: Second
        let sample: String
        let back: String
    }

    static func routes(_ services: ServerServices, _ behaviors: BehaviorsFeature) -> [WorkbenchRoute] {
        let pages = OAuthClientPages(services: services, behaviors: behaviors)
        return [
            .page(pages.root, for: .admin) { try await pages.show($0, faults: FieldErrors()) },
            .form("\(pages.root)/new", for: .admin) { try await pages.add($0) },
        ] + pages.removalRoutes
    }

    private func show(_ request: WorkbenchRequest, faults: FieldErrors) async throws -> WorkbenchResult {
        let path = request.address("settings", "oauth")
        let rows = try await behaviors.oauth.clients(request.environmentID).map { client in
            Row(
                rowName: client.name, rowID: client.id.rawValue, made: request.moment(client.createdAt),
                used: client.usedAt.map { request.moment($0) }, isRevoked: client.revokedAt != nil,
                revokePath: "\(path)/\(FormFields.escaped(client.id.rawValue))/revoke")
        }
        let name = FieldView.line(
            "name", "Name", request.form["name"] ?? "", hint: "For your team, for example “Campaign tool”.")
        let model = Model(
            csrf: request.csrfToken, path: path, environmentID: try request.environmentID, rows: rows,
            hasRows: !rows.isEmpty, faultSummary: FaultSummary(faults, fields: [name]),
            nameField: name.with(faults: faults))
        return .page("OAuth clients", "settings/oauth", model, faults: faults)
    }

    private func add(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        do {
            let id = OAuthClient.newID(), name = request.form.trimmed("name")
            let (client, credentials) = try await services.audit.record(
                "created OAuth client", name, by: request, detail: id.rawValue
            ) { try await behaviors.oauth.addClient(request.environmentID, id: id, name: name) }
            return once(client, credentials, request)
        } catch let problem as Problem where problem.status == 422 {
            return try await show(request, faults: FieldErrors("name", problem.detail ?? problem.title))
        }
    }

    private func once(
        _ client: OAuthClient, _ credentials: OAuthCredentials, _ request: WorkbenchRequest
    ) -> WorkbenchResult {
        let sample =
            "POST /oauth/token\ngrant_type=refresh_token&client_id=\(client.id)&client_secret=…&refresh_token=…"
        let model = ShownOnce(
            title: "OAuth client “\(client.name)”",
            words:
                "Your program requests access tokens with these. They are shown only once; the server keeps hashes.",
            keyID: client.id.rawValue, secret: credentials.clientSecret,
            second: .init(secondName: "Refresh token", secondSecret: credentials.refreshToken),
            sample: sample, back: request.address("settings", "oauth"))
        return .page(model.title, "settings/shown-once", model)
    }

    // MARK: The end of a client

    func find(_ request: WorkbenchRequest, _ id: String) async throws -> OAuthClient? {
        try await behaviors.oauth.clients(request.environmentID).first { $0.id.rawValue == id }
    }

    func name(of client: OAuthClient) -> String { client.name }

    func subject(of client: OAuthClient) -> AuditSubject {
        AuditSubject(client.name, detail: client.id.rawValue)
    }

    func warning(about client: OAuthClient, _ request: WorkbenchRequest) -> String {
        "Its access tokens become invalid, and it gets no new ones. A revoked client cannot be used again."
    }

    func cancelPath(of client: OAuthClient, _ request: WorkbenchRequest) -> String {
        request.address("settings", "oauth")
    }

    func remove(_ client: OAuthClient, _ request: WorkbenchRequest) async throws {
        try await behaviors.oauth.revokeClient(request.environmentID, client.id)
    }

    func pathAfterRemoval(of client: OAuthClient, _ request: WorkbenchRequest) -> String {
        request.address("settings", "oauth")
    }
}
