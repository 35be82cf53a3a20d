import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The page that lists goals and funnels with their numbers, and the pages that create, change and delete a goal.
struct GoalPages: EventDefinitionPages {
    let services: ServerServices
    let behaviors: BehaviorsFeature
    let root = "e/:environment/behaviors/goals"
    let noun = "goal"

    /// A valid goal from the form, ready to be stored.
    struct Draft: Sendable {
        let name: String
        let step: Funnel.Step
    }

    private struct Goal {
        let goalName: String
        let goalPath: String
        /// The path of the page that edits the goal; `nil` for a goal that only the app names.
        let editPath: String?
        let eventText: String?
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

    static func routes(_ services: ServerServices, _ behaviors: BehaviorsFeature) -> [WorkbenchRoute] {
        let pages = GoalPages(services: services, behaviors: behaviors)
        return [.page(pages.root) { try await pages.numbers($0) }]
            + pages.newRoutes + pages.changeRoutes + pages.removalRoutes
    }

    func find(_ request: WorkbenchRequest, _ id: String) async throws -> SavedGoal? {
        try await behaviors.events.savedGoal(request.environmentID, GoalID(id))
    }

    func name(of goal: SavedGoal) -> String { goal.name }

    // MARK: Numbers

    private func numbers(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
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

    /// Returns the goals that the team defined, and those that only apps report.
    private func goals(_ request: WorkbenchRequest, _ range: DayRange) async throws -> [Goal] {
        let environmentID = try request.environmentID
        let (from, until) = (range.buckets.from, range.buckets.until)
        let saved = try await behaviors.events.savedGoals(environmentID)
        var goals: [Goal] = []
        for goal in saved {
            let numbers = try await behaviors.events.numbers(
                environmentID, of: goal, from: from, until: until)
            goals.append(self.goal(numbers, goal.step, goal, range, request))
        }
        let code = EventCode.goalCompleted.rawValue
        let named = try await behaviors.events.goals(environmentID, from: from, until: until)
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
        // Only for events “goal completed” can the app also report that the goal was abandoned.
        let canAbandon = step.code == EventCode.goalCompleted.rawValue
        return Goal(
            goalName: numbers.name.isEmpty ? "(no name)" : numbers.name,
            goalPath: request.address("behaviors", "explorer") + "?" + query.encoded,
            editPath: request.may(.editor)
                ? saved.map { request.address("behaviors", "goals", $0.id.rawValue) } : nil,
            eventText: saved.map { FunnelView.text($0.step) },
            completed: Count.grouped(numbers.completed),
            abandoned: canAbandon ? Count.grouped(numbers.abandoned) : "–",
            users: Count.grouped(numbers.users),
            share: canAbandon
                ? Count.share(numbers.completed, of: numbers.completed + numbers.abandoned) : "–")
    }

    private func funnels(_ request: WorkbenchRequest, _ range: DayRange) async throws -> [FunnelView] {
        let environmentID = try request.environmentID
        var views: [FunnelView] = []
        for saved in try await behaviors.events.funnels(environmentID) {
            let result = try await behaviors.events.funnel(
                environmentID, saved.funnel, from: range.buckets.from, until: range.buckets.until)
            views.append(FunnelView(saved, result, for: request))
        }
        return views
    }

    // MARK: The form of a goal

    func form(
        _ request: WorkbenchRequest, _ goal: SavedGoal?, faults: FieldErrors
    ) async throws -> WorkbenchResult {
        let names = try await EventNames(behaviors, for: request)
        let isTyped = request.form["name"] != nil
        let step =
            isTyped ? StepFields(request.form, at: "step") : goal.map { StepFields($0.step) } ?? StepFields()
        let fields =
            [FieldView.line("name", "Name", request.form["name"] ?? goal?.name ?? "")]
            + step.fields(at: "step", names)
        let path = request.address("behaviors", "goals", goal?.id.rawValue ?? "new")
        let model = FormPage(
            csrf: request.csrfToken, title: goal?.name ?? "New goal",
            listPath: listPath(request), formPath: path,
            deletePath: goal == nil ? nil : path + "/delete",
            faultSummary: FaultSummary(faults, fields: fields),
            fields: fields.map { $0.with(faults: faults) }, names: names,
            button: goal == nil ? "Create goal" : "Save")
        return .page(model.title, "behaviors/goal", model, faults: faults)
    }

    func draft(_ request: WorkbenchRequest, over goal: SavedGoal?) async throws -> Draft {
        var faults = FieldErrors()
        let name = request.form.trimmed("name")
        if (try? Limits.name(name)) == nil { faults.add("name", "1 to 128 characters.") }
        let typed = StepFields(request.form, at: "step")
        let step = typed.step(try await EventNames(behaviors, for: request), at: "step", &faults)
        try faults.throwIfAny()
        return Draft(name: name, step: step)
    }

    func subject(of draft: Draft, _ request: WorkbenchRequest) -> AuditSubject { AuditSubject(draft.name) }

    func save(_ draft: Draft, over goal: SavedGoal?, _ request: WorkbenchRequest) async throws -> SavedGoal {
        try await behaviors.events.saveGoal(
            request.environmentID, id: goal?.id, name: draft.name, draft.step)
    }

    func remove(_ goal: SavedGoal, _ request: WorkbenchRequest) async throws {
        try await behaviors.events.removeGoal(request.environmentID, goal.id)
    }
}
