/// The content of a card: its elements, subviews, menu options and variables.
///
/// A layout is one version of a template and never changes; a new version has a new id.
@_spi(Inlay) public struct CardLayout: Codable, Hashable, Sendable {
    /// The elements of the top level, in order.
    public var nodes: [CardNode]
    /// The subviews by their ids.
    public var subviews: [String: CardSubview]
    /// The options of the card's menu and swipe.
    public var options: CardOptions
    /// The variables that texts may name as `{{name}}`.
    public var variables: [CardVariable]

    /// A layout with its parts.
    public init(
        nodes: [CardNode], subviews: [String: CardSubview] = [:], options: CardOptions = CardOptions(),
        variables: [CardVariable] = []
    ) {
        self.nodes = nodes
        self.subviews = subviews
        self.options = options
        self.variables = variables
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        nodes = try values.decode(LossyArray<CardNode>.self, forKey: .nodes).elements
        subviews = try values.decodeIfPresent([String: CardSubview].self, forKey: .subviews) ?? [:]
        options = try values.decodeIfPresent(CardOptions.self, forKey: .options) ?? CardOptions()
        variables = try values.decodeIfPresent([CardVariable].self, forKey: .variables) ?? []
    }
}

/// A second level of a card, opened by a button, an image or a link.
@_spi(Inlay) public struct CardSubview: Codable, Hashable, Sendable {
    /// The title at the top of the subview.
    public var title: String
    /// The elements of the subview, in order.
    public var nodes: [CardNode]

    /// A subview with its title and elements.
    public init(title: String, nodes: [CardNode]) {
        self.title = title
        self.nodes = nodes
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        title = try values.decode(String.self, forKey: .title)
        nodes = try values.decode(LossyArray<CardNode>.self, forKey: .nodes).elements
    }
}

/// The options that a card offers besides its buttons. All are offered unless they are disabled.
@_spi(Inlay) public struct CardOptions: Codable, Hashable, Sendable {
    /// Whether dismissing from the overflow menu is disabled.
    public var dismissOverflowDisabled = false
    /// Whether dismissing by a swipe is disabled.
    public var dismissSwipeDisabled = false
    /// Whether snoozing from the overflow menu is disabled.
    public var snoozeOverflowDisabled = false
    /// Whether snoozing by a swipe is disabled.
    public var snoozeSwipeDisabled = false
    /// Whether "This is useful" in the overflow menu is disabled.
    public var voteUpOverflowDisabled = false
    /// Whether "This isn't useful" in the overflow menu is disabled.
    public var voteDownOverflowDisabled = false

    /// Creates options with everything enabled.
    public init() {}

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func flag(_ key: CodingKeys) throws -> Bool {
            try values.decodeIfPresent(Bool.self, forKey: key) ?? false
        }
        dismissOverflowDisabled = try flag(.dismissOverflowDisabled)
        dismissSwipeDisabled = try flag(.dismissSwipeDisabled)
        snoozeOverflowDisabled = try flag(.snoozeOverflowDisabled)
        snoozeSwipeDisabled = try flag(.snoozeSwipeDisabled)
        voteUpOverflowDisabled = try flag(.voteUpOverflowDisabled)
        voteDownOverflowDisabled = try flag(.voteDownOverflowDisabled)
    }
}

/// A variable that a template declares.
public struct CardVariable: Codable, Hashable, Sendable {
    /// The name used in texts as `{{name}}`.
    public var name: String
    /// The value when the event sent none, or the app did not resolve the variable in time.
    public var defaultValue: CardVariableValue
    /// Whether the app resolves the variable on the device; such a variable is a string.
    public var isRuntime: Bool

    /// A variable with its default.
    public init(name: String, defaultValue: CardVariableValue, isRuntime: Bool = false) {
        self.name = name
        self.defaultValue = defaultValue
        self.isRuntime = isRuntime
    }
}
