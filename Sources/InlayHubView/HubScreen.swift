@_spi(Inlay) public import InlayWire

/// The state of a hub's surface, as its feature knows it.
@_spi(Inlay) public struct HubScreen: Hashable, Sendable {
    /// One channel with its articles in the reader's order.
    public struct Section: Hashable, Sendable {
        /// The channel.
        public var channel: HubChannel
        /// The channel's articles, the best match for this reader first.
        public var articles: [HubArticle]

        /// A channel with its articles.
        public init(_ channel: HubChannel, _ articles: [HubArticle]) {
            self.channel = channel
            self.articles = articles
        }
    }

    /// The reason for which nothing can be shown.
    public enum Failure: Hashable, Sendable {
        /// The server cannot be reached.
        case offline
        /// Anything else.
        case other
        /// The item is not in this version.
        case missing
    }

    /// The content of the hub.
    public enum Body: Hashable, Sendable {
        /// Looking for new content; `message` takes the place of the built-in text.
        case checking(message: String?)
        /// Fetching new content, from 0 to 1; `nil` while the fraction is not known.
        case downloading(fraction: Double?, message: String?)
        /// Nothing can be shown, for this reason.
        case failed(Failure, message: String?)
        /// Disabled by the publisher, with the reason.
        case disabled(reason: String?)
        /// A hub without anything in it.
        case empty
        /// A status with the app's own texts.
        case custom(title: String, message: String?, fraction: Double?, canRetry: Bool)
        /// Off screen; a view that still shows the hub offers to open it again.
        case closed
        /// A hub with its channels.
        case hub(HubPage, [Section])
        /// A channel on a page of its own.
        case channel(Section)
        /// A document of the content: an article, or a hub or channel that has a text of its own.
        case document(HubReference, title: String, path: String)
    }

    /// The question or video that covers the hub.
    public enum Overlay: Hashable, Sendable {
        /// The question whether to leave for an address.
        case leave(address: String)
        /// A video of the content.
        case video(path: String, title: String?)
    }

    /// The content of the hub.
    public var body: Body
    /// The number of the visit in the history: a view keeps the scroll position as long as the number is the same.
    public var place: Int
    /// Whether there is a page to go back to.
    public var canGoBack: Bool
    /// Whether there is a page to go forward to.
    public var canGoForward: Bool
    /// The question or video that covers the hub.
    public var overlay: Overlay?
    /// The time at which the signature over the newest version expired; `nil` while it is valid.
    public var staleSince: Timestamp?
    /// The version of the content, where there is one: a document of another version is loaded anew.
    public var version: Int64?

    /// A screen.
    public init(
        _ body: Body, place: Int = 0, canGoBack: Bool = false, canGoForward: Bool = false,
        overlay: Overlay? = nil, staleSince: Timestamp? = nil, version: Int64? = nil
    ) {
        self.body = body
        self.place = place
        self.canGoBack = canGoBack
        self.canGoForward = canGoForward
        self.overlay = overlay
        self.staleSince = staleSince
        self.version = version
    }
}
