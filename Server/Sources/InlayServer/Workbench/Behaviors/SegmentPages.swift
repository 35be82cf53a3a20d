import InlaySQL
import InlayWire

/// Segments: users chosen by what they did and by what their contact holds.
struct SegmentPages: Sendable {
    let services: ServerServices
    let stores: WorkbenchStores

    private struct Row {
        let rowPath: String
        let rowName: String
        let rowID: String
        let ruleWords: String
        let changed: Moment
    }

    static func routes(_ services: ServerServices, _ stores: WorkbenchStores) -> [WorkbenchRoute] {
        let pages = SegmentPages(services: services, stores: stores)
        let root = "e/:environment/behaviors/segments"
        return [
            .page(root) { try await pages.list($0) },
            .page("\(root)/new", for: .editor) { try await pages.page(SegmentForm($0.form), nil, for: $0) },
            .form("\(root)/new", for: .editor) { try await pages.take($0, nil) },
            .page("\(root)/:segment") { request in
                let segment = try await pages.found(request)
                return try await pages.page(SegmentForm(segment), segment, for: request)
            },
            .form("\(root)/:segment", for: .editor) { try await pages.take($0, try await pages.found($0)) },
            .page("\(root)/:segment/delete", for: .editor) { try await pages.confirmDelete($0) },
            .form("\(root)/:segment/delete", for: .editor) { try await pages.delete($0) },
        ]
    }

    private func found(_ request: WorkbenchRequest) async throws -> Segment {
        try await request.found("segment", stores.behaviors.segments.segment)
    }

    private func list(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let path = request.address("behaviors", "segments")
        let rows = try await stores.behaviors.segments.segments(request.environmentID).map { segment in
            let count = segment.rule.conditions.count
            let rule = segment.rule.matchesAny ? "One of \(count) holds" : "All \(count) hold"
            return Row(
                rowPath: "\(path)/\(FormFields.escaped(segment.id))", rowName: segment.name,
                rowID: segment.id, ruleWords: count == 1 ? "1 condition" : rule,
                changed: request.moment(segment.updatedAt))
        }
        return .page("Segments", "behaviors/segments", ListModel(rows, path: path, for: request))
    }

    // MARK: One segment

    private func page(
        _ form: SegmentForm, _ segment: Segment?, faults: FieldErrors = FieldErrors(),
        sizeWords: String? = nil, for request: WorkbenchRequest
    ) async throws -> WorkbenchAnswer {
        var words = sizeWords
        var members: SegmentModel.Members?
        // Who is in it is shown of what is kept, not of what is typed.
        if let segment, request.form["op"] == nil {
            words = try? await size(segment.rule, request)
            do { members = try await self.members(segment, request) } catch is SQLError {}
        }
        let model = SegmentModel(
            form, of: segment, columns: try await columns(request), faults: faults, sizeWords: words,
            members: members, for: request)
        return .page(model.title, "behaviors/segment", model, faults: faults)
    }

    private func columns(_ request: WorkbenchRequest) async throws -> [(String, String)] {
        try await stores.behaviors.contacts.lists(request.environmentID).map(\.list)
            .filter { $0.kind == .database }
            .flatMap { list in list.columns.map { ("\(list.id):\($0.name)", "\(list.name): \($0.name)") } }
    }

    /// How many users a rule means, in words. A count that takes too long must not lose what was typed.
    private func size(_ rule: SegmentRule, _ request: WorkbenchRequest) async throws -> String {
        do {
            let count = try await stores.behaviors.segments.count(request.environmentID, rule)
            let all = try await services.users.count(request.environmentID)
            return "\(Count.of(count, "user")) of \(Count.grouped(all)) now"
        } catch is SQLError {
            return "The users cannot be counted now."
        }
    }

    private func members(
        _ segment: Segment, _ request: WorkbenchRequest
    ) async throws -> SegmentModel.Members {
        let path = request.address("behaviors", "segments", segment.id)
        let page = try await request.page(of: path, key: \.self) {
            try await stores.behaviors.segments.users(
                request.environmentID, segment.id, after: $0.after, limit: $0.limit)
        }
        return SegmentModel.Members(
            rows: page.items.map { .init(rowPath: request.address("users", $0), rowID: $0) },
            hasRows: !page.items.isEmpty, pager: page.pager)
    }

    /// A press of any button of the form. What was typed is kept in every case.
    private func take(_ request: WorkbenchRequest, _ segment: Segment?) async throws -> WorkbenchAnswer {
        let form = SegmentForm(request.form)
        let wish = request.form["op"] ?? "save"
        guard wish == "save" || wish == "preview" else {
            return try await page(form, segment, for: request)
        }
        do {
            let rule = try await checked(form, named: wish == "save", request)
            guard wish == "save" else {
                return try await page(form, segment, sizeWords: try await size(rule, request), for: request)
            }
            let saved = try await stores.behaviors.segments.save(
                request.environmentID, id: segment?.id, name: form.name, rule)
            try services.audit.record(
                segment == nil ? "created segment" : "changed segment", saved.name, by: request)
            return .redirect(
                to: request.address("behaviors", "segments", saved.id),
                Flash("Keeps the segment “\(saved.name)”."))
        } catch let faults as FieldErrors {
            return try await page(form, segment, faults: faults, for: request)
        }
    }

    /// The rule of a form; throws `FieldErrors` that name the condition.
    private func checked(
        _ form: SegmentForm, named mustHaveName: Bool, _ request: WorkbenchRequest
    ) async throws -> SegmentRule {
        let (rule, read) = form.rule()
        var faults = read
        if mustHaveName, (try? Limits.name(form.name)) == nil { faults.add("name", "1 to 128 characters.") }
        try faults.throwIfAny()
        for (index, condition) in rule.conditions.enumerated() {
            do {
                try await stores.behaviors.segments.check(request.environmentID, SegmentRule([condition]))
            } catch let problem as Problem where problem.status == 422 {
                let field = condition.event == nil ? "value" : "code"
                faults.add("\(SegmentForm.path(index)).\(field)", problem.detail ?? problem.title)
            }
        }
        try faults.throwIfAny()
        return rule
    }

    // MARK: Taking away

    private func confirmDelete(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let segment = try await found(request)
        return .confirm(
            "Delete", segment.name,
            "Cards that are sent to it from then on reach nobody; those that were sent stay.",
            at: request.path, back: request.address("behaviors", "segments", segment.id), for: request)
    }

    private func delete(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let segment = try await found(request)
        try await stores.behaviors.segments.remove(request.environmentID, segment.id)
        try services.audit.record("deleted segment", segment.name, by: request)
        return .redirect(
            to: request.address("behaviors", "segments"), Flash("Deleted “\(segment.name)”."))
    }
}
