/// The button in the top left of a vertical container.
public enum AACConfigurationPresentationStyle: Int, Sendable {
    case withoutButton, withActionButton, withContextualButton
}

/// The theme that a container is rendered in.
public enum AACConfigurationInterfaceStyle: Int, Sendable {
    /// The device's setting; without a dark theme always the light one.
    case automatic
    case light, dark
}

/// The means by which changes reach the SDK.
public enum AACApiProtocol: Int, Sendable, CaseIterable {
    /// A WebSocket, with HTTP as the way out when it fails; the default.
    case webSockets
    /// HTTP polling alone.
    case http
}
