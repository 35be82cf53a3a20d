import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The pages of segments. Features contribute the conditions and their forms.
struct SegmentPages: RecordFormPages, RecordRemovalPages {
    let services: ServerServices
    let behaviors: BehaviorsFeature
    let root = "e/:environment/behaviors/segments"
    let noun = "segment"

    /// A valid segment from the form, ready to be stored.
    struct Draft: Sendable {
        let name: String
        let rule: SegmentRule
    }

    private struct Row {
        let rowPath: String
        let rowName: String
        let rowID: String
        let ruleText: String
        let changed: Moment
    }

    static func routes(_ services: ServerServices, _ behaviors: BehaviorsFeature) -> [WorkbenchRoute] {
        let pages = SegmentPages(services: services, behaviors: behaviors)
        return [.page(pages.root) { try await pages.list($0) }]
            + pages.newRoutes + pages.changeRoutes + pages.removalRoutes
    }

    private var conditions: AudienceConditions { behaviors.segments.conditions }

    private func submittedForm(_ request: WorkbenchRequest) -> SegmentForm {
        SegmentForm(request.form, conditions)
    }

    func find(_ request: WorkbenchRequest, _ id: String) async throws -> Segment? {
        try await behaviors.segments.segment(request.environmentID, SegmentID(id))
    }

    func name(of segment: Segment) -> String { segment.name }

    private func list(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let path = request.address("behaviors", "segments")
        let rows = try await behaviors.segments.segments(request.environmentID).map { segment in
            let count = segment.rule.conditions.count
            let rule = segment.rule.matchesAny ? "Any of \(count) conditions" : "All \(count) conditions"
            let ruleText =
                behaviors.segments.isReadable(segment.rule)
                ? (count == 1 ? "1 condition" : rule) : "Cannot be read; matches no users"
            return Row(
                rowPath: "\(path)/\(FormFields.escaped(segment.id.rawValue))", rowName: segment.name,
                rowID: segment.id.rawValue, ruleText: ruleText,
                changed: request.moment(segment.updatedAt))
        }
        return .page("Segments", "behaviors/segments", ListModel(rows, path: path, for: request))
    }

    // MARK: One segment

    func form(
        _ request: WorkbenchRequest, _ segment: Segment?, faults: FieldErrors
    ) async throws -> WorkbenchResult {
        try await page(request, segment, faults: faults, sizeText: nil)
    }

    private func page(
        _ request: WorkbenchRequest, _ segment: Segment?, faults: FieldErrors = FieldErrors(),
        sizeText: String?
    ) async throws -> WorkbenchResult {
        let saved = request.hasForm ? nil : segment
        let form = saved.map { SegmentForm($0, conditions) } ?? submittedForm(request)
        var text = sizeText
        var members: SegmentModel.Members?
        // Members are shown for the saved segment, not for the typed one.
        if let segment, request.form["op"] == nil {
            text = try? await size(segment.rule, request)
            do { members = try await self.members(segment, request) } catch is SQLError {}
        }
        let model = SegmentModel(
            form, of: segment, forms: try await behaviors.segments.forms(request.environmentID),
            faults: faults, sizeText: text, members: members, for: request)
        return .page(model.title, "behaviors/segment", model, scripts: ["segment.js"], faults: faults)
    }

    /// Returns a rule's number of users as text. A count that takes too long must not lose what was typed.
    private func size(_ rule: SegmentRule, _ request: WorkbenchRequest) async throws -> String {
        do {
            let count = try await behaviors.segments.count(request.environmentID, rule)
            let all = try await services.users.count(request.environmentID)
            return "\(Count.of(count, "user")) of \(Count.grouped(all)) now"
        } catch is SQLError {
            return "The users could not be counted."
        }
    }

    private func members(
        _ segment: Segment, _ request: WorkbenchRequest
    ) async throws -> SegmentModel.Members {
        let path = request.address("behaviors", "segments", segment.id.rawValue)
        let page = try await request.page(of: path, key: \.rawValue) {
            try await behaviors.segments.users(
                request.environmentID, segment.id, after: UserID($0.after), limit: $0.limit)
        }
        return SegmentModel.Members(
            rows: page.items.map {
                .init(rowPath: request.address("users", $0.rawValue), rowID: $0.rawValue)
            },
            hasRows: !page.items.isEmpty, pager: page.pager)
    }

    /// Shows the form again after a button that adds or removes a condition or counts the users.
    func step(_ request: WorkbenchRequest, _ segment: Segment?) async throws -> WorkbenchResult? {
        switch request.form["op"] ?? "save" {
        case "save": return nil
        case "preview":
            let rule = try await checked(submittedForm(request), requiresName: false, request)
            return try await page(request, segment, sizeText: try await size(rule, request))
        default: return try await page(request, segment, sizeText: nil)
        }
    }

    func draft(_ request: WorkbenchRequest, over segment: Segment?) async throws -> Draft {
        let form = submittedForm(request)
        return Draft(name: form.name, rule: try await checked(form, requiresName: true, request))
    }

    func subject(of draft: Draft, _ request: WorkbenchRequest) -> AuditSubject { AuditSubject(draft.name) }

    func save(_ draft: Draft, over segment: Segment?, _ request: WorkbenchRequest) async throws -> Segment {
        try await behaviors.segments.save(
            request.environmentID, id: segment?.id, name: draft.name, draft.rule)
    }

    func saved(_ segment: Segment, isNew: Bool, _ request: WorkbenchRequest) -> WorkbenchResult {
        .redirect(
            to: request.address("behaviors", "segments", segment.id.rawValue),
            Flash("Saved the segment “\(segment.name)”."))
    }

    /// Returns the rule of a form; throws `FieldErrors` that name the faulty conditions.
    private func checked(
        _ form: SegmentForm, requiresName: Bool, _ request: WorkbenchRequest
    ) async throws -> SegmentRule {
        let (rule, read) = try form.rule(conditions)
        var faults = read
        if requiresName, (try? Limits.name(form.name)) == nil { faults.add("name", "1 to 128 characters.") }
        try faults.throwIfAny()
        try await behaviors.segments.check(request.environmentID, rule)
        return rule
    }

    // MARK: Removal

    func warning(about segment: Segment, _ request: WorkbenchRequest) -> String {
        "Cards that are sent to it afterwards reach no users; cards that were sent stay."
    }

    func cancelPath(of segment: Segment, _ request: WorkbenchRequest) -> String {
        request.address("behaviors", "segments", segment.id.rawValue)
    }

    func remove(_ segment: Segment, _ request: WorkbenchRequest) async throws {
        try await behaviors.segments.remove(request.environmentID, segment.id)
    }

    func pathAfterRemoval(of segment: Segment, _ request: WorkbenchRequest) -> String {
        request.address("behaviors", "segments")
    }
}
