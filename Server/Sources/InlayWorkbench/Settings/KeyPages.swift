import Crypto
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The page of an environment's keys: the API keys of apps, and the secret keys of backends.
struct KeyPages: Sendable {
    let services: ServerServices

    private struct Row {
        let csrf: String
        let keyName: String
        let keyID: String
        let facts: String
        let revoked: Moment?
        let isRevoked: Bool
        let revokePath: String
        let canRevoke: Bool
        let made: Moment
    }

    private struct Model {
        let csrf: String
        let path: String
        let isAdmin: Bool
        let apiKeys: [Row]
        let hasApiKeys: Bool
        let secretKeys: [Row]
        let hasSecretKeys: Bool
        let faultSummary: FaultSummary?
        let isNewOpen: Bool
        let makesPair: Bool
        let nameField: FieldView
        let keyField: FieldView
        let rules: [FieldView]
        let secretField: FieldView
        let environmentID: EnvironmentID
    }

    private struct ShownOnce {
        let title: String
        let words: String
        let keyID: String
        let secret: String
        let sample: String
        let back: String
    }

    static func routes(_ services: ServerServices) -> [WorkbenchRoute] {
        let pages = KeyPages(services: services)
        let root = "e/:environment/settings/keys"
        return [
            .page(root) { try await pages.show($0, fault: nil) },
            .form("\(root)/new", for: .admin) { try await pages.add($0) },
            .form("\(root)/secret/new", for: .admin) { try await pages.addSecret($0) },
            .page("\(root)/:key/revoke", for: .admin) { try await pages.confirm($0) },
            .form("\(root)/:key/revoke", for: .admin) { try await pages.revoke($0) },
        ]
    }

    private func show(_ request: WorkbenchRequest, fault: Problem?) async throws -> WorkbenchResult {
        let environmentID = try request.environmentID
        let apiKeys = try await services.environments.apiKeys(environmentID).map { apiRow($0, request) }
        let secrets = try await services.environments.secretKeys(environmentID).map { secretRow($0, request) }
        let form = request.form
        let model = Model(
            csrf: request.csrfToken, path: request.address("settings", "keys"), isAdmin: request.may(.admin),
            apiKeys: apiKeys, hasApiKeys: !apiKeys.isEmpty, secretKeys: secrets,
            hasSecretKeys: !secrets.isEmpty,
            faultSummary: fault.map { FaultSummary($0.title, $0.detail) },
            isNewOpen: fault != nil || apiKeys.isEmpty,
            makesPair: form["source"] != "paste",
            nameField: .line(
                "name", "Name", form["name"] ?? "", hint: "For your team, for example “iOS app”."),
            keyField: FieldView.area(
                "publicKey", "Public key", form["publicKey"] ?? "",
                hint: "PEM, or a JWKS document. ES256, RS256, EdDSA.",
                rows: 5
            ).with {
                $0.style = "code"; $0.isWide = true
            },
            rules: Self.rules(form),
            secretField: .line(
                "secretName", "Name", form["secretName"] ?? "",
                hint: "For your team, for example “Booking backend”."),
            environmentID: environmentID)
        return .page("Keys", "settings/keys", model, status: fault?.status ?? 200)
    }

    private static func rules(_ form: FormFields) -> [FieldView] {
        [
            .line(
                "audience", "Audience", form["audience"] ?? "", hint: "The required value of aud. Empty: any."
            ),
            .line("issuer", "Issuer", form["issuer"] ?? "", hint: "The required value of iss. Empty: any."),
            .line("userClaim", "Claim with the user id", form["userClaim"] ?? "sub"),
            FieldView.line("days", "Maximum token lifetime", form["days"] ?? "7").with {
                $0.mode = "numeric"
                $0.unit = "days"
            },
        ]
    }

    // MARK: Keys of apps

    private func add(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let form = request.form
        let pair = form["source"] == "paste" ? nil : P256.Signing.PrivateKey()
        do {
            guard let days = try? TypedNumber(form.trimmed("days")).integer, (1...366).contains(days) else {
                throw Problem.invalidValue("the longest life", "A whole number of days, 1 to 366.")
            }
            let rules = TokenRules(
                publicKey: pair?.publicKey.pemRepresentation ?? form["publicKey"] ?? "",
                issuer: Self.optional(form.trimmed("issuer")),
                audience: Self.optional(form.trimmed("audience")),
                userClaim: Self.optional(form.trimmed("userClaim")) ?? "sub",
                maximumLife: .seconds(days * 86_400))
            let id = ApiKey.newID(), name = form.trimmed("name")
            let key = try await services.audit.record(
                "created API key", name, by: request, detail: id
            ) {
                try await services.environments.addApiKey(
                    request.environmentID, id: id, name: name, rules: rules)
            }
            guard let pair else {
                return .redirect(
                    to: request.address("settings", "keys"), Flash("Added the API key “\(key.name)”."))
            }
            return shownOncePage(key, pair, request)
        } catch let problem as Problem {
            return try await show(request, fault: problem)
        }
    }

    private func shownOncePage(_ key: ApiKey, _ pair: P256.Signing.PrivateKey, _ request: WorkbenchRequest)
        -> WorkbenchResult
    {
        let model = ShownOnce(
            title: "API key “\(key.name)”",
            words:
                "Your backend signs its users’ tokens with this private key (ES256). It is shown only once and kept "
                + "nowhere: store it where your backend reads its secrets. The app needs only the id.",
            keyID: key.id, secret: pair.pemRepresentation,
            sample: "environmentID: \"\(key.environmentID)\", apiKey: \"\(key.id)\"",
            back: request.address("settings", "keys"))
        return .page(model.title, "settings/shown-once", model)
    }

    private func addSecret(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        do {
            let id = SecretKey.newID(), name = request.form.trimmed("secretName")
            let (key, secret) = try await services.audit.record(
                "created secret key", name, by: request, detail: id
            ) { try await services.environments.addSecretKey(request.environmentID, id: id, name: name) }
            let model = ShownOnce(
                title: "Secret key “\(key.name)”",
                words:
                    "Your backend sends it as a bearer token. It is shown only once; the server keeps a hash.",
                keyID: key.id, secret: secret, sample: "Authorization: Bearer \(key.id)_…",
                back: request.address("settings", "keys"))
            return .page(model.title, "settings/shown-once", model)
        } catch let problem as Problem {
            return try await show(request, fault: problem)
        }
    }

    // MARK: Revoking

    private func requestedKey(
        _ request: WorkbenchRequest
    ) async throws -> (id: String, name: String, isSecret: Bool) {
        let id = try request.parameter("key"), environmentID = try request.environmentID
        if let key = try await services.environments.apiKeys(environmentID).first(where: { $0.id == id }) {
            return (id, key.name, false)
        }
        if let key = try await services.environments.secretKeys(environmentID).first(where: { $0.id == id }) {
            return (id, key.name, true)
        }
        throw Problem.notFound("key")
    }

    private func confirm(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let key = try await requestedKey(request)
        let who = key.isSecret ? "Every backend that uses it" : "Every app that uses it"
        return .confirm(
            "Revoke", key.name, "\(who) is refused at once. A revoked key cannot be used again.",
            at: request.path, back: request.address("settings", "keys"), for: request)
    }

    private func revoke(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let key = try await requestedKey(request)
        try await services.audit.record(
            key.isSecret ? "revoked secret key" : "revoked API key", key.name, by: request, detail: key.id
        ) {
            if key.isSecret {
                try await services.environments.revokeSecretKey(request.environmentID, key.id)
            } else {
                try await services.environments.revokeApiKey(request.environmentID, key.id)
            }
        }
        return .redirect(to: request.address("settings", "keys"), Flash("Revoked “\(key.name)”."))
    }

    // MARK: Rows

    private func apiRow(_ key: ApiKey, _ request: WorkbenchRequest) -> Row {
        let rules = key.rules
        let facts = [
            rules.publicKey.hasPrefix("{") ? "JWKS" : "PEM", rules.audience.map { "aud \($0)" },
            rules.issuer.map { "iss \($0)" }, "user in \(rules.userClaim)",
        ].compactMap { $0 }.joined(separator: " · ")
        return row(key.id, key.name, facts, key.createdAt, key.revokedAt, request)
    }

    private func secretRow(_ key: SecretKey, _ request: WorkbenchRequest) -> Row {
        row(key.id, key.name, "", key.createdAt, key.revokedAt, request)
    }

    private func row(
        _ id: String, _ name: String, _ facts: String, _ made: Timestamp, _ revoked: Timestamp?,
        _ request: WorkbenchRequest
    ) -> Row {
        Row(
            csrf: request.csrfToken, keyName: name, keyID: id, facts: facts,
            revoked: revoked.map { request.moment($0) },
            isRevoked: revoked != nil, revokePath: request.address("settings", "keys", id, "revoke"),
            canRevoke: revoked == nil && request.may(.admin), made: request.moment(made))
    }

    private static func optional(_ text: String) -> String? { text.isEmpty ? nil : text }
}
