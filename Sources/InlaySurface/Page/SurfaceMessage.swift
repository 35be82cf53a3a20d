@_spi(Inlay) public import InlayWire

/// A message between a host and the page that shows a surface.
public struct SurfaceMessage: Codable, Hashable, Sendable {
    /// The name of the surface, for example `cards`.
    public var surface: String
    /// The kind of message; see the constants of `Kind`. Both sides ignore unknown kinds.
    public var kind: String
    /// The id, chosen by the sender and unique in one connection; a reply has the same id.
    public var id: String
    /// The content, which depends on the kind.
    public var payload: JSONValue

    /// Creates a message.
    public init(surface: String, kind: String, id: String, payload: JSONValue = .object([:])) {
        self.surface = surface
        self.kind = kind
        self.id = id
        self.payload = payload
    }

    /// The name of the user's action in a message of kind `event`; `nil` in any other message.
    package var eventName: String? { kind == Kind.event ? payload["name"]?.string : nil }

    /// The known kinds of messages.
    public enum Kind {
        /// Host to page: a `SurfacePatch`.
        public static let patch = "patch"
        /// Host to page: open `payload.url` outside of the surface.
        public static let navigate = "navigate"
        /// Page to host, once after connecting: the device's `SurfaceEnvironment`.
        public static let ready = "ready"
        /// Page to host: the changed `SurfaceEnvironment`.
        public static let environment = "environment"
        /// Page to the host of a web view: the content's natural height, as `payload.height` in whole pixels.
        public static let size = "size"
        /// Page to host: an action of the user, named by `payload.name`.
        public static let event = "event"
    }
}
