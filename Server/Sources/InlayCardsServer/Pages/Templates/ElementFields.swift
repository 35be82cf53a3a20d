@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The fields of each kind of element, as the editor shows them.
enum ElementFields {
    /// Returns the fields that are always shown.
    static func main(_ element: ElementForm, at path: String) -> [FieldView] {
        let value = { (name: String) in element[name] }
        func line(_ name: String, _ label: String, hint: String? = nil) -> FieldView {
            .line("\(path).\(name)", label, value(name), hint: hint)
        }
        switch element.kind {
        case .category: return [line("text", "Category").with { $0.useInPlaceStyle("as-category") }]
        case .headline: return [line("text", "Headline").with { $0.useInPlaceStyle("as-headline") }]
        case .dismissButton, .submitButton:
            return [line("text", "Button text").with { $0.isWide = true }]
        case .snoozeButton:
            return [
                line("text", "Button text"),
                line("seconds", "Hide for, in seconds", hint: "Empty: the user chooses.").with {
                    $0.mode = "numeric"
                },
            ]
        case .text:
            return [
                FieldView.area(
                    "\(path).text", "Text", value("text"), hint: "Markdown. subview:ID links to a subview."
                )
                .with {
                    $0.isWide = true; $0.isLabelHidden = true
                }
            ]
        case .list:
            return [
                FieldView.area("\(path).items", "Items, one per line", value("items")).with {
                    $0.isWide = true
                },
                .choice("\(path).style", "Style", value("style"), of: listStyles),
            ]
        case .image:
            return [
                line("url", "Address", hint: "https://…").with {
                    $0.isWide = true; $0.inputType = "url"
                },
                line("alternateText", "Alternative text", hint: "Empty if the picture is decoration."),
                .choice("\(path).height", "Height", value("height"), of: heights),
            ]
        case .form: return []
        case .textInput, .numberInput:
            return [
                line("label", "Label"), line("name", "Name of the value", hint: "As your backend gets it."),
            ]
        case .linkButton:
            return [line("text", "Button text").with { $0.isWide = true }] + action(element, path)
        case .unknown: return unknown(element, path)
        }
    }

    /// Returns a choice of the known types, and a field for each typed value under its name.
    private static func unknown(_ element: ElementForm, _ path: String) -> [FieldView] {
        let number = (EditorStep.split(path)?.index ?? 0) + 1
        let types =
            [(element["type"], "“\(element["type"].prefix(64))”")]
            + ElementKind.known.map { ($0.rawValue, $0.label) }
        let others = element.values.filter { $0.key != "type" }.sorted { $0.key < $1.key }
        return [.choice("\(path).type", "Type of element \(number)", element["type"], of: types)]
            + others.map { name, value in
                value.contains("\n")
                    ? .area("\(path).\(name)", name, value) : .line("\(path).\(name)", name, value)
            }
    }

    /// Returns the fields in the collapsed section "More".
    static func more(_ element: ElementForm, at path: String) -> [FieldView] {
        func line(_ name: String, _ label: String, hint: String? = nil) -> FieldView {
            .line("\(path).\(name)", label, element[name], hint: hint)
        }
        switch element.kind {
        case .image: return action(element, path)
        case .submitButton:
            return [
                line("buttonName", "Name of the button", hint: "Identifies the button to your backend."),
                FieldView.area(
                    "\(path).values", "Values sent along", element["values"],
                    hint: "One per line: name = value.", rows: 2),
            ] + action(element, path)
        case .textInput:
            return [
                line("placeholder", "Placeholder"), line("defaultValue", "Initial value"),
                line("lines", "Lines", hint: "More than 1 makes a text area.").with { $0.mode = "numeric" },
            ] + rules(element, path, ["minLength", "maxLength", "regex"])
        case .numberInput:
            return [
                line("placeholder", "Placeholder"),
                line("defaultValue", "Initial value").with { $0.mode = "decimal" },
            ]
                + rules(element, path, ["min", "max"])
        default: return []
        }
    }

    /// Returns the title of the collapsed section.
    static func moreName(_ kind: ElementKind) -> String {
        switch kind {
        case .image: "On tap"
        case .textInput, .numberInput: "Rules and defaults"
        default: "More"
        }
    }

    /// Returns the names of all fields of an element of a kind.
    static func names(of kind: ElementKind) -> [String] {
        let empty = ElementForm(kind, [:])
        return (main(empty, at: "") + more(empty, at: "")).map { String($0.name.dropFirst()) }
    }

    private static func action(_ element: ElementForm, _ path: String) -> [FieldView] {
        [
            .choice(
                "\(path).action.kind", "Leads to", element["action.kind"],
                of: element.kind == .linkButton
                    ? Array(actions.dropFirst()) : actions),
            .line(
                "\(path).action.value", "Where", element["action.value"],
                hint: "An address, the id of a subview, or JSON."),
        ]
    }

    private static func rules(_ element: ElementForm, _ path: String, _ names: [String]) -> [FieldView] {
        let required: [FieldView] = [
            .check("\(path).rules.required", "Required", element["rules.required"] == "on"),
            .line(
                "\(path).rules.required.message", "Message if empty",
                element["rules.required.message"]),
        ]
        return required
            + names.flatMap { name -> [FieldView] in
                [
                    FieldView.line("\(path).rules.\(name)", ruleText[name] ?? name, element["rules.\(name)"])
                        .with {
                            $0.mode = name == "regex" ? nil : "decimal"
                        },
                    .line(
                        "\(path).rules.\(name).message", "Message if invalid",
                        element["rules.\(name).message"]),
                ]
            }
    }

    static let actions = [
        ("", "Nothing"), ("url", "A web address"), ("subview", "A subview"),
        ("payload", "The app, with a payload"),
    ]
    private static let listStyles = [
        ("unordered", "Bullets"), ("ordered", "Numbers"), ("comma", "One line, commas"),
    ]
    private static let heights = [
        ("tall", "Tall, 200 points"), ("medium", "Medium, 120 points"), ("short", "Short, 50 points"),
        ("original", "Original ratio"),
    ]
    private static let ruleText = [
        "minLength": "Minimum length", "maxLength": "Maximum length", "regex": "Pattern",
        "min": "Smallest",
        "max": "Largest",
    ]
}

extension FieldView {
    /// Styles the field like the text that it becomes; only screen readers get its label.
    fileprivate mutating func useInPlaceStyle(_ style: String) {
        self.style = style
        isWide = true
        isLabelHidden = true
    }
}
