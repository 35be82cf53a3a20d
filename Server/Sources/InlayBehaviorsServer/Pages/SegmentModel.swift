import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The model of the page of one segment: its form, its number of users, and its users.
struct SegmentModel {
    /// A condition with the fields of every kind; only those of the chosen kind are visible.
    struct Condition {
        struct Fields {
            let kindName: String
            let isHidden: Bool
            let kindFields: [FieldView]
        }

        let number: Int
        let index: Int
        let kind: FieldView
        let kinds: [Fields]
        let canRemove: Bool
    }

    /// A user in the segment.
    struct Member {
        let rowPath: String
        let rowID: String
    }

    /// The members of a saved segment.
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
    let sizeText: String?
    let members: Members?

    init(
        _ form: SegmentForm, of segment: Segment?, forms: [SegmentConditionForm], faults: FieldErrors,
        sizeText: String?, members: Members?, for request: WorkbenchRequest
    ) {
        csrf = request.csrfToken
        title = segment?.name ?? "New segment"
        listPath = request.address("behaviors", "segments")
        formPath = request.address("behaviors", "segments", segment?.id.rawValue ?? "new")
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
                    "match", "Users match if", form.matchesAny ? "any" : "all",
                    of: [("all", "all conditions hold"), ("any", "any condition is met")])),
        ]
        conditions = form.conditions.enumerated().map { index, entered in
            let kinds = forms.map { form in
                Condition.Fields(
                    kindName: form.kind, isHidden: form.kind != entered.kind,
                    kindFields: form.fields.map { field in
                        let value = entered.values[form.kind]?[field.name]
                        return shown(FieldView(field, below: SegmentRule.path(index, form.kind), value))
                    })
            }
            return Condition(
                number: index + 1, index: index,
                kind: shown(entered.kindField(SegmentForm.path(index), forms)), kinds: kinds,
                canRemove: !isLocked && form.conditions.count > 1)
        }
        canAdd = canEdit && form.conditions.count < SegmentRule.maximumConditions
        faultSummary = FaultSummary(
            faults, fields: fields + conditions.flatMap { [$0.kind] + $0.kinds.flatMap(\.kindFields) })
        self.sizeText = sizeText
        self.members = members
    }
}

extension SegmentForm.Condition {
    fileprivate func kindField(_ path: String, _ forms: [SegmentConditionForm]) -> FieldView {
        let choices = forms.flatMap { form in
            [
                (Self.choice(form.kind, isNot: false), form.label),
                (Self.choice(form.kind, isNot: true), form.oppositeLabel),
            ]
        }
        let isKnown = choice.isEmpty || choices.contains { $0.0 == choice }
        let label = kind == AudienceConditions.unreadableKind ? "(cannot be read)" : "\(choice) (gone)"
        return .choice("\(path).kind", "The user", choice, of: choices + (isKnown ? [] : [(choice, label)]))
    }
}
