/// The settings that an app may change while the hub runs.
public struct HubSettings: Sendable {
    /// The mode in which content is fetched.
    public enum SyncMode: Int, Hashable, Sendable, CaseIterable {
        /// The SDK fetches in the background; a presentation shows the content that is on the device.
        case nonBlocking
        /// Every presentation looks for new content first, and waits for it when there is some.
        case blocking
    }

    /// The look of the chrome, the progress and the errors; pages have a look of their own.
    public enum ColorScheme: Int, Hashable, Sendable, CaseIterable {
        case dark, light
    }

    /// The sources that pages may load from; default `localOnly`.
    public var contentSource = HubSettings.ContentSource.localOnly
    /// The addresses that pages may load although the source is local only, and the app's own schemes.
    public var allowed = HubAllowList()
    /// The mode in which content is fetched; default `nonBlocking`. Applies to the next presentation.
    public var syncMode = SyncMode.nonBlocking
    /// The look of the next presentation; default `dark`.
    public var colorScheme = ColorScheme.dark
    /// Whether the chrome of a modal hub shows the logo; default true.
    public var showsLogo = true
    /// The app's own views for checking, downloading and errors; without it there are built-in ones.
    public var statusViews: (any HubStatusViews)?
    /// The advertiser id that reading metrics carry; default none.
    public var advertiser = HubSettings.Advertiser.none

    /// The defaults.
    public init() {}
}

extension HubSettings {
    /// The sources that a page of the hub may load from.
    ///
    /// Hub, channel and article pages themselves always come from the verified content; this is about what
    /// they load and where their scripts call.
    public enum ContentSource: Int, Hashable, Sendable, CaseIterable {
        /// Nothing but the verified content and what the lists allow.
        case localOnly
        /// Anything that the web allows.
        case externalAllowed
    }
}

extension HubSettings {
    /// The origin of the advertiser id in reading metrics.
    public enum Advertiser: Sendable {
        /// Metrics carry no advertiser id.
        case none
        /// The system's identifier; none while the person limits ad tracking.
        case system(any HubAdvertisingIdentifier)
        /// The identifier that the app returns; `nil` for none.
        case app(@Sendable () -> String?)

        /// The id to send now.
        var current: String? {
            switch self {
            case .none: nil
            case .system(let system): system.isTrackingLimited ? nil : system.identifier
            case .app(let id): id()
            }
        }
    }
}

/// The system's advertising identifier, and whether the person allows its use.
public protocol HubAdvertisingIdentifier: Sendable {
    /// Whether the person has limited ad tracking.
    var isTrackingLimited: Bool { get }
    /// The identifier; not read while tracking is limited.
    var identifier: String? { get }
}
