/// The rules for the submission of a card, which are the same in the app and on the server.
@_spi(Inlay) public enum CardSubmissionRules {
    /// The maximum size of a submission's names and texts together, in bytes of UTF-8.
    public static let maximumBytes = 64 << 10

    /// Returns the size of a submission's names and texts together, in bytes of UTF-8.
    public static func bytes(of values: [String: CardInputValue]) -> Int {
        values.reduce(0) { $0 + $1.key.utf8.count + $1.value.textBytes }
    }

    /// A submit button with the inputs that it submits: those of its form, or of the whole level.
    private struct Form {
        let button: CardSubmitButton
        let inputs: [CardNode]
    }

    /// Returns the problems of a submission; empty when the card can be completed with it.
    ///
    /// Several buttons may share a name; the submission must fit one of them. A submission without a name must fit a
    /// button without one or, when all buttons have names, any button: older callers sent no button name.
    public static func problems(
        in layout: CardLayout, buttonName: String?, values: [String: CardInputValue]
    ) -> [FieldProblem] {
        let all = forms(in: layout)
        var forms = all.filter { $0.button.buttonName == buttonName }
        if forms.isEmpty, buttonName == nil { forms = all }
        let found = forms.map { problems(in: $0, values) }
        return found.min { $0.count < $1.count } ?? [
            FieldProblem(field: "buttonName", .unknownButton, "The card has no such button.")
        ]
    }

    private static func problems(in form: Form, _ values: [String: CardInputValue]) -> [FieldProblem] {
        var problems: [FieldProblem] = []
        var known = Set<String>()
        for input in form.inputs {
            guard let name = input.inputName else { continue }
            known.insert(name)
            if let problem = CardValidation.problem(of: values[name], for: input) { problems.append(problem) }
        }
        for (name, value) in values.sorted(by: { $0.key < $1.key }) where !known.contains(name) {
            guard let own = form.button.values[name] else {
                problems.append(FieldProblem(field: name, .unknownField, "The card has no such field."))
                continue
            }
            if !value.hasType(of: own) {
                problems.append(FieldProblem(field: name, .wrongType, "The button sends another type."))
            }
        }
        return problems
    }

    private static func forms(in layout: CardLayout) -> [Form] {
        let subviews = layout.subviews.sorted { $0.key < $1.key }.map(\.value.nodes)
        return ([layout.nodes] + subviews).flatMap(forms)
    }

    private static func forms(in level: [CardNode]) -> [Form] {
        level.flatMap { node -> [Form] in
            switch node {
            case .submitButton(let button): [Form(button: button, inputs: level.flatMap(\.flattened))]
            case .form(let children): forms(in: children)
            default: []
            }
        }
    }
}

extension CardInputValue {
    /// The size of a text, in bytes of UTF-8; 0 for every other value.
    var textBytes: Int { if case .string(let text) = self { text.utf8.count } else { 0 } }

    fileprivate func hasType(of other: CardInputValue) -> Bool {
        switch (self, other) {
        case (.string, .string), (.number, .number), (.boolean, .boolean): true
        default: false
        }
    }
}
