import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

extension EditorModel {
    /// Creates a model of the form. `revision` is the revision that the author has read.
    init(
        _ form: TemplateForm, revision: Int64, containers known: [CardContainer], faults: FieldErrors,
        notice: FaultSummary? = nil, for request: WorkbenchRequest
    ) {
        var sheet = EditorSheet(faults, isLocked: !request.may(.editor), removed: form.removed)
        csrf = request.csrfToken
        self.revision = String(revision)
        canEdit = request.may(.editor)
        card = [sheet.level(form.elements, at: "elements", kinds: ElementKind.known)]
        subviews = form.subviews.enumerated().map { sheet.subview($1, at: "subviews[\($0)]") }
        variables = form.variables.enumerated().map { sheet.variable($1, number: $0) }
        removedSubview = sheet.removedNote(of: "subviews")
        removedVariable = sheet.removedNote(of: "variables")
        settings = sheet.settings(form)
        containers = known.map { container in
            sheet.own(
                .check(
                    "containerIDs", container.name, form.containerIDs.contains(container.id),
                    hint: container.id.rawValue),
                value: container.id.rawValue)
        }
        containerFault = sheet.fault("containerIDs")
        options = CardMenu.all.map { item in
            sheet.own(.check("options.\(item.name)", item.label, !form.switchedOff.contains(item.name)))
        }
        parts = ChoiceView.list(
            [("", "Card")] + form.subviews.map { ($0.id, "Subview: \($0.title)") }, chosen: "")
        faultSummary = notice ?? FaultSummary(sheet.faults, labels: sheet.labels)
    }
}

/// A builder of the models of the form's parts, which collects the fields' labels for the summary of faults.
struct EditorSheet {
    let faults: FieldErrors
    let isLocked: Bool
    let removed: RemovedPart?
    /// The labels of the fields and elements, by path.
    private(set) var labels: [String: String] = [:]

    init(_ faults: FieldErrors, isLocked: Bool, removed: RemovedPart?) {
        self.faults = EditorSheet.renamed(faults)
        self.isLocked = isLocked
        self.removed = removed
    }

    /// Returns the note about the part that was removed from a level, if `isHere` is true for the part's index.
    func removedNote(
        of level: String, where isHere: (Int) -> Bool = { _ in true }
    ) -> [EditorModel.Removed] {
        guard let removed, removed.level == level, isHere(removed.index) else { return [] }
        return [.init(removed)]
    }

    func fault(_ field: String) -> String? {
        let messages = faults.messages(for: field)
        return messages.isEmpty ? nil : messages.joined(separator: " ")
    }

    mutating func own(_ field: FieldView, value: String? = nil) -> FieldView {
        labels[field.name] = field.label
        return field.with {
            $0.isLocked = isLocked
            if let value { $0.checkedValue = value }
        }.with(fault: field.isCheck ? nil : fault(field.name))
    }

    mutating func level(_ elements: [ElementForm], at path: String, kinds: [ElementKind]) -> EditorModel.Level
    {
        var blocks: [EditorModel.Block] = []
        for (index, element) in elements.enumerated() {
            let note = removedNote(of: path) { $0 == index }
            blocks.append(
                block(element, at: "\(path)[\(index)]", index: index, of: elements.count, after: note))
        }
        return EditorModel.Level(
            levelPath: path, addPath: path, canAdd: !isLocked, blocks: blocks,
            addable: kinds.map { .init(kind: $0.rawValue, kindName: $0.label) },
            removedAtEnd: removedNote(of: path) { $0 >= elements.count })
    }

    private mutating func block(
        _ element: ElementForm, at path: String, index: Int, of count: Int, after note: [EditorModel.Removed]
    ) -> EditorModel.Block {
        labels[path] = element.kind.label
        let fields = ElementFields.main(element, at: path).map { own($0) }
        let more = ElementFields.more(element, at: path).map { own($0) }
        let inside =
            element.kind == .form
            ? [level(element.children, at: "\(path).children", kinds: ElementKind.insideForms)] : []
        let ownFault = fault(path)
        return EditorModel.Block(
            blockID: FieldView.id(path), blockPath: path, kind: element.kind.rawValue,
            kindName: element.kind.label, isKnown: element.kind != .unknown,
            blockFault: ownFault, hasFaults: ownFault != nil || (fields + more).contains { $0.hasFault },
            canMove: !isLocked, isFirst: index == 0, isLast: index == count - 1, fields: fields,
            moreName: ElementFields.moreName(element.kind), hasMore: !more.isEmpty,
            isMoreOpen: more.contains { $0.hasFault }, moreFields: more, hasInside: !inside.isEmpty,
            inside: inside, removedBefore: note)
    }

    mutating func subview(_ subview: TemplateForm.Subview, at path: String) -> EditorModel.Subview {
        let title = own(.line("\(path).title", "Title", subview.title))
        let id = own(.line("\(path).id", "Id", subview.id, hint: "Links name it as subview:\(subview.id)"))
        let elements = level(subview.elements, at: "\(path).elements", kinds: ElementKind.known)
        return .init(
            subviewPath: path, subviewName: subview.title, fields: [title, id], level: [elements],
            isLocked: isLocked)
    }

    mutating func variable(_ variable: TemplateForm.Variable, number: Int) -> EditorModel.Variable {
        let path = "variables[\(number)]"
        let fields = [
            own(.line("\(path).name", "Name", variable.name)),
            own(.choice("\(path).kind", "Kind", variable.kind, of: VariableText.kinds)),
            own(
                FieldView.line("\(path).defaultValue", "Value when none is sent", variable.defaultValue).with
                {
                    $0.inputType = variable.kind == "date" ? "datetime-local" : "text"
                }),
            own(
                FieldView.check(
                    "\(path).isRuntime", "The app fills it in", variable.isRuntime,
                    hint: "On the device, for example with the user's first name."
                ).with { $0.isWide = true }),
        ]
        return .init(
            variablePath: path, variableName: variable.name, variableNumber: number + 1, fields: fields,
            isLocked: isLocked)
    }

    mutating func settings(_ form: TemplateForm) -> [FieldView] {
        var fields: [FieldView] = [
            .line("name", "Name", form.name, hint: "For your team."),
            .line("eventName", "Event name", form.eventName, hint: "Events with this name create cards."),
            .choice(
                "priority", "Priority", form.priority, of: Self.ranks, hint: "Lower numbers come first."),
        ]
        fields.append(form.embargo.field("embargo", "Show after", hint: "Empty: at once."))
        fields.append(form.expiry.field("expiry", "End after", hint: "Empty: no end."))
        return fields.map { own($0) }
    }

    private static let ranks: [(String, String)] = (1...10).map { rank in
        let label = rank == 1 ? "1, first" : rank == 10 ? "10, last" : String(rank)
        return (String(rank), label)
    }

    /// Returns faults with the names of the editor's fields: the checks name parts of a value that the editor shows as
    /// one field, for example an item of a list.
    private static func renamed(_ faults: FieldErrors) -> FieldErrors {
        var renamed = FieldErrors()
        for item in faults.items {
            var field = item.field
            for (inner, shown) in [
                (".action.", ".action.value"), (".items[", ".items"), ("containerIDs[", "containerIDs"),
            ] {
                if let range = field.firstRange(of: inner) { field = field[..<range.lowerBound] + shown }
            }
            renamed.add(field, item.message)
        }
        return renamed
    }
}
