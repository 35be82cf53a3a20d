/// The action of an editor's button on the form: `add:elements:headline`, `up:elements[2]`,
/// `move:elements[2]:0`, `duplicate:elements[2]`, `remove:variables[0]`, `restore`, `add-subview`.
enum EditorStep: Equatable, Sendable {
    case add(ElementKind, to: String)
    case up(String)
    case down(String)
    /// Moves an element to an index in its level.
    case move(String, to: Int)
    case duplicate(String)
    case remove(String)
    /// Restores the part that was removed last.
    case restore
    case addSubview
    case addVariable

    /// Reads a button's value; `nil` for a value that is no step, such as `save`.
    init?(_ value: String) {
        let parts = value.split(separator: ":", maxSplits: 2).map(String.init)
        switch (parts.first, parts.count) {
        case ("add", 3):
            guard let kind = ElementKind.known.first(where: { $0.rawValue == parts[2] }) else { return nil }
            self = .add(kind, to: parts[1])
        case ("up", 2): self = .up(parts[1])
        case ("down", 2): self = .down(parts[1])
        case ("move", 3):
            guard let index = Int(parts[2]) else { return nil }
            self = .move(parts[1], to: index)
        case ("duplicate", 2): self = .duplicate(parts[1])
        case ("remove", 2): self = .remove(parts[1])
        case ("restore", 1): self = .restore
        case ("add-subview", 1): self = .addSubview
        case ("add-variable", 1): self = .addVariable
        default: return nil
        }
    }

    /// Changes the form; a path that names nothing changes nothing.
    func apply(to form: inout TemplateForm) {
        switch self {
        case .add(let kind, let path):
            let new = ElementForm(new: kind).named(apartFrom: form.valueNames)
            form.change(level: path) { $0.append(new) }
        case .up(let path): move(path, by: -1, in: &form)
        case .down(let path): move(path, by: 1, in: &form)
        case .move(let path, let place): move(path, to: place, in: &form)
        case .duplicate(let path): duplicate(path, in: &form)
        case .remove(let path): remove(path, in: &form)
        case .restore:
            form.removed?.restore(into: &form)
            form.removed = nil
        case .addSubview:
            let id = "subview-\(form.subviews.count + 1)".numbered(apartFrom: form.subviewIDs)
            form.subviews.append(.init(id: id, title: "More", elements: [ElementForm(new: .text)]))
        case .addVariable: form.variables.append(.init())
        }
    }

    private func move(_ path: String, by distance: Int, in form: inout TemplateForm) {
        guard let (_, index) = Self.split(path) else { return }
        move(path, to: index + distance, in: &form)
    }

    private func move(_ path: String, to place: Int, in form: inout TemplateForm) {
        guard let (level, index) = Self.split(path) else { return }
        var order: [Int] = []
        form.change(level: level) { elements in
            guard elements.indices.contains(index), elements.indices.contains(place) else { return }
            elements.insert(elements.remove(at: index), at: place)
            order = Array(elements.indices)
            order.insert(order.remove(at: index), at: place)
        }
        form.removed?.updatePath(movedIn: level) { order.firstIndex(of: $0) ?? $0 }
    }

    private func duplicate(_ path: String, in form: inout TemplateForm) {
        guard let (level, index) = Self.split(path) else { return }
        let taken = form.valueNames
        form.change(level: level) { elements in
            guard elements.indices.contains(index) else { return }
            elements.insert(elements[index].named(apartFrom: taken), at: index + 1)
        }
        form.removed?.updatePath(movedIn: level) { $0 > index ? $0 + 1 : $0 }
    }

    private func remove(_ path: String, in form: inout TemplateForm) {
        guard let (level, index) = Self.split(path) else { return }
        form.removed = RemovedPart(at: path, of: form) ?? form.removed
        switch level {
        case "subviews": if form.subviews.indices.contains(index) { form.subviews.remove(at: index) }
        case "variables": if form.variables.indices.contains(index) { form.variables.remove(at: index) }
        default:
            form.change(level: level) { if $0.indices.contains(index) { $0.remove(at: index) } }
        }
    }

    /// Returns the parts of a path: `a[1].b` and 2 of `a[1].b[2]`.
    static func split(_ path: String) -> (level: String, index: Int)? {
        guard path.hasSuffix("]"), let start = path.lastIndex(of: "["),
            let index = Int(path[path.index(after: start)...].dropLast()), index >= 0
        else { return nil }
        return (String(path[..<start]), index)
    }
}

extension TemplateForm {
    /// Changes the elements of a level: `elements`, `subviews[1].elements`, `elements[2].children`.
    mutating func change(level path: String, _ body: (inout [ElementForm]) -> Void) {
        let parts = path.split(separator: ".").map(String.init)
        guard let first = parts.first else { return }
        if first == "elements" {
            body(&elements)
        } else if let (list, index) = EditorStep.split(first), list == "elements",
            elements.indices.contains(index)
        {
            if parts == [first, "children"], elements[index].kind == .form {
                body(&elements[index].children)
            }
        } else if let (list, index) = EditorStep.split(first), list == "subviews",
            subviews.indices.contains(index)
        {
            changeSubview(index, parts.dropFirst(), body)
        }
    }

    private mutating func changeSubview(
        _ index: Int, _ parts: ArraySlice<String>, _ body: (inout [ElementForm]) -> Void
    ) {
        if Array(parts) == ["elements"] { return body(&subviews[index].elements) }
        guard parts.count == 2, parts.last == "children", let first = parts.first,
            let (list, element) = EditorStep.split(first), list == "elements",
            subviews[index].elements.indices.contains(element),
            subviews[index].elements[element].kind == .form
        else { return }
        body(&subviews[index].elements[element].children)
    }
}
