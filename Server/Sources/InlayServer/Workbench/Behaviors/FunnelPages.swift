import InlayWire

/// One funnel: made, changed and removed on its page.
struct FunnelPages: Sendable {
    let services: ServerServices
    let stores: WorkbenchStores

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

    static func routes(_ services: ServerServices, _ stores: WorkbenchStores) -> [WorkbenchRoute] {
        let pages = FunnelPages(services: services, stores: stores)
        let root = "e/:environment/behaviors/funnels"
        return [
            .page("\(root)/new", for: .editor) { try await pages.page(FunnelForm($0.form), nil, for: $0) },
            .form("\(root)/new", for: .editor) { try await pages.take($0, nil) },
            .page("\(root)/:funnel", for: .editor) { request in
                let funnel = try await pages.found(request)
                return try await pages.page(FunnelForm(funnel), funnel, for: request)
            },
            .form("\(root)/:funnel", for: .editor) { try await pages.take($0, try await pages.found($0)) },
            .page("\(root)/:funnel/delete", for: .editor) { try await pages.confirm($0) },
            .form("\(root)/:funnel/delete", for: .editor) { try await pages.delete($0) },
        ]
    }

    private func found(_ request: WorkbenchRequest) async throws -> SavedFunnel {
        try await request.found("funnel") { try await stores.behaviors.events.funnel($0, $1) }
    }

    private func page(
        _ form: FunnelForm, _ funnel: SavedFunnel?, faults: FieldErrors = FieldErrors(),
        for request: WorkbenchRequest
    ) async throws -> WorkbenchAnswer {
        let names = try await EventNames(stores, for: request)
        let fields = form.fields().map { $0.with(faults: faults) }
        let steps = form.steps.enumerated().map { index, step in
            Step(
                number: index + 1, index: index,
                fields: step.fields(at: FunnelForm.path(index), names).map { $0.with(faults: faults) },
                canRemove: form.steps.count > 1, canMoveUp: index > 0)
        }
        let path = request.address("behaviors", "funnels", funnel?.id ?? "new")
        let model = Model(
            csrf: request.csrfToken, title: funnel?.name ?? "New funnel",
            listPath: request.address("behaviors", "goals"), formPath: path,
            deletePath: funnel == nil ? nil : path + "/delete",
            faultSummary: FaultSummary(faults, fields: fields + steps.flatMap(\.fields)), fields: fields,
            steps: steps, canAdd: form.steps.count < Funnel.maximumSteps, names: names,
            button: funnel == nil ? "Create funnel" : "Save")
        return .page(model.title, "behaviors/funnel", model, faults: faults)
    }

    /// A press of any button of the form. What was typed is kept in every case.
    private func take(_ request: WorkbenchRequest, _ funnel: SavedFunnel?) async throws -> WorkbenchAnswer {
        let form = FunnelForm(request.form)
        guard request.form["op"] ?? "save" == "save" else {
            return try await page(form, funnel, for: request)
        }
        do {
            let typed = try form.funnel(try await EventNames(stores, for: request))
            let saved = try await stores.behaviors.events.saveFunnel(
                request.environmentID, id: funnel?.id, name: form.name, typed)
            try services.audit.record(
                funnel == nil ? "created funnel" : "changed funnel", saved.name, by: request)
            return .redirect(
                to: request.address("behaviors", "goals"), Flash("Saved the funnel “\(saved.name)”."))
        } catch let faults as FieldErrors {
            return try await page(form, funnel, faults: faults, for: request)
        }
    }

    private func confirm(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        .confirm(
            "Delete", try await found(request).name, "The events stay; the funnel can be made again.",
            at: request.path, back: request.address("behaviors", "goals"), for: request)
    }

    private func delete(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let funnel = try await found(request)
        try await stores.behaviors.events.removeFunnel(request.environmentID, funnel.id)
        try services.audit.record("deleted funnel", funnel.name, by: request)
        return .redirect(
            to: request.address("behaviors", "goals"), Flash("Deleted the funnel “\(funnel.name)”."))
    }
}
