@_spi(Inlay) public import InlayWire

/// Something a person did, before it is stored: its type and what the app knows of it.
///
/// Names like `Goal Name` come from the settings when the event is tracked, so this value only says what
/// they hold. An attribute given here wins over the automatic one of the same name.
public struct Behavior: Hashable, Sendable {
    /// The type of the event.
    public var code: BehaviorCode
    /// The goal's or the event's own name, where the type has one.
    public var name: String?
    /// The app's attributes. Texts are sent unchanged, numbers and Booleans as text, a list joined with
    /// ",", an object as JSON, null as the empty text.
    public var attributes: [String: JSONValue]
    /// Words to find the event by; joined with ",". An attribute of the tags' name wins.
    public var tags: [String]

    /// An event of any type. The static methods make the common ones.
    public init(
        _ code: BehaviorCode, name: String? = nil, attributes: [String: JSONValue] = [:], tags: [String] = []
    ) {
        self.code = code
        self.name = name
        self.attributes = attributes
        self.tags = tags
    }

    /// Anything that has no type of its own, for example a goal that was started (17).
    public static func named(
        _ name: String, attributes: [String: JSONValue] = [:], tags: [String] = []
    ) -> Self {
        Self(.namedEvent, name: name, attributes: attributes, tags: tags)
    }

    /// A goal that was reached (16).
    public static func goalCompleted(
        _ goal: String, attributes: [String: JSONValue] = [:], tags: [String] = []
    ) -> Self {
        Self(.goalCompleted, name: goal, attributes: attributes, tags: tags)
    }

    /// A goal that was given up (15).
    public static func goalAbandoned(
        _ goal: String, attributes: [String: JSONValue] = [:], tags: [String] = []
    ) -> Self {
        Self(.goalAbandoned, name: goal, attributes: attributes, tags: tags)
    }
}
