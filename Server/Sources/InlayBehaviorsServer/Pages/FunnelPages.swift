import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The pages that create, change and delete a funnel.
struct FunnelPages: EventDefinitionPages {
    let services: ServerServices
    let behaviors: BehaviorsFeature
    let root = "e/:environment/behaviors/funnels"
    let noun = "funnel"

    /// A valid funnel from the form, ready to be stored.
    struct Draft: Sendable {
        let name: String
        let funnel: Funnel
    }

    private struct Step {
        let number: Int
        let index: Int
        let fields: [FieldView]
        let canRemove: Bool
        let canMoveUp: Bool
    }

    private struct Model {
        let csrf: String
        let title: String
        let listPath: String
        let formPath: String
        let deletePath: String?
        let faultSummary: FaultSummary?
        let fields: [FieldView]
        let steps: [Step]
        let canAdd: Bool
        let names: EventNames
        let button: String
    }

    static func routes(_ services: ServerServices, _ behaviors: BehaviorsFeature) -> [WorkbenchRoute] {
        let pages = FunnelPages(services: services, behaviors: behaviors)
        return pages.newRoutes + pages.changeRoutes + pages.removalRoutes
    }

    func find(_ request: WorkbenchRequest, _ id: String) async throws -> SavedFunnel? {
        try await behaviors.events.funnel(request.environmentID, FunnelID(id))
    }

    func name(of funnel: SavedFunnel) -> String { funnel.name }

    // MARK: The form

    func form(
        _ request: WorkbenchRequest, _ funnel: SavedFunnel?, faults: FieldErrors
    ) async throws -> WorkbenchResult {
        let saved = request.hasForm ? nil : funnel
        let form = saved.map(FunnelForm.init) ?? FunnelForm(request.form)
        let names = try await EventNames(behaviors, for: request)
        let fields = form.fields().map { $0.with(faults: faults) }
        let steps = form.steps.enumerated().map { index, step in
            Step(
                number: index + 1, index: index,
                fields: step.fields(at: FunnelForm.path(index), names).map { $0.with(faults: faults) },
                canRemove: form.steps.count > 1, canMoveUp: index > 0)
        }
        let path = request.address("behaviors", "funnels", funnel?.id.rawValue ?? "new")
        let model = Model(
            csrf: request.csrfToken, title: funnel?.name ?? "New funnel",
            listPath: listPath(request), formPath: path,
            deletePath: funnel == nil ? nil : path + "/delete",
            faultSummary: FaultSummary(faults, fields: fields + steps.flatMap(\.fields)), fields: fields,
            steps: steps, canAdd: form.steps.count < Funnel.maximumSteps, names: names,
            button: funnel == nil ? "Create funnel" : "Save")
        return .page(model.title, "behaviors/funnel", model, faults: faults)
    }

    /// Shows the form again after a button that adds, moves or removes a step.
    func step(_ request: WorkbenchRequest, _ funnel: SavedFunnel?) async throws -> WorkbenchResult? {
        guard request.form["op"] ?? "save" != "save" else { return nil }
        return try await form(request, funnel, faults: FieldErrors())
    }

    func draft(_ request: WorkbenchRequest, over funnel: SavedFunnel?) async throws -> Draft {
        let form = FunnelForm(request.form)
        return Draft(
            name: form.name, funnel: try form.funnel(try await EventNames(behaviors, for: request)))
    }

    func subject(of draft: Draft, _ request: WorkbenchRequest) -> AuditSubject { AuditSubject(draft.name) }

    func save(
        _ draft: Draft, over funnel: SavedFunnel?, _ request: WorkbenchRequest
    ) async throws -> SavedFunnel {
        try await behaviors.events.saveFunnel(
            request.environmentID, id: funnel?.id, name: draft.name, draft.funnel)
    }

    func remove(_ funnel: SavedFunnel, _ request: WorkbenchRequest) async throws {
        try await behaviors.events.removeFunnel(request.environmentID, funnel.id)
    }
}
