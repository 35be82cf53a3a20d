/// The check of the values that a user entered against the rules of a card's inputs, the same on screen and headless.
@_spi(Inlay) public enum CardValidation {
    /// The entered values, read as the types of their inputs, and the problems by input name.
    public struct Outcome: Hashable, Sendable {
        /// The values to submit; a number that was left empty is absent.
        public var values: [String: CardInputValue]
        /// The message to show beside each input.
        public var problems: [String: String]

        /// Whether everything may be submitted.
        public var isValid: Bool { problems.isEmpty }
    }

    /// Reads the texts of a form's fields and checks them. Names that no input has are ignored.
    ///
    /// - Parameters:
    ///   - buttonValues: The button's own values, which count towards the size of the submission.
    ///   - decimalSeparator: The decimal separator of the user's locale. A full stop and the Arabic `٫` are always
    ///     accepted, a comma only when it is this separator.
    public static func outcome(
        of nodes: [CardNode], entered: [String: String], buttonValues: [String: CardInputValue] = [:],
        decimalSeparator: String = "."
    ) -> Outcome {
        var outcome = Outcome(values: [:], problems: [:])
        for node in nodes.flatMap(\.flattened) {
            switch node {
            case .textInput(let input):
                let text = entered[input.name] ?? input.defaultValue ?? ""
                outcome.values[input.name] = .string(text)
                outcome.problems[input.name] = problem(text: text, input.rules)
            case .numberInput(let input):
                read(input, entered[input.name], decimalSeparator, into: &outcome)
            default: break
            }
        }
        outcome.refuseOversized(with: buttonValues)
        return outcome
    }

    /// Returns the problem of a text; `nil` when it is valid. An empty text can only break `required`.
    public static func problem(text: String, _ rules: CardInputRules) -> String? {
        fault(text, rules)?.message
    }

    /// Returns the problem of a number; `nil` when it is valid. An absent number can only break `required`.
    public static func problem(number: Double?, _ rules: CardInputRules) -> String? {
        fault(number, rules)?.message
    }

    /// Returns the problem of a value for an input; an absent value can only break `required`.
    static func problem(of value: CardInputValue?, for input: CardNode) -> FieldProblem? {
        let fault: Fault? =
            switch (input, value) {
            case (.textInput(let input), .string(let text)?): fault(text, input.rules)
            case (.textInput(let input), nil): fault("", input.rules)
            case (.textInput, _?): (.wrongType, Messages.notText)
            case (.numberInput(let input), .number(let number)?): fault(number, input.rules)
            case (.numberInput(let input), nil): fault(nil, input.rules)
            case (.numberInput, _?): (.wrongType, Messages.notNumber)
            default: nil
            }
        guard let fault, let name = input.inputName else { return nil }
        return FieldProblem(field: name, fault.code, fault.message)
    }

    private typealias Fault = (code: FieldProblem.Code, message: String)

    private static func fault(_ text: String, _ rules: CardInputRules) -> Fault? {
        if text.allSatisfy(\.isWhitespace) { return missing(rules) }
        if let limit = rules.minLength, text.count < limit.value {
            return (.tooShort, limit.message ?? Messages.atLeast(characters: limit.value))
        }
        if let limit = rules.maxLength, text.count > limit.value {
            return (.tooLong, limit.message ?? Messages.atMost(characters: limit.value))
        }
        if let limit = rules.regex, !BoundedPattern.matches(limit.value, whole: text) {
            return (.wrongFormat, limit.message ?? Messages.format)
        }
        return nil
    }

    private static func fault(_ number: Double?, _ rules: CardInputRules) -> Fault? {
        guard let number else { return missing(rules) }
        guard number.isFinite else { return (.wrongType, Messages.notNumber) }
        if let limit = rules.min, number < limit.value {
            return (.tooSmall, limit.message ?? Messages.atLeast(number: limit.value))
        }
        if let limit = rules.max, number > limit.value {
            return (.tooLarge, limit.message ?? Messages.atMost(number: limit.value))
        }
        return nil
    }

    private static func missing(_ rules: CardInputRules) -> Fault? {
        guard let required = rules.required, required.value else { return nil }
        return (.required, required.message ?? Messages.required)
    }

    /// Returns the number in a text, in the digits of any one script; `nil` when it is no number, see ``TypedNumber``.
    public static func number(_ text: String, decimalSeparator: String = ".") -> Double? {
        (try? typed(text, decimalSeparator))?.double
    }

    private static func typed(
        _ text: String, _ decimalSeparator: String
    ) throws(TypedNumber.Fault) -> TypedNumber {
        try TypedNumber(text, decimalSeparator == "," ? [.spaces, .decimalComma] : .spaces)
    }

    private static func read(
        _ input: CardNumberInput, _ entered: String?, _ separator: String, into outcome: inout Outcome
    ) {
        guard let entered else {
            outcome.values[input.name] = input.defaultValue.map { .number($0) }
            outcome.problems[input.name] = problem(number: input.defaultValue, input.rules)
            return
        }
        guard !entered.allSatisfy(\.isWhitespace) else {
            outcome.problems[input.name] = problem(number: nil, input.rules)
            return
        }
        do {
            let value = try typed(entered, separator).exactDouble()
            outcome.values[input.name] = value.map { .number($0) }
            outcome.problems[input.name] =
                value == nil ? Messages.notNumber : problem(number: value, input.rules)
        } catch {
            outcome.problems[input.name] = error.sentence ?? Messages.notNumber
        }
    }

    /// The messages for rules whose author wrote none.
    enum Messages {
        static let required = "Fill in this field."
        static let notNumber = "Enter a number, for example 12.5."
        static let notText = "Enter text."
        static let format = "This isn’t in the expected format."
        static let tooMuch = "This is too long to be sent. Shorten it."

        static func atLeast(characters: Int) -> String {
            characters == 1 ? "Enter at least 1 character." : "Enter at least \(characters) characters."
        }
        static func atMost(characters: Int) -> String {
            characters == 1 ? "Enter at most 1 character." : "Enter at most \(characters) characters."
        }
        static func atLeast(number: Double) -> String { "Enter \(number.decimalText) or more." }
        static func atMost(number: Double) -> String { "Enter \(number.decimalText) or less." }
    }
}

extension CardValidation.Outcome {
    /// Adds a problem to the longest text when the whole submission is larger than the server accepts.
    fileprivate mutating func refuseOversized(with buttonValues: [String: CardInputValue]) {
        let submitted = buttonValues.merging(values) { _, entered in entered }
        guard CardSubmissionRules.bytes(of: submitted) > CardSubmissionRules.maximumBytes,
            let longestText = values.max(by: { ($0.value.textBytes, $0.key) < ($1.value.textBytes, $1.key) })
        else { return }
        problems[longestText.key] = CardValidation.Messages.tooMuch
    }
}

extension CardNode {
    /// The name of an input's value in the submission; `nil` for other elements.
    public var inputName: String? {
        switch self {
        case .textInput(let input): input.name
        case .numberInput(let input): input.name
        default: nil
        }
    }
}
