/// A value that a card submits; these are the documented kinds.
public enum CardInputValue: Hashable, Sendable {
    case string(String)
    case number(Double)
    case boolean(Bool)
}

extension CardInputValue: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else {
            self = .string(try container.decode(String.self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .boolean(let value): try container.encode(value)
        }
    }
}

extension CardInputValue: ExpressibleByStringLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral {
    public init(stringLiteral value: String) { self = .string(value) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

/// A field for text.
@_spi(Inlay) public struct CardTextInput: Codable, Hashable, Sendable {
    /// The name of its value in the submission.
    public var name: String
    /// The visible label.
    public var label: String
    /// Shown while the field is empty.
    public var placeholder: String?
    /// The initial value of the field.
    public var defaultValue: String?
    /// 1 for a single line, more for a text area.
    public var lines: Int?
    /// The rules for the value.
    public var rules: CardInputRules

    /// A text field with its name and label.
    public init(
        name: String, label: String, placeholder: String? = nil, defaultValue: String? = nil,
        lines: Int? = nil, rules: CardInputRules = CardInputRules()
    ) {
        self.name = name
        self.label = label
        self.placeholder = placeholder
        self.defaultValue = defaultValue
        self.lines = lines
        self.rules = rules
    }
}

/// A field for a number.
@_spi(Inlay) public struct CardNumberInput: Codable, Hashable, Sendable {
    /// The name of its value in the submission.
    public var name: String
    /// The visible label.
    public var label: String
    /// Shown while the field is empty.
    public var placeholder: String?
    /// The initial value of the field.
    public var defaultValue: Double?
    /// The rules for the value.
    public var rules: CardInputRules

    /// A number field with its name and label.
    public init(
        name: String, label: String, placeholder: String? = nil, defaultValue: Double? = nil,
        rules: CardInputRules = CardInputRules()
    ) {
        self.name = name
        self.label = label
        self.placeholder = placeholder
        self.defaultValue = defaultValue
        self.rules = rules
    }
}

/// Rules for a submitted value. Absent limits do not apply.
@_spi(Inlay) public struct CardInputRules: Codable, Hashable, Sendable {
    /// A limit with the message for a value that breaks it; without a message, a standard one is shown.
    public struct Limit<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
        /// The limit itself.
        public var value: Value
        /// The author's message.
        public var message: String?

        /// A limit, perhaps with the author's message.
        public init(_ value: Value, message: String? = nil) {
            self.value = value
            self.message = message
        }
    }

    /// The rule that the value must not be empty.
    public var required: Limit<Bool>?
    /// The minimum number of characters of a text.
    public var minLength: Limit<Int>?
    /// The maximum number of characters of a text.
    public var maxLength: Limit<Int>?
    /// The minimum of a number.
    public var min: Limit<Double>?
    /// The maximum of a number.
    public var max: Limit<Double>?
    /// A regular expression that the whole text must match.
    public var regex: Limit<String>?

    /// Creates rules without limits.
    public init() {}
}
