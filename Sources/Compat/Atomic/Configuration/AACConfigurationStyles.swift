/// The button in the top left of a vertical container.
public enum AACConfigurationPresentationStyle: Int, Sendable {
    case withoutButton, withActionButton, withContextualButton
}

/// The theme that a container is rendered in.
public enum AACConfigurationInterfaceStyle: Int, Sendable {
    /// The device's setting; always light when there is no dark theme.
    case automatic
    case light, dark
}

/// The protocol by which the SDK receives changes.
public enum AACApiProtocol: Int, Sendable, CaseIterable {
    /// A WebSocket, replaced by HTTP polling when it fails; the default.
    case webSockets
    /// Only HTTP polling.
    case http
}
