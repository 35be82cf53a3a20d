/// A piece of UI that a feature provides.
///
/// The feature has the state; hosts connect any number of views to it.
public protocol Surface: Sendable {
    /// The name of the surface in every message, for example `cards`.
    var name: String { get }

    /// The files of the surface's page.
    ///
    /// There is no default, because a surface that wraps another must return the other's files, or its page has no
    /// styles. ``SurfaceAssets/engine`` is for a surface whose markup needs no files of its own.
    var assets: SurfaceAssets { get }

    /// Serves one connected view until the task is cancelled or the link's events end.
    func run(_ link: SurfaceLink) async

    /// Returns a file of the surface's own content, for its page or for a frame in it.
    ///
    /// The path comes from the page and must not be trusted. Hosts request files with a path below
    /// ``SurfaceLink/content``; a surface without its own content need not implement this.
    func resource(_ path: String) async throws -> SurfaceContent

    /// Returns whether a document of the surface's content may load exactly this outside URL, see
    /// `FrameRules.addresses`.
    ///
    /// The URL comes from the page and must not be trusted. Hosts call this for every request.
    func allowsRequest(to address: String) async -> Bool
}

extension Surface {
    /// By default there is no content.
    public func resource(_ path: String) async throws -> SurfaceContent { throw SurfaceContentMissing() }

    /// By default no URL is allowed.
    public func allowsRequest(to address: String) async -> Bool { false }
}

/// A connection of one view to a surface.
public struct SurfaceLink: Sendable {
    /// The messages of the page, in order; ends when the view is closed.
    public let events: AsyncStream<SurfaceMessage>
    /// Sends a message to the page; messages arrive in order, and are dropped once the view is closed.
    public let send: @Sendable (SurfaceMessage) async -> Void
    /// The settings of the view's device at the connection; changes arrive as messages of kind `environment`.
    public let environment: SurfaceEnvironment
    /// The prefix of the URLs of the surface's files; ends with a slash.
    public let content: String

    /// Creates a link over any transport.
    @_spi(Inlay) public init(
        events: AsyncStream<SurfaceMessage>, environment: SurfaceEnvironment = SurfaceEnvironment(),
        content: String = "content/", send: @escaping @Sendable (SurfaceMessage) async -> Void
    ) {
        self.events = events
        self.environment = environment
        self.content = content
        self.send = send
    }
}
