@_spi(Inlay) public import InlayCardsView
@_spi(Inlay) import InlaySurface
@_spi(Inlay) public import InlayWire

/// One card as an app meets it: what the server said about it, the layout it is set in, and the
/// values of its variables.
public struct Card: Hashable, Sendable, Identifiable {
    /// The container whose feed it came in.
    public let containerID: String
    /// The server's record of this card.
    public let instance: CardInstance
    /// The layout as its author wrote it, with `{{variables}}` in its texts.
    @_spi(Inlay) public let source: CardLayout
    /// The values that the app resolved on this device, by variable name; always text.
    public private(set) var resolved: [String: String]

    /// The card instance id.
    public var id: String { instance.id }

    /// A card in a container; runtime variables have their defaults until `resolve` is called.
    @_spi(Inlay) public init(
        containerID: String, instance: CardInstance, layout: CardLayout, resolved: [String: String] = [:]
    ) {
        self.containerID = containerID
        self.instance = instance
        source = layout
        self.resolved = resolved
    }

    /// The values that stand in the card's texts.
    @_spi(Inlay) public var values: CardValues { CardValues(sent: instance.variables, runtime: resolved) }

    /// The layout with every variable replaced by its value; computed anew at each call.
    @_spi(Inlay) public var layout: CardLayout { source.resolved(with: values) }

    /// The variables that the app is asked to resolve on the device.
    public var runtimeVariables: [CardVariable] { source.variables.filter(\.isRuntime) }

    /// Whether the app has something to resolve on this card.
    public var hasRuntimeVariables: Bool { source.variables.contains(where: \.isRuntime) }

    /// Gives a runtime variable of this card its value.
    ///
    /// A name that is no runtime variable of this card changes nothing: what the server sent is not
    /// for the device to rewrite.
    public mutating func resolve(_ name: String, to value: String) {
        guard source.variables.contains(where: { $0.isRuntime && $0.name == name }) else { return }
        resolved[name] = value
    }

    /// The value of a variable: sent with the event, else resolved on the device, else the default;
    /// `nil` for a name that neither event nor template knows.
    public func value(of name: String) -> CardVariableValue? {
        if let sent = instance.variables[name] { return sent }
        if let text = resolved[name] { return .string(text) }
        return source.variables.first { $0.name == name }?.defaultValue
    }

    /// The card without what was resolved on the device.
    func withDefaults() -> Card {
        Card(containerID: containerID, instance: instance, layout: source)
    }
}

extension Card {
    /// The order of a feed: priority 1 first, then what became visible last, then by id so that two
    /// devices agree.
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
