import InlayWire

/// What a source takes back and allows, and the keys that sign it.
struct HubPolicyPages: Sendable {
    let services: ServerServices
    let stores: WorkbenchStores

    private struct KeyRow {
        let role: String
        let keyName: String
        let keyID: String
        let kind: String
        let place: String
        let made: Moment
        let retired: Moment?
    }

    private struct KeysModel {
        let head: HubHead
        let rows: [KeyRow]
        let hasRows: Bool
        let rootVersion: String
        let command: String
    }

    static func routes(_ services: ServerServices, _ stores: WorkbenchStores) -> [WorkbenchRoute] {
        let pages = HubPolicyPages(services: services, stores: stores)
        let root = "e/:environment/hub/:source"
        return [
            .page("\(root)/policy") {
                pages.show($0, try await stores.source($0), faults: FieldErrors())
            },
            .form("\(root)/policy", for: .editor) { try await pages.save($0) },
            .page("\(root)/keys") { try await pages.keys($0) },
        ]
    }

    private func show(
        _ request: WorkbenchRequest, _ source: HubSource, faults: FieldErrors
    ) -> WorkbenchAnswer {
        let form = request.form, policy = source.policy
        let isTyped = form["afterHours"] != nil
        let hours = "\(policy.staleness.afterSeconds / 3600)"
        let fields = [
            FieldView.check(
                "isDisabled", "Switch this content off",
                isTyped ? form.isOn("isDisabled") : policy.isDisabled,
                hint: "Apps show nothing of it for the rest of their session, also offline."
            ).with { $0.isWide = true },
            .line("disabledReason", "Why, for readers", form["disabledReason"] ?? policy.disabledReason ?? "")
                .with { $0.isWide = true },
            .area(
                "recalledArticles", "Recalled articles",
                form["recalledArticles"] ?? policy.recalledArticles.joined(separator: "\n"),
                hint: "One id a line. Apps stop showing them, also those that they hold."),
            .area(
                "allowedDomains", "Hosts that pages may reach",
                form["allowedDomains"] ?? policy.allowedDomains.joined(separator: "\n"),
                hint: "One a line, for example www.example.org. The app has the last word."),
            .area(
                "allowedURLs", "Addresses that pages may reach",
                form["allowedURLs"] ?? policy.allowedURLs.joined(separator: "\n"),
                hint: "One a line, compared as written, https only."),
            .choice(
                "staleness", "Content that cannot be renewed",
                form["staleness"] ?? policy.staleness.action.rawValue,
                of: [
                    ("show", "is shown"), ("warn", "is shown with its age"), ("block", "is not shown"),
                ]),
            .line("afterHours", "After", form["afterHours"] ?? hours)
                .with {
                    $0.mode = "numeric"
                    $0.unit = "hours"
                },
        ]
        let model = HubFormModel(
            source, tab: "policy", fields: fields, revision: form["revision"] ?? "\(policy.version)",
            faults: faults, button: "Sign and put in force", for: request)
        return .page("\(source.name): policy", "hub/form", model, status: faults.items.isEmpty ? 200 : 422)
    }

    private func save(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let source = try await stores.source(request)
        var faults = FieldErrors()
        var policy = source.policy
        policy.isDisabled = request.form.isOn("isDisabled")
        let reason = request.form.trimmed("disabledReason")
        policy.disabledReason = reason.isEmpty ? nil : reason
        policy.recalledArticles = TypedText.words(request.form["recalledArticles"])
        policy.allowedDomains = TypedText.words(request.form["allowedDomains"])
        policy.allowedURLs = (request.form["allowedURLs"] ?? "").split(whereSeparator: \.isNewline)
            .map { $0.trimmingPrefix(/\s+/).description }.filter { !$0.isEmpty }
        let action = HubStaleness.Action(rawValue: request.form["staleness"] ?? "") ?? .warn
        let hours = TypedText.number(request.form, "afterHours", &faults)
        if !(0...876_000).contains(hours) { faults.add("afterHours", "From 0 to 876000.") }
        do {
            try faults.throwIfAny()
            policy.staleness = HubStaleness(action: action, afterSeconds: Int64(hours) * 3600)
            try await stores.hub.publisher.setPolicy(
                request.environmentID, source.id, policy,
                over: request.form["revision"].flatMap { Int64($0) }, by: request.someone.login)
        } catch let faults as FieldErrors {
            return show(request, source, faults: faults)
        } catch let problem as Problem where problem.code == .conflict {
            let words = "\(problem.title) Open it in another tab; yours is below, not in force."
            return show(request, source, faults: FieldErrors("isDisabled", words))
        }
        try services.audit.record(
            policy.isDisabled ? "disabled content" : "changed policy", source.name, by: request)
        return .redirect(
            to: request.address("hub", source.id, "policy"),
            Flash("Signed. Apps that are connected hear of it now, the others when they ask next."))
    }

    private func keys(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let source = try await stores.source(request)
        let rows = try await stores.hub.keys.keys(request.environmentID, source.id).map { key in
            KeyRow(
                role: key.role.rawValue, keyName: key.name, keyID: String(key.id.prefix(12)),
                kind: key.kind.rawValue, place: key.isOnline ? "On the server, sealed" : "Elsewhere",
                made: request.moment(key.createdAt), retired: key.retiredAt.map { request.moment($0) })
        }
        let model = KeysModel(
            head: HubHead(source, tab: "keys", for: request), rows: rows, hasRows: !rows.isEmpty,
            rootVersion: source.rootVersion > 0 ? "\(source.rootVersion)" : "none yet",
            command: "inlay key --help")
        return .page("\(source.name): keys", "hub/keys", model)
    }
}
