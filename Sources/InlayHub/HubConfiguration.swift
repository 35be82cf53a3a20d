public import Foundation
@_spi(Inlay) public import InlayWire

/// The settings of a hub that are fixed before it starts.
public struct HubConfiguration: Sendable {
    /// The content source's id, from the Workbench.
    public var source: String
    /// The root of trust; everything else follows from it by signatures.
    public var trust: HubConfiguration.Trust
    /// A version that the app brings along, shown until a newer one is there. Used in non-blocking mode only.
    public var preload: HubConfiguration.Preload?
    /// The initial values of the settings that may be changed later.
    public var settings = HubSettings()
    /// The identification of devices in reading metrics; `nil` disables metrics. Enabled by default.
    public var metrics: HubConfiguration.Metrics? = HubConfiguration.Metrics()
    /// The poll interval while there is no live connection; below 1 min becomes 1 min. Default
    /// 15 min.
    public var pollInterval = Duration.seconds(900)
    /// The limits on content from the source.
    package var limits = HubLimits()
    /// The time at which the app was built: a clock with an earlier time is not trusted.
    public var builtAt = Timestamp(microseconds: 0)
    /// Schedules the publisher's announcements; `nil` drops them.
    public var scheduler: (any HubNotificationScheduler)?

    /// A configuration with the defaults.
    public init(source: String, trust: HubConfiguration.Trust) {
        self.source = source
        self.trust = trust
    }

    func validate() throws(HubError) {
        guard HubReference.isID(source) else {
            throw .invalidConfiguration("source must be the content source's id, as the Workbench shows it")
        }
    }
}

extension HubConfiguration {
    /// The root of trust of a content source.
    public enum Trust: Hashable, Sendable {
        /// The signed root metadata of the source, `1.root.json` or any later one.
        case root(Data)
        /// One public key, as the DER of its subject public key info: the first root must be signed by it.
        case publicKey(der: Data)
    }
}

extension HubConfiguration {
    /// A version of the content that an app brings along.
    public enum Preload: Hashable, Sendable {
        /// A folder with `metadata/` and `targets/`, as the server serves them.
        case folder(URL)
        /// One file with the same inside, made by `HubPreloadFile`.
        case file(URL)
    }
}

extension HubConfiguration {
    /// The identification of an app in reading metrics.
    public struct Metrics: Hashable, Sendable {
        /// Names the app among those that share a server; `nil` leaves it out.
        public var applicationID: String?
        /// The reporting queue that events are meant for; `nil` is the environment's own.
        public var queue: String?

        /// A configuration.
        public init(applicationID: String? = nil, queue: String? = nil) {
            self.applicationID = applicationID
            self.queue = queue
        }
    }
}
