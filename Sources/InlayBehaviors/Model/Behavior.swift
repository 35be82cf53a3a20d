@_spi(Inlay) public import InlayWire

/// An event before it is stored: its type and the values from the app.
///
/// The names of automatic attributes, such as `Goal Name`, come from the settings when the event is tracked. An
/// attribute of the app replaces the automatic one with the same name.
public struct Behavior: Hashable, Sendable {
    /// The type of the event.
    public var code: BehaviorCode
    /// The goal's or the event's own name, where the type has one.
    public var name: String?
    /// The app's attributes. Texts are sent unchanged, numbers and Booleans as text, a list joined with
    /// ",", an object as JSON, null as the empty text.
    public var attributes: [String: JSONValue]
    /// The tags of the event, sent joined with ",". An attribute with the name of the tags replaces them.
    public var tags: [String]

    /// An event of any type. The static methods create the common ones.
    public init(
        _ code: BehaviorCode, name: String? = nil, attributes: [String: JSONValue] = [:], tags: [String] = []
    ) {
        self.code = code
        self.name = name
        self.attributes = attributes
        self.tags = tags
    }

    /// An event without a type of its own, for example a goal that was started (17).
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
