import InlayWire

/// Goals and funnels, and campaigns with what came of them.
struct GoalPages: Sendable {
    let services: ServerServices
    let stores: WorkbenchStores

    private struct Goal {
        let goalName: String
        let goalPath: String
        let completed: String
        let abandoned: String
        let users: String
        let share: String
    }

    private struct FunnelView {
        struct Step {
            let stepName: String
            let users: String
            let share: String
            /// 0 to 72, the bar's width in its own units.
            let bar: Int
        }

        let csrf: String
        let funnelName: String
        let windowWords: String
        let steps: [Step]
        let isPartial: Bool
        let canEdit: Bool
        let deletePath: String
    }

    private struct Model {
        let ranges: [ChoiceView]
        let goals: [Goal]
        let hasGoals: Bool
        let funnels: [FunnelView]
        let hasFunnels: Bool
        let canEdit: Bool
        let newPath: String
    }

    private struct Campaign {
        let campaignName: String
        let campaignPath: String
        let sessions: String
        let completed: String
        let abandoned: String
        let events: String
        let best: String
    }

    private struct CampaignModel {
        let ranges: [ChoiceView]
        let rows: [Campaign]
        let hasRows: Bool
    }

    static func routes(_ services: ServerServices, _ stores: WorkbenchStores) -> [WorkbenchRoute] {
        let pages = GoalPages(services: services, stores: stores)
        let root = "e/:environment/behaviors"
        return [
            .page("\(root)/goals") { try await pages.goals($0) },
            .page("\(root)/goals/new", for: .editor) { pages.blank($0, faults: FieldErrors()) },
            .form("\(root)/goals/new", for: .editor) { try await pages.make($0) },
            .form("\(root)/goals/:funnel/delete", for: .editor) { try await pages.delete($0) },
            .page("\(root)/campaigns") { try await pages.campaigns($0) },
        ]
    }

    private func goals(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let environmentID = try request.environmentID
        let span = BehaviorSpan(request)
        let events = stores.behaviors.events
        let goals = try await events.goals(environmentID, from: span.from, until: span.until)
        var funnels: [FunnelView] = []
        for saved in try await events.funnels(environmentID) {
            let result = try await events.funnel(
                environmentID, saved.funnel, from: span.from, until: span.until)
            funnels.append(view(saved, result, request))
        }
        let explorer = request.address("behaviors", "explorer") + "?days=\(span.days)&code=16&name="
        let model = Model(
            ranges: span.choices,
            goals: goals.map { goal in
                Goal(
                    goalName: goal.name.isEmpty ? "(no name)" : goal.name,
                    goalPath: explorer + FormFields.escaped(goal.name),
                    completed: Count.grouped(goal.completed), abandoned: Count.grouped(goal.abandoned),
                    users: Count.grouped(goal.users),
                    share: Count.share(goal.completed, of: goal.completed + goal.abandoned))
            },
            hasGoals: !goals.isEmpty, funnels: funnels, hasFunnels: !funnels.isEmpty,
            canEdit: request.may(.editor), newPath: request.address("behaviors", "goals", "new"))
        return .page("Goals and funnels", "behaviors/goals", model)
    }

    private func view(
        _ saved: SavedFunnel, _ result: FunnelResult, _ request: WorkbenchRequest
    ) -> FunnelView {
        let first = result.users.first ?? 0
        let steps = zip(saved.funnel.steps, result.users).map { step, users in
            FunnelView.Step(
                stepName: step.name ?? EventCode(rawValue: step.code)?.words ?? "\(step.code)",
                users: Count.grouped(users), share: Count.share(users, of: first),
                bar: first > 0 ? 72 * users / first : 0)
        }
        return FunnelView(
            csrf: request.csrfToken, funnelName: saved.name,
            windowWords: "within \(Count.of(Int(saved.funnel.windowSeconds / 3_600), "hour"))", steps: steps,
            isPartial: result.isPartial, canEdit: request.may(.editor),
            deletePath: request.address("behaviors", "goals", saved.id, "delete"))
    }

    // MARK: Funnels

    private func blank(_ request: WorkbenchRequest, faults: FieldErrors) -> WorkbenchAnswer {
        let hint = "One step a line, for example: 13, or 17 Ticket viewed, or 16 Ticket bought."
        let fields = [
            FieldView.line("name", "Name", request.form["name"] ?? ""),
            .line("hours", "Within how many hours", request.form["hours"] ?? "24")
                .with { $0.mode = "numeric" },
            .area("steps", "Steps", request.form["steps"] ?? "", hint: hint, rows: 6)
                .with { $0.isWide = true },
        ]
        let list = request.address("behaviors", "goals")
        let model = FormModel(
            "New funnel", in: ("Goals and funnels", list), at: list + "/new", fields: fields, faults: faults,
            button: "Keep the funnel", for: request)
        return .page(model.title, "form", model, status: faults.items.isEmpty ? 200 : 422)
    }

    private func make(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        var faults = FieldErrors()
        if request.form.trimmed("name").isEmpty { faults.add("name", "This must not be empty.") }
        let hours = Int(request.form.trimmed("hours")) ?? 0
        if !(1...8_784).contains(hours) { faults.add("hours", "From 1 to 8784.") }
        var steps: [Funnel.Step] = []
        for line in (request.form["steps"] ?? "").split(whereSeparator: \.isNewline) {
            let parts = line.trimmingCharacters(in: .whitespaces).split(separator: " ", maxSplits: 1)
            guard let first = parts.first else { continue }
            guard let code = Int(first), EventCode(rawValue: code) != nil else {
                faults.add("steps", "“\(line)” does not begin with a code such as 13, 16 or 17.")
                continue
            }
            steps.append(Funnel.Step(code, parts.count == 2 ? String(parts[1]) : nil))
        }
        if !(1...Funnel.mostSteps).contains(steps.count) {
            faults.add("steps", "From 1 to \(Funnel.mostSteps) steps.")
        }
        do {
            try faults.throwIfAny()
            let saved = try await stores.behaviors.events.saveFunnel(
                request.environmentID, name: request.form.trimmed("name"),
                Funnel(steps: steps, window: .seconds(3_600 * hours)))
            try services.audit.record("created funnel", saved.name, by: request)
            return .redirect(
                to: request.address("behaviors", "goals"), Flash("Keeps the funnel “\(saved.name)”."))
        } catch let faults as FieldErrors {
            return blank(request, faults: faults)
        }
    }

    private func delete(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let id = try request.parameter("funnel")
        try await stores.behaviors.events.removeFunnel(request.environmentID, id)
        try services.audit.record("deleted funnel", id, by: request)
        return .redirect(to: request.address("behaviors", "goals"), Flash("Deleted the funnel."))
    }

    // MARK: Campaigns

    private func campaigns(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let span = BehaviorSpan(request)
        let found = try await stores.behaviors.events.campaigns(
            request.environmentID, from: span.from, until: span.until)
        let explorer = request.address("behaviors", "explorer") + "?days=\(span.days)&by=code&campaign="
        let rows = found.map { campaign in
            Campaign(
                campaignName: campaign.name, campaignPath: explorer + FormFields.escaped(campaign.name),
                sessions: Count.grouped(campaign.sessions), completed: Count.grouped(campaign.completed),
                abandoned: Count.grouped(campaign.abandoned), events: Count.grouped(campaign.events),
                best: campaign.goals.first.map { "\($0.name) (\(Count.grouped($0.count)))" } ?? "–")
        }
        return .page(
            "Campaigns", "behaviors/campaigns",
            CampaignModel(ranges: span.choices, rows: rows, hasRows: !rows.isEmpty))
    }
}

/// The last days that a page is about.
struct BehaviorSpan {
    let days: Int
    let from: Timestamp
    let until: Timestamp
    let choices: [ChoiceView]

    init(_ request: WorkbenchRequest) {
        let known = [7, 30, 90]
        let days = known.first { "\($0)" == request.query["days"] } ?? 30
        self.days = days
        (from, until) = (request.now + .seconds(-86_400 * days), request.now)
        choices = ChoiceView.list(known.map { ("\($0)", "\($0) days") }, chosen: "\(days)")
    }
}
