import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// A part of a template that was removed in the editor, with its position, so that it can be restored.
///
/// Hidden fields of the form hold the part, so that Undo needs neither a script nor a store.
struct RemovedPart: Equatable, Sendable {
    /// The part itself.
    enum Content: Equatable, Sendable {
        case element(ElementForm)
        case subview(TemplateForm.Subview)
        case variable(TemplateForm.Variable)
    }

    private(set) var level: String
    let index: Int
    let content: Content

    /// Creates the part at a path of a form; `nil` when there is none.
    init?(at path: String, of form: TemplateForm) {
        guard let (level, index) = EditorStep.split(path) else { return nil }
        var found: Content?
        switch level {
        case "subviews": if form.subviews.indices.contains(index) { found = .subview(form.subviews[index]) }
        case "variables":
            if form.variables.indices.contains(index) { found = .variable(form.variables[index]) }
        default:
            var form = form
            form.change(level: level) { if $0.indices.contains(index) { found = .element($0[index]) } }
        }
        guard let found else { return nil }
        (self.level, self.index, content) = (level, index, found)
    }

    /// Reads the part from a form; `nil` when nothing was removed.
    init?(_ fields: FormFields) {
        guard let (level, index) = EditorStep.split(fields["removed.path"] ?? "") else { return nil }
        let found: Content? =
            switch level {
            case "subviews": TemplateForm.Subview(fields, at: "removed.part").map(Content.subview)
            case "variables": TemplateForm.Variable(fields, at: "removed.part").map(Content.variable)
            default: ElementForm.level("removed.part", in: fields).first.map(Content.element)
            }
        guard let found else { return nil }
        (self.level, self.index, content) = (level, index, found)
    }

    /// The hidden fields from which ``init(_:)`` reads the part.
    var fields: [(name: String, value: String)] {
        let path = [("removed.path", "\(level)[\(index)]")]
        switch content {
        case .element(let element): return path + element.fields(at: "removed.part[0]")
        case .subview(let subview):
            return path + [("removed.part.id", subview.id), ("removed.part.title", subview.title)]
                + subview.elements.enumerated().flatMap { $1.fields(at: "removed.part.elements[\($0)]") }
        case .variable(let variable):
            return path + [
                ("removed.part.name", variable.name), ("removed.part.kind", variable.kind),
                ("removed.part.defaultValue", variable.defaultValue),
                ("removed.part.isRuntime", variable.isRuntime ? "on" : ""),
            ]
        }
    }

    /// The kind of the part, with its text or name if it has one: Headline “Winter timetable”.
    var label: String {
        let (kind, name) =
            switch content {
            case .element(let element):
                (element.kind.label, element["label"].isEmpty ? element["text"] : element["label"])
            case .subview(let subview): ("Subview", subview.title)
            case .variable(let variable): ("Variable", variable.name)
            }
        let short = name.trimmed.prefix(40)
        return short.isEmpty ? kind : "\(kind) “\(short)\(short.count < name.trimmed.count ? "…" : "")”"
    }

    /// Changes the part's path after the elements of a level, one of which contains it, have moved.
    mutating func updatePath(movedIn changed: String, _ newIndex: (Int) -> Int) {
        guard level.hasPrefix(changed + "["), let end = level.dropFirst(changed.count).firstIndex(of: "]"),
            let (_, holder) = EditorStep.split(String(level[...end]))
        else { return }
        level = "\(changed)[\(newIndex(holder))\(level[end...])"
    }

    /// Restores the part at its position, or at the end when there are fewer parts now. A name or id that another part
    /// uses meanwhile gets a number.
    func restore(into form: inout TemplateForm) {
        switch content {
        case .subview(var subview):
            subview.id = subview.id.trimmed.numbered(apartFrom: form.subviewIDs)
            for element in subview.elements.indices {
                let taken = form.valueNames.union(subview.elements[..<element].flatMap(\.valueNames))
                subview.elements[element] = subview.elements[element].named(apartFrom: taken)
            }
            form.subviews.insert(subview, at: min(index, form.subviews.count))
        case .variable(let variable): form.variables.insert(variable, at: min(index, form.variables.count))
        case .element(let removed):
            let element = removed.named(apartFrom: form.valueNames)
            var isRestored = false
            form.change(level: level) {
                $0.insert(element, at: min(index, $0.count))
                isRestored = true
            }
            // The form or the subview that held it may be gone.
            if !isRestored { form.elements.append(element) }
        }
    }
}
