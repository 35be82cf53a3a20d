@_spi(Inlay) import InlayWire

/// The first page after a sign-in: a redirect to the first environment, or the form that creates one.
struct StartPages: Sendable {
    let environments: EnvironmentPages

    private struct Model {
        let csrf: String
        let canCreate: Bool
        let faultSummary: FaultSummary?
        let fields: [FieldView]
    }

    var routes: [WorkbenchRoute] {
        [
            .page("") { openFirstEnvironment($0) },
            .page("start") { show($0, fault: nil) },
            .form("start", for: .admin) { try await create($0) },
        ]
    }

    private func openFirstEnvironment(_ request: WorkbenchRequest) -> WorkbenchResult {
        guard let first = request.environments.first else { return .redirect(to: "/workbench/start", nil) }
        return .redirect(
            to: WorkbenchRequest.address(environment: first.id.rawValue, ["overview"]), request.flash)
    }

    private func show(_ request: WorkbenchRequest, fault: Problem?) -> WorkbenchResult {
        let model = Model(
            csrf: request.csrfToken, canCreate: request.may(.admin),
            faultSummary: fault.map { FaultSummary($0.title, $0.detail) },
            fields: EnvironmentPages.newFields(request.form))
        return .page("Welcome", "start", model, status: fault?.status ?? 200)
    }

    private func create(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        do {
            return try await environments.createEnvironment(request)
        } catch let problem as Problem {
            return show(request, fault: problem)
        }
    }
}
