@_spi(Inlay) public import InlayWire

/// The state of the hub at a moment. Several of these can be true together.
public struct HubState: Hashable, Sendable {
    /// The certainty that the device has the newest content.
    public enum Freshness: Hashable, Sendable {
        /// There is no content yet.
        case unknown
        /// The publisher's statement on the newest version has not expired.
        case fresh
        /// The publisher's statement expired at this moment and could not be renewed.
        case stale(since: Timestamp)
    }

    /// Whether verified content with at least one hub is there and may be shown.
    public var isReady = false
    /// Whether metadata or content is being fetched.
    public var isDownloading = false
    /// Whether a hub is on screen, whatever it shows.
    public var isDisplaying = false
    /// Whether the publisher has disabled the hub; nothing is fetched or shown then.
    public var isDisabled = false
    /// The publisher's reason for disabling the hub, in words for the reader.
    public var disabledReason: String?
    /// The progress of the running download, from 0 to 100; `nil` while there is none.
    public var progress: Double?
    /// The version that is shown next; `nil` while there is none.
    public var version: Int64?
    /// The certainty that this version is the newest.
    public var freshness = Freshness.unknown

    /// The state before anything happened.
    public init() {}
}
