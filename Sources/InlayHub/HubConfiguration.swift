public import Foundation
public import InlayWire

/// What an app tells the hub before it starts.
public struct HubConfiguration: Sendable {
    /// The content source's id, from the Workbench.
    public var source: String
    /// What the app trusts from the beginning; everything else follows from it by signatures.
    public var trust: HubTrust
    /// A version that the app brings along: shown until a newer one is there. Counts in non-blocking mode
    /// only.
    public var preload: HubPreload?
    /// What may be changed later, as it is at the start.
    public var settings = HubSettings()
    /// How metrics of reading are told apart; `nil` turns them off. Default on.
    public var metrics: HubMetricsConfiguration? = HubMetricsConfiguration()
    /// How often the server is asked while there is no live connection; below 1 min becomes 1 min. Default
    /// 15 min.
    public var pollInterval = Duration.seconds(900)
    /// How much a device takes from the source.
    public var limits = HubLimits()
    /// When the app was built: no clock that says an earlier time is believed.
    public var builtAt = Timestamp(microseconds: 0)
    /// Schedules the publisher's announcements; `nil` drops them.
    public var scheduler: (any HubNotificationScheduler)?

    /// A configuration with the defaults.
    public init(source: String, trust: HubTrust) {
        self.source = source
        self.trust = trust
    }

    func validate() throws(HubError) {
        guard HubReference.isID(source) else {
            throw .invalidConfiguration("source must be the content source's id, as the Workbench shows it")
        }
    }
}

/// What an app trusts from the beginning.
public enum HubTrust: Hashable, Sendable {
    /// The signed root metadata of the source, `1.root.json` or any later one.
    case root(Data)
    /// One public key, as the DER of its subject public key info: the first root must be signed by it.
    case publicKey(der: Data)
}

/// A version of the content that an app brings along.
public enum HubPreload: Hashable, Sendable {
    /// A folder with `metadata/` and `targets/`, as the server serves them.
    case folder(URL)
    /// One file with the same inside, made by `HubPreloadFile`.
    case file(URL)
}
