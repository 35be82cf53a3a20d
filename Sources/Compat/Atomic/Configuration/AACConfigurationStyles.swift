/// What a vertical container shows in its top left.
public enum AACConfigurationPresentationStyle: Int, Sendable {
    case withoutButton, withActionButton, withContextualButton
}

/// Which theme a container is rendered in.
public enum AACConfigurationInterfaceStyle: Int, Sendable {
    /// The device's setting; without a dark theme always the light one.
    case automatic
    case light, dark
}

/// How the SDK learns of changes.
public enum AACApiProtocol: Int, Sendable, CaseIterable {
    /// A WebSocket, with HTTP as the way out when it fails; the default.
    case webSockets
    /// HTTP polling alone.
    case http
}
