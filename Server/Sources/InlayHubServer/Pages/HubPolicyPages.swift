import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The pages of a source's recalls, permissions and signing keys.
struct HubPolicyPages: Sendable {
    let services: ServerServices
    let hub: HubFeature

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

    static func routes(_ services: ServerServices, _ hub: HubFeature) -> [WorkbenchRoute] {
        let pages = HubPolicyPages(services: services, hub: hub)
        let root = "e/:environment/hub/:source"
        return [
            .page("\(root)/policy") {
                pages.show($0, try await hub.source($0), faults: FieldErrors())
            },
            .form("\(root)/policy", for: .editor) { try await pages.save($0) },
            .page("\(root)/keys") { try await pages.keys($0) },
        ]
    }

    private func show(
        _ request: WorkbenchRequest, _ source: HubSource, faults: FieldErrors
    ) -> WorkbenchResult {
        let form = request.form, policy = source.policy
        let isTyped = form["afterHours"] != nil
        let hours = "\(policy.staleness.afterSeconds / 3600)"
        let fields = [
            FieldView.check(
                "isDisabled", "Disable this content",
                isTyped ? form.isOn("isDisabled") : policy.isDisabled,
                hint: "Apps show none of its content for the rest of their session, even without a network."
            ).with { $0.isWide = true },
            .line(
                "disabledReason", "Reason, shown to readers",
                form["disabledReason"] ?? policy.disabledReason ?? ""
            )
            .with { $0.isWide = true },
            .area(
                "recalledArticles", "Recalled articles",
                form["recalledArticles"] ?? policy.recalledArticles.joined(separator: "\n"),
                hint: "One id per line. Apps stop showing these articles, also those already on devices."),
            .area(
                "allowedDomains", "Allowed hosts",
                form["allowedDomains"] ?? policy.allowedDomains.joined(separator: "\n"),
                hint: "One per line, for example www.example.org. The app can restrict them further."),
            .area(
                "allowedURLs", "Allowed addresses",
                form["allowedURLs"] ?? policy.allowedURLs.joined(separator: "\n"),
                hint: "One per line, compared exactly, https only."),
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
            faults: faults, button: "Sign and publish policy", for: request)
        return .page("\(source.name): policy", "hub/form", model, status: faults.items.isEmpty ? 200 : 422)
    }

    private func save(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let source = try await hub.source(request)
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
            let accepted = policy
            try await services.audit.record(
                policy.isDisabled ? "disabled content" : "changed policy", source.name, by: request
            ) {
                _ = try await hub.publisher.setPolicy(
                    request.environmentID, source.id, accepted,
                    over: request.form["revision"].flatMap { Int64($0) }, by: request.operator.login)
            }
        } catch let faults as FieldErrors {
            return show(request, source, faults: faults)
        } catch let problem as Problem where problem.code == .conflict {
            let words = "\(problem.title) Open it in another tab; yours is below, not in force."
            return show(request, source, faults: FieldErrors("isDisabled", words))
        }
        return .redirect(
            to: request.address("hub", source.id.rawValue, "policy"),
            Flash("Signed. Connected apps are notified now, other apps at their next request."))
    }

    private func keys(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let source = try await hub.source(request)
        let rows = try await hub.keys.keys(request.environmentID, source.id).map { key in
            KeyRow(
                role: key.role.rawValue, keyName: key.name, keyID: String(key.id.prefix(12)),
                kind: key.kind.rawValue, place: key.isOnline ? "On the server, encrypted" : "Elsewhere",
                made: request.moment(key.createdAt), retired: key.retiredAt.map { request.moment($0) })
        }
        let model = KeysModel(
            head: HubHead(source, tab: "keys", for: request), rows: rows, hasRows: !rows.isEmpty,
            rootVersion: source.rootVersion > 0 ? "\(source.rootVersion)" : "none yet",
            command: "inlay key --help")
        return .page("\(source.name): keys", "hub/keys", model)
    }
}
