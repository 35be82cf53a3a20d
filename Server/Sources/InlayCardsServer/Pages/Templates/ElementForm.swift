import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// One element as it stands in the editor: texts as they were typed, right or wrong.
struct ElementForm: Equatable, Sendable {
    var kind: ElementKind
    /// The typed values, by the field's name within the element.
    var values: [String: String]
    /// The elements of a form.
    var children: [ElementForm] = []

    subscript(name: String) -> String { values[name] ?? "" }

    /// A new element of a kind.
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

    /// The elements of a level as a body sent them: `path[0].type`, `path[1].type`, …
    static func level(_ path: String, in fields: FormFields, depth: Int = 0) -> [ElementForm] {
        var elements: [ElementForm] = []
        // A form inside a form is not offered; deeper ones in a made-up body are cut off here.
        guard depth < 3 else { return elements }
        // As many as there are: those over the limit come back with the message that names it.
        while let type = fields["\(path)[\(elements.count)].type"] {
            let own = "\(path)[\(elements.count)]"
            guard let kind = ElementKind.known.first(where: { $0.rawValue == type }) else {
                elements.append(ElementForm(.unknown, fields.values(below: own)))
                continue
            }
            var values: [String: String] = [:]
            for name in ElementFields.names(of: kind) {
                if let value = fields["\(own).\(name)"] { values[name] = value }
            }
            let children = kind == .form ? level("\(own).children", in: fields, depth: depth + 1) : []
            elements.append(ElementForm(kind, values, children: children))
        }
        return elements
    }

    /// A copy whose inputs have names that no other input has: `answer`, `answer-2`, `answer-3`.
    ///
    /// A copy of an input gets a name of its own in the same way, because `taken` holds the name of its original.
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

    /// The names of the values of this element and of those inside.
    var valueNames: [String] {
        let own = kind == .textInput || kind == .numberInput ? [self["name"].trimmed] : []
        return own + children.flatMap(\.valueNames)
    }

    /// The fields that a body names this element with, the other way round of ``level(_:in:depth:)``.
    func fields(at path: String) -> [(name: String, value: String)] {
        (kind == .unknown ? [] : [("\(path).type", kind.rawValue)])
            + values.sorted { $0.key < $1.key }.map { ("\(path).\($0.key)", $0.value) }
            + children.enumerated().flatMap { $1.fields(at: "\(path).children[\($0)]") }
    }
}

extension String {
    /// The name itself, or with the first number that makes it a name that is not taken: `answer-2`, `answer-3`.
    func numbered(apartFrom taken: Set<String>) -> String {
        guard taken.contains(self) else { return self }
        let stem = replacing(/-[0-9]{1,3}$/, with: "").prefix(CardLimits.name - 4)
        // One more number than there are names is always free.
        return (2...(taken.count + 2)).lazy.map { "\(stem)-\($0)" }.first { !taken.contains($0) } ?? self
    }
}
