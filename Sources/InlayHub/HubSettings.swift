/// What an app may change while the hub runs.
public struct HubSettings: Sendable {
    /// When content is fetched.
    public enum SyncMode: Int, Hashable, Sendable, CaseIterable {
        /// The SDK decides when; a presentation shows what is there.
        case nonBlocking
        /// Every presentation looks for new content first, and waits for it when there is some.
        case blocking
    }

    /// The look of the chrome, the progress and the errors; pages have a look of their own.
    public enum ColorScheme: Int, Hashable, Sendable, CaseIterable {
        case dark, light
    }

    /// What pages may reach; default `localOnly`.
    public var contentSource = HubContentSource.localOnly
    /// What they may reach although the source is local only, and the app's own schemes.
    public var allowed = HubAllowList()
    /// When content is fetched; default `nonBlocking`. Holds for the next presentation.
    public var syncMode = SyncMode.nonBlocking
    /// The look of the next presentation; default `dark`.
    public var colorScheme = ColorScheme.dark
    /// Whether the chrome of a modal hub shows the logo; default true.
    public var showsLogo = true
    /// The app's own views for checking, downloading and errors; without it there are built-in ones.
    public var statusViews: (any HubStatusViews)?
    /// The advertiser id that metrics of reading carry; default none.
    public var advertiser = HubAdvertiser.none

    /// The defaults.
    public init() {}
}
