import Foundation
import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayCardsView
@_spi(Inlay) @testable import InlaySurface

@Suite struct CardResolutionTests {
    private func resolved(_ nodes: [CardNode], _ values: CardValues, _ variables: [CardVariable] = [])
        -> [CardNode]
    {
        CardLayout(nodes: nodes, variables: variables).resolved(with: values).nodes
    }

    @Test func `a sent value wins over a run-time one, and that over the default`() {
        let variable = CardVariable(name: "who", defaultValue: .string("default"), isRuntime: true)
        let node = CardNode.headline("Hello {{who}}")
        #expect(resolved([node], CardValues(), [variable]) == [.headline("Hello default")])
        #expect(resolved([node], CardValues(runtime: ["who": "run"]), [variable]) == [.headline("Hello run")])
        let both = CardValues(sent: ["who": .string("sent")], runtime: ["who": "run"])
        #expect(resolved([node], both, [variable]) == [.headline("Hello sent")])
    }

    @Test func `a value is text: never markup, never searched again`() {
        let values = CardValues(sent: ["a": .string("{{b}}"), "b": .string("secret")])
        #expect(resolved([.headline("{{ a }}")], values) == [.headline("{{b}}")])
        let bold = CardNode.text(Samples.text("{{m}}"))
        guard case .text(let text)? = resolved([bold], CardValues(sent: ["m": .string("**x** <b>")])).first
        else {
            Issue.record("no text")
            return
        }
        #expect(RichTextHTML.render(text.rich).markup == "<p>**x** &lt;b&gt;</p>")
    }

    @Test func `braces without a proper name stay, and unknown names become empty`() {
        #expect(
            resolved([.headline("{{}} {a} {{a b}} {{")], CardValues()) == [.headline("{{}} {a} {{a b}} {{")])
        #expect(resolved([.headline("[{{nobody}}]")], CardValues()) == [.headline("[]")])
    }

    @Test func `a value inside a URL is percent-encoded`() {
        let link = CardNode.linkButton(
            CardLinkButton(text: "t", action: .url("https://a.example/{{p}}?q={{q}}")))
        let values = CardValues(sent: ["p": .string("../x?y"), "q": .string("1&admin=true#é")])
        #expect(
            resolved([link], values) == [
                .linkButton(
                    CardLinkButton(
                        text: "t", action: .url("https://a.example/..%2Fx%3Fy?q=1%26admin%3Dtrue%23%C3%A9")))
            ])
    }

    @Test(arguments: [
        ("https://b.example/x", "https://b.example/x"), ("javascript:alert(1)", ""), ("data:text/html,x", ""),
        ("java\nscript:alert(1)", ""), ("subview:s", ""), ("b.example", ""),
    ])
    func `an address that begins with a variable is checked for its scheme`(step: (String, String)) {
        let link = CardNode.linkButton(CardLinkButton(text: "t", action: .url("{{u}}")))
        let values = CardValues(sent: ["u": .string(step.0)])
        #expect(resolved([link], values) == [.linkButton(CardLinkButton(text: "t", action: .url(step.1)))])
    }

    @Test func `a variable in a Markdown link is found although its braces were encoded`() {
        let rich = RichText([.paragraph([.link(url: "https://a.example/%7B%7Bid%7D%7D", [.text("{{id}}")])])])
        let values = CardValues(sent: ["id": .number(7)])
        guard case .text(let text)? = resolved([.text(CardText(text: "", rich: rich))], values).first else {
            Issue.record("no text")
            return
        }
        #expect(text.rich.blocks == [.paragraph([.link(url: "https://a.example/7", [.text("7")])])])
    }

    @Test func `numbers have no needless fraction, and dates follow language and zone`() {
        let values = CardValues(
            sent: ["n": .number(12), "f": .number(1.5), "d": .date(Samples.now), "b": .boolean(true)],
            locale: "de", timeZone: "Europe/Berlin")
        #expect(resolved([.headline("{{n}} {{f}} {{b}}")], values) == [.headline("12 1.5 true")])
        #expect(resolved([.headline("{{d}}")], values) == [.headline("15. Jan. 2027, 9:00")])
    }
}

@Suite struct CardValidationTests {
    private func rules(_ edit: (inout CardInputRules) -> Void) -> CardInputRules {
        var rules = CardInputRules()
        edit(&rules)
        return rules
    }

    @Test func `an empty required field is a problem with the author's message or the default one`() {
        let own = rules { $0.required = .init(true, message: "Your name, please") }
        let plain = rules { $0.required = .init(true) }
        #expect(CardValidation.problem(text: " \n", own) == "Your name, please")
        #expect(CardValidation.problem(text: "", plain) == "Fill in this field.")
        #expect(CardValidation.problem(number: nil, plain) == "Fill in this field.")
        #expect(CardValidation.problem(text: "", CardInputRules()) == nil)
    }

    @Test func `lengths count what a user sees as a character, at the limit and one past it`() {
        let limits = rules {
            $0.minLength = .init(2)
            $0.maxLength = .init(3)
        }
        #expect(CardValidation.problem(text: "👩‍👩‍👧", limits) == "Enter at least 2 characters.")
        #expect(CardValidation.problem(text: "ab", limits) == nil)
        #expect(CardValidation.problem(text: "abc", limits) == nil)
        #expect(CardValidation.problem(text: "abcd", limits) == "Enter at most 3 characters.")
    }

    @Test func `a number outside its limits, or not finite, is a problem`() {
        let limits = rules {
            $0.min = .init(1)
            $0.max = .init(9.5, message: "Too many")
        }
        #expect(CardValidation.problem(number: 0.99, limits) == "Enter 1 or more.")
        #expect(CardValidation.problem(number: 1, limits) == nil)
        #expect(CardValidation.problem(number: 9.5, limits) == nil)
        #expect(CardValidation.problem(number: 9.51, limits) == "Too many")
        #expect(CardValidation.problem(number: .infinity, limits) != nil)
    }

    @Test(
        arguments: [
            ("12", 12), ("-1.5", -1.5), (" 7 ", 7), ("1,5", nil), ("abc", nil), ("1e400", nil), ("0x10", nil),
            ("nan", nil), ("", nil),
        ] as [(String, Double?)])
    func `a number is read as it is written`(step: (String, Double?)) {
        #expect(CardValidation.number(step.0) == step.1)
    }

    @Test(
        arguments: [
            ("٣", 3), ("۳", 3), ("３", 3), ("١٢٫٥", 12.5), ("－１．５", -1.5), ("1 234", 1_234), ("1٣", nil),
            ("١٬٢٣٤", nil),
        ] as [(String, Double?)])
    func `a number is read in the digits of one script`(typed: String, value: Double?) {
        #expect(CardValidation.number(typed) == value)
        // A decimal comma does not change which digits are read.
        #expect(CardValidation.number(typed, decimalSeparator: ",") == value)
    }

    @Test func `digits of two scripts are a problem at the field, and digits of one script follow its rules`()
    {
        var rules = CardInputRules()
        rules.max = .init(9, message: "Nine at most.")
        let input = CardNode.numberInput(.init(name: "people", label: "People", rules: rules))
        func outcome(_ typed: String) -> CardValidation.Outcome {
            CardValidation.outcome(of: [input], entered: ["people": typed])
        }
        for typed in ["٣", "۳", "３"] {
            #expect(outcome(typed).values == ["people": .number(3)] && outcome(typed).isValid)
        }
        #expect(outcome("١٢").problems == ["people": "Nine at most."])
        #expect(outcome("1٢").problems == ["people": "Write the number with the digits of one script."])
        #expect(outcome("1e400").problems == ["people": "Enter a number, for example 12.5."])
        #expect(outcome("1٢").values.isEmpty)
    }

    @Test
    func
        `a number that a double cannot hold is a problem at the field, and a limit is shown with all digits`()
    {
        var rules = CardInputRules()
        rules.max = .init(9_007_199_254_740_992)
        let input = CardNode.numberInput(.init(name: "order", label: "Order", rules: rules))
        func outcome(_ typed: String) -> CardValidation.Outcome {
            CardValidation.outcome(of: [input], entered: ["order": typed])
        }
        #expect(outcome("9007199254740992").values == ["order": .number(9_007_199_254_740_992)])
        for typed in ["9007199254740993", "٩٠٠٧١٩٩٢٥٤٧٤٠٩٩٣", "0.1234567890123456789"] {
            #expect(outcome(typed).problems == ["order": "Write the number with at most 15 digits."])
            #expect(outcome(typed).values.isEmpty)
        }
        #expect(outcome("9007199254740994").problems == ["order": "Enter 9007199254740992 or less."])
    }

    @Test func `texts that exceed the server's limit together are a problem at the longest`() {
        let nodes = ["a", "b"].map { CardNode.textInput(CardTextInput(name: $0, label: $0)) }
        func outcome(_ length: Int, _ button: [String: CardInputValue] = [:]) -> CardValidation.Outcome {
            let entered = ["a": "short", "b": String(repeating: "x", count: length)]
            return CardValidation.outcome(of: nodes, entered: entered, buttonValues: button)
        }
        #expect(outcome(CardSubmissionRules.maximumBytes - 7).isValid)
        #expect(outcome(CardSubmissionRules.maximumBytes - 6).problems.keys.sorted() == ["b"])
        // A button's values count too, unless an input has the same name; of a number only the name counts.
        let button: [String: CardInputValue] = ["a": "replaced", "c": "é", "d": 1.5]
        #expect(outcome(CardSubmissionRules.maximumBytes - 11, button).isValid)
        #expect(outcome(CardSubmissionRules.maximumBytes - 10, button).problems.keys.sorted() == ["b"])
    }

    @Test func `a decimal comma is understood where people write one`() {
        #expect(CardValidation.number("1,5", decimalSeparator: ",") == 1.5)
        #expect(CardValidation.number("1.234,5", decimalSeparator: ",") == nil)
    }

    @Test func `a pattern must match the whole text`() {
        #expect(BoundedPattern.matches("a|ab", whole: "ab"))
        #expect(!BoundedPattern.matches("[0-9]{4}", whole: "12345"))
        #expect(!BoundedPattern.matches("[0-9]{4}", whole: "1234\n"))
        #expect(BoundedPattern.matches("(?=.*[0-9])[a-z0-9]+", whole: "abc1"))
        #expect(BoundedPattern.matches("(", whole: "x"), "a broken pattern must not lock users out")
        #expect(!BoundedPattern.isUsable("(") && BoundedPattern.isUsable("[a-z]+"))
    }

    @Test(.timeLimit(.minutes(5)), arguments: ["(a+)+", "(a|aa)+", "(.*a){20}"])
    func `a pattern that backtracks without end is stopped`(pattern: String) {
        let began = threadTime()
        #expect(!BoundedPattern.matches(pattern, whole: String(repeating: "a", count: 3_000) + "!"))
        #expect(threadTime() - began < .seconds(5))
        #expect(!BoundedPattern.matches("a*", whole: String(repeating: "a", count: 5_000)))
    }

    private static let nodes: [CardNode] = {
        var required = CardInputRules()
        required.required = .init(true)
        return [
            .form([
                .textInput(CardTextInput(name: "name", label: "Name", rules: required)),
                .numberInput(CardNumberInput(name: "count", label: "Count", rules: required)),
            ])
        ]
    }()

    @Test func `a form's texts are read as the inputs' kinds, and names of no input are dropped`() {
        let good = CardValidation.outcome(of: Self.nodes, entered: ["name": "Ada", "count": "3", "x": "y"])
        #expect(good.isValid)
        #expect(good.values == ["name": "Ada", "count": 3.0])
        let bad = CardValidation.outcome(of: Self.nodes, entered: ["name": "", "count": "three"])
        #expect(Set(bad.problems.keys) == ["name", "count"])
    }

    @Test func `a button submits its own form, or the whole level where it stands in none`() {
        let field = CardNode.textInput(CardTextInput(name: "a", label: "a"))
        let button = CardNode.submitButton(CardSubmitButton(text: "go"))
        let layout = CardLayout(
            nodes: [field, .form([field, button]), button],
            subviews: ["s": CardSubview(title: "", nodes: [button])])
        #expect(layout.nodes(submittedAt: CardNodePath(indexes: [1, 1])) == [field, button])
        #expect(layout.nodes(submittedAt: CardNodePath(indexes: [2])).count == 3)
        #expect(layout.nodes(submittedAt: CardNodePath(subview: "s", indexes: [0])) == [button])
        #expect(layout.node(at: CardNodePath(indexes: [1, 1])) == button)
        #expect(layout.node(at: CardNodePath(indexes: [9])) == nil)
        #expect(layout.node(at: CardNodePath(indexes: [0, 0])) == nil)
    }
}

@Suite struct CardListEventTests {
    private func event(_ payload: JSONValue, kind: String = "event") -> CardListEvent? {
        CardListEvent(SurfaceMessage(surface: "s", kind: kind, id: "1", payload: payload))
    }

    @Test func `messages of the page are read as user events`() {
        #expect(event(["name": "refresh"]) == .refresh)
        #expect(event(["name": "dismiss", "card": "c"]) == .dismiss(card: "c"))
        #expect(
            event(["name": "submit", "card": "c", "view": "s", "node": "1.2", "values": ["a": "b"]])
                == .submit(
                    card: "c", button: CardNodePath(subview: "s", indexes: [1, 2]), entered: ["a": "b"]))
        #expect(
            event(["name": "snooze-until", "card": "c", "value": "1800000000000000"])
                == .snoozeUntil(card: "c", moment: Samples.now))
    }

    @Test(
        arguments: [
            ["name": "unknown", "card": "c"], ["name": "dismiss"], ["name": 1, "card": "c"], [:], "x",
            ["name": "submit", "card": "c", "node": "-1", "values": [:]],
            ["name": "submit", "card": "c", "node": "1", "values": ["a": 1]],
            ["name": "snooze-until", "card": "c", "value": "soon"],
            ["name": "snooze", "card": "c", "node": "1.2.3.4.5.6.7.8.9"],
            ["name": "choose-reason", "card": "c", "value": "because"],
        ] as [JSONValue])
    func `a message with an unknown name or a missing or invalid part is ignored`(payload: JSONValue) {
        #expect(event(payload) == nil)
        #expect(event(["name": "refresh"], kind: "ready") == nil)
    }

    @Test func `the user's feedback is cut at 280 characters and is sent only with Something else`() {
        let long = String(repeating: "é", count: 281)
        let payload: JSONValue = [
            "name": "send-feedback", "card": "c", "value": "something-else", "text": .string(long),
        ]
        #expect(
            event(payload)
                == .sendFeedback(card: "c", reason: .other, text: String(repeating: "é", count: 280)))
        #expect(
            event(["name": "send-feedback", "card": "c", "value": "too-often", "text": "x"])
                == .sendFeedback(card: "c", reason: .tooOften, text: nil))
    }

    @Test func `a submission with too many fields is ignored`() {
        let many = Dictionary(
            uniqueKeysWithValues: (0...CardListEvent.maximumFields).map { ("f\($0)", JSONValue.string("")) })
        #expect(event(["name": "submit", "card": "c", "node": "0", "values": .object(many)]) == nil)
    }

    @Test func `a text that is too long is a problem at its field`() throws {
        let long = String(repeating: "👩", count: CardListEvent.maximumFieldLength + 1)
        let payload: JSONValue = ["name": "submit", "card": "c", "node": "0", "values": ["a": .string(long)]]
        guard case .submit(_, _, let entered)? = event(payload) else {
            Issue.record("It was passed over.")
            return
        }
        let field = CardNode.textInput(CardTextInput(name: "a", label: "A"))
        #expect(CardValidation.outcome(of: [field], entered: entered).problems.keys.sorted() == ["a"])
    }

    @Test func `an environment of a page of another version keeps what it can read`() {
        let environment = SurfaceEnvironment(payload: [
            "colorScheme": "dark", "contentSize": "AX9", "locale": "en\"><b>", "layoutDirection": 3,
            "reducedMotion": true,
        ])
        #expect(environment == SurfaceEnvironment(colorScheme: .dark, reducedMotion: true))
        #expect(SurfaceEnvironment(payload: .null) == SurfaceEnvironment())
    }
}
