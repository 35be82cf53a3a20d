import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// One element in the editor: all texts as they were typed, valid or not.
struct ElementForm: Equatable, Sendable {
    var kind: ElementKind
    /// The typed values, by the field's name within the element.
    var values: [String: String]
    /// The elements of a form.
    var children: [ElementForm] = []

    subscript(name: String) -> String { values[name] ?? "" }

    /// Creates a new element of a kind, with values to start from.
    init(new kind: ElementKind) {
        self.kind = kind
        values = kind.starting
        if kind == .form {
            children = [ElementForm(new: .textInput), ElementForm(new: .submitButton)]
        }
    }

    init(_ kind: ElementKind, _ values: [String: String], children: [ElementForm] = []) {
        self.kind = kind
        self.values = values
        self.children = children
    }

    /// Returns the elements of a level in a request's body: `path[0].type`, `path[1].type`, …
    static func level(_ path: String, in fields: FormFields, depth: Int = 0) -> [ElementForm] {
        var elements: [ElementForm] = []
        // The editor offers no form inside a form; deeper levels of a forged body are ignored.
        guard depth < 3 else { return elements }
        // All elements are read: those over the limit are shown again with the message that names the limit.
        while let type = fields["\(path)[\(elements.count)].type"] {
            let elementPath = "\(path)[\(elements.count)]"
            guard let kind = ElementKind.known.first(where: { $0.rawValue == type }) else {
                elements.append(ElementForm(.unknown, fields.values(below: elementPath)))
                continue
            }
            var values: [String: String] = [:]
            for name in ElementFields.names(of: kind) {
                if let value = fields["\(elementPath).\(name)"] { values[name] = value }
            }
            let children = kind == .form ? level("\(elementPath).children", in: fields, depth: depth + 1) : []
            elements.append(ElementForm(kind, values, children: children))
        }
        return elements
    }

    /// Returns a copy whose inputs have names that are not in `taken`: `answer`, `answer-2`, `answer-3`.
    ///
    /// A duplicate of an input gets a new name, because `taken` has the name of the original.
    func named(apartFrom taken: Set<String>) -> ElementForm {
        var taken = taken
        return named(apartFrom: &taken)
    }

    private func named(apartFrom taken: inout Set<String>) -> ElementForm {
        var copy = self
        if kind == .textInput || kind == .numberInput, !self["name"].trimmed.isEmpty {
            copy.values["name"] = self["name"].trimmed.numbered(apartFrom: taken)
            taken.insert(copy["name"])
        }
        for index in copy.children.indices {
            copy.children[index] = copy.children[index].named(apartFrom: &taken)
        }
        return copy
    }

    /// The names of the inputs: of this element, and of the elements inside.
    var valueNames: [String] {
        let own = kind == .textInput || kind == .numberInput ? [self["name"].trimmed] : []
        return own + children.flatMap(\.valueNames)
    }

    /// Returns the fields of a body from which ``level(_:in:depth:)`` reads this element.
    func fields(at path: String) -> [(name: String, value: String)] {
        (kind == .unknown ? [] : [("\(path).type", kind.rawValue)])
            + values.sorted { $0.key < $1.key }.map { ("\(path).\($0.key)", $0.value) }
            + children.enumerated().flatMap { $1.fields(at: "\(path).children[\($0)]") }
    }
}

extension String {
    /// Returns the name itself when it is not taken, otherwise with the first free number: `answer-2`, `answer-3`.
    func numbered(apartFrom taken: Set<String>) -> String {
        guard taken.contains(self) else { return self }
        // A name of an input and an id of a subview have at most 64 bytes.
        let stem = replacing(/-[0-9]{1,3}$/, with: "").prefix(scalars: 60)
        // Of more numbers than there are taken names, one is always free.
        return (2...(taken.count + 2)).lazy.map { "\(stem)-\($0)" }.first { !taken.contains($0) } ?? self
    }
}
