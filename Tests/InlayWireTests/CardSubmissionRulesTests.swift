import Testing

@_spi(Inlay) @testable import InlayWire

@Suite struct CardSubmissionRulesTests {
    private static func rules(_ edit: (inout CardInputRules) -> Void) -> CardInputRules {
        var rules = CardInputRules()
        edit(&rules)
        return rules
    }

    /// A form with a button, and a subview with an input and another button.
    private static let layout = CardLayout(
        nodes: [
            .form([
                .textInput(
                    CardTextInput(
                        name: "who", label: "Who", defaultValue: "Ada",
                        rules: rules {
                            $0.required = .init(true, message: "Your name, please")
                            ($0.minLength, $0.maxLength) = (.init(2), .init(4))
                        })),
                .textInput(
                    CardTextInput(name: "pin", label: "Pin", rules: rules { $0.regex = .init("[0-9]{4}") })),
                .numberInput(
                    CardNumberInput(
                        name: "n", label: "N",
                        rules: rules { ($0.min, $0.max) = (.init(1), .init(5, message: "Five at most")) })),
                .submitButton(CardSubmitButton(text: "Go", buttonName: "go", values: ["vip": true])),
            ])
        ],
        subviews: [
            "more": CardSubview(
                title: "More",
                nodes: [
                    .textInput(CardTextInput(name: "why", label: "Why")),
                    .submitButton(CardSubmitButton(text: "Say", buttonName: "say")),
                ])
        ])

    private func problems(_ button: String?, _ values: [String: CardInputValue]) -> [FieldProblem] {
        CardSubmissionRules.problems(in: Self.layout, buttonName: button, values: values)
    }

    @Test func `values that match the button's form give no problems`() {
        #expect(problems("go", ["who": "Ada", "n": 5.0, "pin": "1234", "vip": true]).isEmpty)
        #expect(problems("go", ["who": "Ada"]).isEmpty)
        #expect(problems("say", ["why": ""]).isEmpty)
        #expect(problems("say", [:]).isEmpty)
    }

    @Test(
        arguments: [
            (["who": "A"], "who", "too-short"), (["who": "Ada Lovelace"], "who", "too-long"),
            (["who": " "], "who", "required"), ([:], "who", "required"), (["who": 3.0], "who", "wrong-type"),
            (["who": "Ada", "n": 5.5], "n", "too-large"), (["who": "Ada", "n": 0.0], "n", "too-small"),
            (["who": "Ada", "n": "3"], "n", "wrong-type"),
            (["who": "Ada", "pin": "12345"], "pin", "wrong-format"),
            (["who": "Ada", "vip": "yes"], "vip", "wrong-type"),
            (["who": "Ada", "x": 1.0], "x", "unknown-field"),
            (["who": "Ada", "why": "so"], "why", "unknown-field"),
        ] as [([String: CardInputValue], String, String)])
    func `a violated rule is reported with its field and code`(
        values: [String: CardInputValue], field: String, code: String
    ) {
        #expect(problems("go", values).map(\.field) == [field])
        #expect(problems("go", values).map(\.code.rawValue) == [code])
    }

    @Test func `a problem has the author's message or the default one`() {
        #expect(problems("go", ["n": 9.0]).map(\.message) == ["Your name, please", "Five at most"])
        #expect(problems("go", ["who": "A"]).map(\.message) == ["Enter at least 2 characters."])
    }

    @Test func `a button that the card does not have is a problem, and so is a card without buttons`() {
        #expect(problems("stop", ["who": "Ada"]).map(\.code) == [.unknownButton])
        let plain = CardLayout(nodes: [.headline("Hi")])
        #expect(
            CardSubmissionRules.problems(in: plain, buttonName: nil, values: [:]).map(\.code) == [
                .unknownButton
            ])
    }

    @Test func `a submission without a button's name has to match one of the buttons`() {
        #expect(problems(nil, ["who": "Ada"]).isEmpty)
        #expect(problems(nil, ["why": "so"]).isEmpty)
        #expect(problems(nil, ["x": 1.0]).map(\.code) == [.unknownField])
        let unnamed = CardLayout(nodes: [
            .submitButton(CardSubmitButton(text: "Yes")),
            .form([
                .textInput(CardTextInput(name: "why", label: "Why")),
                .submitButton(CardSubmitButton(text: "No", buttonName: "no")),
            ]),
        ])
        #expect(CardSubmissionRules.problems(in: unnamed, buttonName: nil, values: [:]).isEmpty)
        #expect(CardSubmissionRules.problems(in: unnamed, buttonName: "no", values: ["why": "x"]).isEmpty)
    }
}
