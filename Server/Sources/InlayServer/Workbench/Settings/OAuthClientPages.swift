import InlayWire

/// OAuth clients: programs that tell events and change contacts for an environment.
struct OAuthClientPages: Sendable {
    let services: ServerServices
    let stores: WorkbenchStores

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
        let environmentID: String
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

    static func routes(_ services: ServerServices, _ stores: WorkbenchStores) -> [WorkbenchRoute] {
        let pages = OAuthClientPages(services: services, stores: stores)
        let root = "e/:environment/settings/oauth"
        return [
            .page(root, for: .admin) { try await pages.show($0, faults: FieldErrors()) },
            .form("\(root)/new", for: .admin) { try await pages.add($0) },
            .page("\(root)/:client/revoke", for: .admin) { try await pages.confirm($0) },
            .form("\(root)/:client/revoke", for: .admin) { try await pages.revoke($0) },
        ]
    }

    private func show(_ request: WorkbenchRequest, faults: FieldErrors) async throws -> WorkbenchAnswer {
        let path = request.address("settings", "oauth")
        let rows = try await stores.behaviors.oauth.clients(request.environmentID).map { client in
            Row(
                rowName: client.name, rowID: client.id, made: request.moment(client.createdAt),
                used: client.usedAt.map { request.moment($0) }, isRevoked: client.revokedAt != nil,
                revokePath: "\(path)/\(FormFields.escaped(client.id))/revoke")
        }
        let name = FieldView.line(
            "name", "Name", request.form["name"] ?? "", hint: "For people, for example “Campaign tool”.")
        let model = Model(
            csrf: request.csrfToken, path: path, environmentID: try request.environmentID, rows: rows,
            hasRows: !rows.isEmpty, faultSummary: FaultSummary(faults, fields: [name]),
            nameField: name.with(faults: faults))
        return .page("OAuth clients", "settings/oauth", model, faults: faults)
    }

    private func add(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        do {
            let (client, credentials) = try await stores.behaviors.oauth.addClient(
                request.environmentID, name: request.form.trimmed("name"))
            try services.audit.record(
                "created OAuth client", client.name, by: request, detail: client.id)
            return once(client, credentials, request)
        } catch let problem as Problem where problem.status == 422 {
            return try await show(request, faults: FieldErrors("name", problem.detail ?? problem.title))
        }
    }

    private func once(
        _ client: OAuthClient, _ credentials: OAuthCredentials, _ request: WorkbenchRequest
    ) -> WorkbenchAnswer {
        let sample =
            "POST /oauth/token\ngrant_type=refresh_token&client_id=\(client.id)&client_secret=…&refresh_token=…"
        let model = ShownOnce(
            title: "OAuth client “\(client.name)”",
            words:
                "Your program gets an access token for these. They are shown only now; the server keeps hashes.",
            keyID: client.id, secret: credentials.clientSecret,
            second: .init(secondName: "Refresh token", secondSecret: credentials.refreshToken),
            sample: sample, back: request.address("settings", "oauth"))
        return .page(model.title, "settings/shown-once", model)
    }

    // MARK: The end of a client

    private func found(_ request: WorkbenchRequest) async throws -> OAuthClient {
        try await request.found("client") { environmentID, id in
            try await stores.behaviors.oauth.clients(environmentID).first { $0.id == id }
        }
    }

    private func confirm(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        .confirm(
            "Revoke", try await found(request).name,
            "Its access tokens end, and it gets no new ones. A revoked client never works again.",
            at: request.path, back: request.address("settings", "oauth"), for: request)
    }

    private func revoke(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let client = try await found(request)
        try await stores.behaviors.oauth.revokeClient(request.environmentID, client.id)
        try services.audit.record("revoked OAuth client", client.name, by: request, detail: client.id)
        return .redirect(to: request.address("settings", "oauth"), Flash("Revoked “\(client.name)”."))
    }
}
