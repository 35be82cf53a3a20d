import Foundation
import InlayWire

/// One element as it stands in the editor: texts as they were typed, right or wrong.
struct ElementForm: Equatable, Sendable {
    var kind: ElementKind
    /// What was typed, by the field's name within the element.
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
        while elements.count < 200 {
            let own = "\(path)[\(elements.count)]"
            guard let kind = fields["\(own).type"].flatMap(ElementKind.init(rawValue:)) else { break }
            var values: [String: String] = [:]
            for name in ElementFields.names(of: kind) {
                if let value = fields["\(own).\(name)"] { values[name] = value }
            }
            let children = kind == .form ? level("\(own).children", in: fields, depth: depth + 1) : []
            elements.append(ElementForm(kind, values, children: children))
        }
        return elements
    }
}
