@_spi(Inlay) public import InlayCardsView
@_spi(Inlay) import InlaySurface
@_spi(Inlay) public import InlayWire

/// A card in a container: the server's record, the layout, and the values of its variables.
public struct Card: Hashable, Sendable, Identifiable {
    /// The container whose feed has the card.
    public let containerID: String
    /// The server's record of this card.
    public let instance: CardInstance
    /// The layout of the template, with `{{variables}}` in its texts.
    @_spi(Inlay) public let source: CardLayout
    /// The values that the app resolved on this device, by variable name; always text.
    public private(set) var resolved: [String: String]

    /// The card instance id.
    public var id: String { instance.id }

    /// Creates a card. Runtime variables have their defaults until `resolve` is called.
    @_spi(Inlay) public init(
        containerID: String, instance: CardInstance, layout: CardLayout, resolved: [String: String] = [:]
    ) {
        self.containerID = containerID
        self.instance = instance
        source = layout
        self.resolved = resolved
    }

    /// The values that replace the variables in the card's texts.
    @_spi(Inlay) public var values: CardValues { CardValues(sent: instance.variables, runtime: resolved) }

    /// The layout with every variable replaced by its value. Computed at each call.
    @_spi(Inlay) public var layout: CardLayout { source.resolved(with: values) }

    /// The variables that the app resolves on the device.
    public var runtimeVariables: [CardVariable] { source.variables.filter(\.isRuntime) }

    /// Whether the card has variables that the app resolves on the device.
    public var hasRuntimeVariables: Bool { source.variables.contains(where: \.isRuntime) }

    /// Sets the value of a runtime variable of this card.
    ///
    /// Does nothing for any other name, because the device must not change the server's values.
    public mutating func resolve(_ name: String, to value: String) {
        guard source.variables.contains(where: { $0.isRuntime && $0.name == name }) else { return }
        resolved[name] = value
    }

    /// Returns the value of a variable: the value that was sent with the event, else the one resolved on the device,
    /// else the default. `nil` for a name that neither the event nor the template has.
    public func value(of name: String) -> CardVariableValue? {
        if let sent = instance.variables[name] { return sent }
        if let text = resolved[name] { return .string(text) }
        return source.variables.first { $0.name == name }?.defaultValue
    }

    /// Returns the card without the values that were resolved on the device.
    func withDefaults() -> Card {
        Card(containerID: containerID, instance: instance, layout: source)
    }
}

extension Card {
    /// Whether a card comes before another in a feed: by priority, 1 first, then the card that became visible last,
    /// then by id, so that all devices have the same order.
    static func precedes(_ left: Card, _ right: Card) -> Bool {
        if left.instance.priority != right.instance.priority {
            return left.instance.priority < right.instance.priority
        }
        if left.instance.activeAt != right.instance.activeAt {
            return left.instance.activeAt > right.instance.activeAt
        }
        return left.id < right.id
    }
}
