import InlayWire

/// Goals and funnels with their numbers, and the form of one goal.
struct GoalPages: Sendable {
    let services: ServerServices
    let stores: WorkbenchStores

    private struct Goal {
        let goalName: String
        let goalPath: String
        /// Where the goal can be changed; `nil` for a goal that only the app names.
        let editPath: String?
        let eventWords: String?
        let completed: String
        let abandoned: String
        let users: String
        let share: String
    }

    private struct Model {
        let ranges: [ChoiceView]
        let goals: [Goal]
        let hasGoals: Bool
        let funnels: [FunnelView]
        let hasFunnels: Bool
        let canEdit: Bool
        let newFunnelPath: String
        let newGoalPath: String
    }

    private struct FormPage {
        let csrf: String
        let title: String
        let listPath: String
        let formPath: String
        let deletePath: String?
        let faultSummary: FaultSummary?
        let fields: [FieldView]
        let names: EventNames
        let button: String
    }

    static func routes(_ services: ServerServices, _ stores: WorkbenchStores) -> [WorkbenchRoute] {
        let pages = GoalPages(services: services, stores: stores)
        let root = "e/:environment/behaviors/goals"
        return [
            .page(root) { try await pages.list($0) },
            .page("\(root)/new", for: .editor) { try await pages.page(nil, for: $0) },
            .form("\(root)/new", for: .editor) { try await pages.save($0, nil) },
            .page("\(root)/:goal", for: .editor) { request in
                try await pages.page(try await pages.found(request), for: request)
            },
            .form("\(root)/:goal", for: .editor) { try await pages.save($0, try await pages.found($0)) },
            .page("\(root)/:goal/delete", for: .editor) { try await pages.confirm($0) },
            .form("\(root)/:goal/delete", for: .editor) { try await pages.delete($0) },
        ]
    }

    private func found(_ request: WorkbenchRequest) async throws -> SavedGoal {
        try await request.found("goal") { try await stores.behaviors.events.savedGoal($0, $1) }
    }

    // MARK: Numbers

    private func list(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let range = DayRange(request)
        let goals = try await goals(request, range)
        let funnels = try await funnels(request, range)
        let model = Model(
            ranges: range.choices, goals: goals, hasGoals: !goals.isEmpty, funnels: funnels,
            hasFunnels: !funnels.isEmpty, canEdit: request.may(.editor),
            newFunnelPath: request.address("behaviors", "funnels", "new"),
            newGoalPath: request.address("behaviors", "goals", "new"))
        return .page("Goals and funnels", "behaviors/goals", model)
    }

    /// The team's own goals, and those that apps name and nobody defined.
    private func goals(_ request: WorkbenchRequest, _ range: DayRange) async throws -> [Goal] {
        let environmentID = try request.environmentID
        let (from, until) = (range.buckets.from, range.buckets.until)
        let saved = try await stores.behaviors.events.savedGoals(environmentID)
        var goals: [Goal] = []
        for goal in saved {
            let numbers = try await stores.behaviors.events.numbers(
                environmentID, of: goal, from: from, until: until)
            goals.append(self.goal(numbers, goal.step, goal, range, request))
        }
        let code = EventCode.goalCompleted.rawValue
        let named = try await stores.behaviors.events.goals(environmentID, from: from, until: until)
        goals += named.filter { numbers in !saved.contains { $0.step == Funnel.Step(code, numbers.name) } }
            .map { self.goal($0, Funnel.Step(code, $0.name), nil, range, request) }
        return goals.sorted { $0.goalName.lowercased() < $1.goalName.lowercased() }
    }

    private func goal(
        _ numbers: GoalNumbers, _ step: Funnel.Step, _ saved: SavedGoal?, _ range: DayRange,
        _ request: WorkbenchRequest
    ) -> Goal {
        let query = FormFields([
            ("days", "\(range.count)"), ("code", "\(step.code)"), ("name", step.name ?? ""),
            ("attribute", step.attribute ?? ""), ("value", step.value ?? ""),
        ])
        // Only the app can say that a goal was given up.
        let canAbandon = step.code == EventCode.goalCompleted.rawValue
        return Goal(
            goalName: numbers.name.isEmpty ? "(no name)" : numbers.name,
            goalPath: request.address("behaviors", "explorer") + "?" + query.encoded,
            editPath: request.may(.editor)
                ? saved.map { request.address("behaviors", "goals", $0.id) } : nil,
            eventWords: saved.map { FunnelView.words($0.step) },
            completed: Count.grouped(numbers.completed),
            abandoned: canAbandon ? Count.grouped(numbers.abandoned) : "–",
            users: Count.grouped(numbers.users),
            share: canAbandon
                ? Count.share(numbers.completed, of: numbers.completed + numbers.abandoned) : "–")
    }

    private func funnels(_ request: WorkbenchRequest, _ range: DayRange) async throws -> [FunnelView] {
        let environmentID = try request.environmentID
        var views: [FunnelView] = []
        for saved in try await stores.behaviors.events.funnels(environmentID) {
            let result = try await stores.behaviors.events.funnel(
                environmentID, saved.funnel, from: range.buckets.from, until: range.buckets.until)
            views.append(FunnelView(saved, result, for: request))
        }
        return views
    }

    // MARK: The form of a goal

    private func page(
        _ goal: SavedGoal?, faults: FieldErrors = FieldErrors(), for request: WorkbenchRequest
    ) async throws -> WorkbenchAnswer {
        let names = try await EventNames(stores, for: request)
        let isTyped = request.form["name"] != nil
        let step =
            isTyped ? StepFields(request.form, at: "step") : goal.map { StepFields($0.step) } ?? StepFields()
        let fields =
            [FieldView.line("name", "Name", request.form["name"] ?? goal?.name ?? "")]
            + step.fields(at: "step", names)
        let path = request.address("behaviors", "goals", goal?.id ?? "new")
        let model = FormPage(
            csrf: request.csrfToken, title: goal?.name ?? "New goal",
            listPath: request.address("behaviors", "goals"), formPath: path,
            deletePath: goal == nil ? nil : path + "/delete",
            faultSummary: FaultSummary(faults, fields: fields),
            fields: fields.map { $0.with(faults: faults) }, names: names,
            button: goal == nil ? "Create goal" : "Save")
        return .page(model.title, "behaviors/goal", model, faults: faults)
    }

    private func save(_ request: WorkbenchRequest, _ goal: SavedGoal?) async throws -> WorkbenchAnswer {
        do {
            var faults = FieldErrors()
            let name = request.form.trimmed("name")
            if (try? Limits.name(name)) == nil { faults.add("name", "1 to 128 characters.") }
            let typed = StepFields(request.form, at: "step")
            let step = typed.step(try await EventNames(stores, for: request), at: "step", &faults)
            try faults.throwIfAny()
            let saved = try await stores.behaviors.events.saveGoal(
                request.environmentID, id: goal?.id, name: name, step)
            try services.audit.record(
                goal == nil ? "created goal" : "changed goal", saved.name, by: request)
            return .redirect(
                to: request.address("behaviors", "goals"), Flash("Saved the goal “\(saved.name)”."))
        } catch let faults as FieldErrors {
            return try await page(goal, faults: faults, for: request)
        }
    }

    private func confirm(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        .confirm(
            "Delete", try await found(request).name, "The events stay; the goal can be made again.",
            at: request.path, back: request.address("behaviors", "goals"), for: request)
    }

    private func delete(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let goal = try await found(request)
        try await stores.behaviors.events.removeGoal(request.environmentID, goal.id)
        try services.audit.record("deleted goal", goal.name, by: request)
        return .redirect(
            to: request.address("behaviors", "goals"), Flash("Deleted the goal “\(goal.name)”."))
    }
}
