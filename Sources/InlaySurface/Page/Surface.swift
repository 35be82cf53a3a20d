/// A region of UI that a feature owns.
///
/// The feature keeps the state; a host connects views to it, several at a time if it likes.
public protocol Surface: Sendable {
    /// The name in every message, for example `cards`.
    var name: String { get }

    /// The files of its page.
    ///
    /// Without a default: a surface that runs another one has to name the other's files, or its page has no styles.
    /// ``SurfaceAssets/engine`` is for one whose markup needs none of its own.
    var assets: SurfaceAssets { get }

    /// Serves one connected view until the task is cancelled or the link's events end.
    func run(_ link: SurfaceLink) async

    /// A file of the surface's own content, for its page or for a frame in it.
    ///
    /// The path comes from the page and is not to be trusted. Hosts ask for files with a path below
    /// ``SurfaceLink/content``; a surface without content of its own need not implement this.
    func resource(_ path: String) async throws -> SurfaceContent

    /// Whether a document of the surface's content may load exactly this address from outside, see
    /// `FrameRules.addresses`.
    ///
    /// The address comes from the page and is not to be trusted. Hosts ask for every request.
    func allowsRequest(to address: String) async -> Bool
}

extension Surface {
    /// There is no content.
    public func resource(_ path: String) async throws -> SurfaceContent { throw SurfaceContentMissing() }

    /// No address is allowed.
    public func allowsRequest(to address: String) async -> Bool { false }
}

/// One view connected to a surface.
public struct SurfaceLink: Sendable {
    /// The messages of the page, in order; ends when the view is gone.
    public let events: AsyncStream<SurfaceMessage>
    /// Sends to the page, in order; messages after the view is gone are dropped.
    public let send: @Sendable (SurfaceMessage) async -> Void
    /// The settings of the view's device when it connects; changes arrive as messages of kind `environment`.
    public let environment: SurfaceEnvironment
    /// The prefix of the address of a file of the surface; ends with a slash.
    public let content: String

    /// A link over any carrier.
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
