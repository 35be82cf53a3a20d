import InlayWire

/// What the page of one segment shows: its form, how many users it means, who they are.
struct SegmentModel {
    /// One condition with its fields.
    struct Condition {
        let number: Int
        let index: Int
        let kind: FieldView
        let event: [FieldView]
        let contact: [FieldView]
        let canRemove: Bool
    }

    /// A user who is in it.
    struct Member {
        let rowPath: String
        let rowID: String
    }

    /// Who is in a segment that is kept.
    struct Members {
        let rows: [Member]
        let hasRows: Bool
        let pager: Pager
    }

    let csrf: String
    let title: String
    let listPath: String
    let formPath: String
    let deletePath: String?
    let faultSummary: FaultSummary?
    let fields: [FieldView]
    let conditions: [Condition]
    let canAdd: Bool
    let canEdit: Bool
    let sizeWords: String?
    let members: Members?

    init(
        _ form: SegmentForm, of segment: Segment?, columns: [(String, String)], faults: FieldErrors,
        sizeWords: String?, members: Members?, for request: WorkbenchRequest
    ) {
        csrf = request.csrfToken
        title = segment?.name ?? "New segment"
        listPath = request.address("behaviors", "segments")
        formPath = request.address("behaviors", "segments", segment?.id ?? "new")
        deletePath = segment == nil ? nil : formPath + "/delete"
        canEdit = request.may(.editor)
        let isLocked = !canEdit
        func shown(_ field: FieldView) -> FieldView {
            field.with(faults: faults).with { $0.isLocked = isLocked }
        }
        fields = [
            shown(.line("name", "Name", form.name, hint: "For your team.")),
            shown(
                .choice(
                    "match", "A user is in it when", form.matchesAny ? "any" : "all",
                    of: [("all", "all conditions hold"), ("any", "one of them holds")])),
        ]
        conditions = form.conditions.enumerated().map { index, typed in
            Condition(
                number: index + 1, index: index, kind: shown(typed.kindField(SegmentForm.path(index))),
                event: typed.eventFields(SegmentForm.path(index)).map(shown),
                contact: typed.contactFields(SegmentForm.path(index), columns).map(shown),
                canRemove: !isLocked && form.conditions.count > 1)
        }
        canAdd = canEdit && form.conditions.count < SegmentRule.mostConditions
        faultSummary = FaultSummary(
            faults, fields: fields + conditions.flatMap { [$0.kind] + $0.event + $0.contact })
        self.sizeWords = sizeWords
        self.members = members
    }
}

extension SegmentForm.Condition {
    fileprivate func kindField(_ path: String) -> FieldView {
        .choice(
            "\(path).kind", "The user", kind,
            of: [
                ("event", "did"), ("notEvent", "did not do"), ("contact", "has as a contact"),
                ("notContact", "does not have as a contact"),
            ])
    }

    fileprivate func eventFields(_ path: String) -> [FieldView] {
        [
            .choice("\(path).code", "What", code, of: EventCode.choices),
            .line("\(path).eventName", "Named", eventName, hint: "Empty: any name."),
            FieldView.line("\(path).atLeast", "At least how often", atLeast).with {
                $0.mode = "numeric"
                $0.unit = "times"
            },
            FieldView.line("\(path).days", "In the last", days).with {
                $0.mode = "numeric"
                $0.unit = "days"
            },
        ]
    }

    fileprivate func contactFields(_ path: String, _ columns: [(String, String)]) -> [FieldView] {
        let comparisons = SegmentCondition.Comparison.allCases.map { ($0.rawValue, $0.words) }
        let known = columns.contains { $0.0 == column } || column.isEmpty
        return [
            .choice(
                "\(path).column", "Column", column,
                of: [("", "Choose…")] + columns + (known ? [] : [(column, "\(column) (gone)")])),
            .choice("\(path).comparison", "Compared", comparison, of: comparisons),
            .line("\(path).value", "With", value),
        ]
    }
}

extension SegmentCondition.Comparison {
    /// What people call it.
    var words: String {
        switch self {
        case .equals: "is"
        case .contains: "contains"
        case .beginsWith: "begins with"
        case .lessThan: "is less than, or before"
        case .greaterThan: "is more than, or after"
        case .hasValue: "has any value"
        }
    }
}
