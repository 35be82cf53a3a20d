/// A text that must never be printed: a password, a token, or an address with a password in it.
///
/// Its description, its debug description and its mirror are a placeholder, so neither interpolation nor reflection
/// prints it, also inside of another value: ServiceLifecycle, for example, logs whole services.
public struct SecretString: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The text itself, for the code that has to send or compare it.
    public let value: String

    /// Wraps a text that was read from a setting.
    public init(_ value: String) { self.value = value }

    public init(stringLiteral value: String) { self.value = value }

    /// Compares in a time that does not depend on where the two differ.
    public static func == (left: Self, right: Self) -> Bool { Secret.equal(left.value, right.value) }

    public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension SecretString: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always the same placeholder, whatever the value is.
    public static let placeholder = "<redacted>"

    public var description: String { Self.placeholder }
    public var debugDescription: String { Self.placeholder }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
