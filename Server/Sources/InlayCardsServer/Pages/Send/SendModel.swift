import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The model of the page that sends a template.
struct SendModel {
    /// A way to choose the users.
    struct Choice {
        let choiceID: String
        let choiceName: String
        let isChosen: Bool
        let fields: [FieldView]
    }

    let head: TemplateHead
    let csrf: String
    let path: String
    let previewPath: String
    let faultSummary: FaultSummary?
    let staleText: String?
    let offText: String?
    let choices: [Choice]
    let known: [SuggestedUser]
    let variables: [FieldView]
    let hasVariables: Bool
    let runtimeText: String?
    let times: [FieldView]
    let isMoreOpen: Bool

    init(
        _ template: CardTemplate, _ published: CardTemplateDraft, faults: FieldErrors, users: [User],
        segments: [NamedSegment], count: Int, isUnknownUser: Bool, for request: WorkbenchRequest
    ) {
        let form = SendForm(request.form)
        head = TemplateHead(template, tab: "/send", for: request)
        csrf = request.csrfToken
        path = request.address("cards", "templates", template.id.rawValue, "send")
        previewPath = request.address("cards", "templates", template.id.rawValue, "preview") + "?of=published"
        staleText =
            template.hasUnpublishedChanges
            ? "Version \(template.publishedVersion) is sent. Your later changes are not published yet." : nil
        offText =
            template.isEnabled
            ? nil : "This template is switched off: nothing is sent until you switch it on."
        let anyway = FieldView.check("user.anyway", "Send to this id anyway", form.sendsAnyway)
        let user = FieldView.line(
            "user", "User id", request.query["user"] ?? form.user, hint: "The id in your app's tokens."
        )
        choices = [
            Choice(
                choiceID: "user", choiceName: "One user", isChosen: form.target == .user,
                fields: [user.with { $0.list = "known-users" }.with(faults: faults)]
                    + (isUnknownUser || form.sendsAnyway ? [anyway] : [])),
            Choice(
                choiceID: "profile", choiceName: "Users by profile", isChosen: form.target == .profile,
                fields: [
                    FieldView.line("field", "Field", form.field.isEmpty ? "city" : form.field).with(
                        faults: faults),
                    FieldView.line("value", "Is exactly", form.value).with(faults: faults),
                ]),
            Self.segments(segments, form, faults),
            Choice(
                choiceID: "all", choiceName: "Everyone", isChosen: form.target == .all,
                fields: [
                    FieldView.check(
                        "all.confirmed", "Yes, send it to \(Count.of(count, "user"))", form.isAllConfirmed
                    )
                    .with(faults: faults)
                ]),
        ].compactMap { $0 }
        known = users.map { SuggestedUser($0) }
        let declared = published.definition.variables
        variables = declared.filter { !$0.isRuntime }.map { variable in
            let name = "variables.\(variable.name)"
            let typed =
                form.value(of: variable.name) ?? VariableText.typed(variable.defaultValue, in: request.zone)
            let field =
                variable.kind == .date
                ? FieldView.moment(name, variable.name, typed, in: request.zone)
                : FieldView.line(name, variable.name, typed, hint: VariableText.hint(variable.kind))
            return field.with(faults: faults)
        }
        hasVariables = !variables.isEmpty
        let runtime = declared.filter(\.isRuntime).map(\.name)
        runtimeText =
            runtime.isEmpty ? nil : "The app fills in \(runtime.joined(separator: ", ")) on the device."
        times = [
            FieldView.moment(
                "embargo", "Show from", form.embargo, in: request.zone, hint: "Empty: as in the template."
            ).with(faults: faults),
            FieldView.moment(
                "expiry", "End at", form.expiry, in: request.zone, hint: "Empty: as in the template."
            ).with(faults: faults),
            FieldView.line(
                "lifecycle", "Lifecycle id", form.lifecycle,
                hint:
                    "While a user's card with this id is open, a new event replaces it instead of creating a second one."
            ).with(faults: faults),
        ]
        isMoreOpen = times.contains { $0.hasFault || !$0.value.isEmpty }
        faultSummary = FaultSummary(faults, fields: choices.flatMap(\.fields) + variables + times)
    }

    /// Returns the choice of a segment; `nil` when the environment has no segment.
    private static func segments(_ segments: [NamedSegment], _ form: SendForm, _ faults: FieldErrors)
        -> Choice?
    {
        guard !segments.isEmpty else { return nil }
        let names = [("", "Choose…")] + segments.map { ($0.id.rawValue, $0.name) }
        return Choice(
            choiceID: "segment", choiceName: "A segment", isChosen: form.target == .segment,
            fields: [FieldView.choice("segment", "Segment", form.segment, of: names).with(faults: faults)])
    }
}
