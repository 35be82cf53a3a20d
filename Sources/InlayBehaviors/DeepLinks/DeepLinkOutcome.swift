/// What a link led to.
public struct DeepLinkOutcome: Hashable, Sendable {
    /// The route that the link took; `nil` for the default route.
    public var route: String?
    /// What the route's handlers were given, as the last of them left it.
    public var parameters: [String: String]
    /// The first event that tells of the link; `nil` when the route does not ask for one.
    public var eventID: String?
}

/// What the app does with a link's parameters. It may change them for the handlers after it.
public typealias DeepLinkHandler = @Sendable (inout [String: String]) async throws -> Void
