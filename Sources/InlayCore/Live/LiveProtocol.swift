/// How the app learns of changes.
public enum LiveProtocol: Hashable, Sendable, CaseIterable {
    /// A WebSocket; while it does not work, HTTP polling.
    case webSocket
    /// HTTP polling only.
    case http
}
