@_spi(Inlay) package import InlayWire

/// The content of a card template, as its author writes it: Markdown sources, not yet compiled.
package struct CardTemplateDefinition: Codable, Hashable, Sendable {
    /// The elements of the top level, in order.
    package var elements: [CardElement]
    /// The subviews that buttons, images and links can open.
    package var subviews: [Subview]
    /// The options of the card's menu and swipe.
    package var options: CardOptions
    /// The variables that texts may name as `{{name}}`.
    package var variables: [Variable]
    /// The seconds for which a card is hidden after it was sent, unless the event has its own embargo.
    package var embargoSeconds: Int64?
    /// The seconds after which a card expires, unless the event has its own expiry.
    package var expirySeconds: Int64?

    /// A further page of a card, which a link opens.
    package struct Subview: Codable, Hashable, Sendable, Identifiable {
        /// The id, which links name as `subview:ID`.
        package var id: String
        /// The title at the top of the subview.
        package var title: String
        /// Its elements, in order.
        package var elements: [CardElement]

        /// Creates a subview.
        package init(id: String, title: String, elements: [CardElement] = []) {
            self.id = id
            self.title = title
            self.elements = elements
        }
    }

    /// A value that differs from card to card.
    package struct Variable: Codable, Hashable, Sendable {
        /// The kinds of value.
        package enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
            case string, number, date, boolean
        }

        /// Letters, digits, `_`, `-` and `.`; at most 64.
        package var name: String
        /// The type of the value.
        package var kind: Kind
        /// The value when the event sends none; it must have the variable's kind.
        package var defaultValue: CardVariableValue
        /// Whether the app resolves the variable on the device. It must be a string, and events cannot send it.
        package var isRuntime: Bool

        /// Creates a variable.
        package init(
            name: String, kind: Kind = .string, defaultValue: CardVariableValue = .string(""),
            isRuntime: Bool = false
        ) {
            self.name = name
            self.kind = kind
            self.defaultValue = defaultValue
            self.isRuntime = isRuntime
        }
    }

    /// Creates a definition.
    package init(
        elements: [CardElement] = [], subviews: [Subview] = [], options: CardOptions = CardOptions(),
        variables: [Variable] = [], embargoSeconds: Int64? = nil, expirySeconds: Int64? = nil
    ) {
        self.elements = elements
        self.subviews = subviews
        self.options = options
        self.variables = variables
        self.embargoSeconds = embargoSeconds
        self.expirySeconds = expirySeconds
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        elements = try values.decode([CardElement].self, forKey: .elements)
        subviews = try values.decodeIfPresent([Subview].self, forKey: .subviews) ?? []
        options = try values.decodeIfPresent(CardOptions.self, forKey: .options) ?? CardOptions()
        variables = try values.decodeIfPresent([Variable].self, forKey: .variables) ?? []
        embargoSeconds = try values.decodeIfPresent(Int64.self, forKey: .embargoSeconds)
        expirySeconds = try values.decodeIfPresent(Int64.self, forKey: .expirySeconds)
    }
}

extension CardVariableValue {
    /// Creates a number with all of its digits; `nil` when neither an `Int64` nor a `Double` can hold them.
    init?(_ number: DecimalNumber) {
        if let whole = number.integer {
            self.init(whole: whole)
        } else if let double = number.exactDouble, abs(double) < 0x1p63 {
            self = .number(double)
        } else {
            return nil
        }
    }

    /// The type of the value.
    package var kind: CardTemplateDefinition.Variable.Kind {
        switch self {
        case .string: .string
        case .number, .integer: .number
        case .date: .date
        case .boolean: .boolean
        }
    }
}
