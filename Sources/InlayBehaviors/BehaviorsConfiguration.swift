/// The settings of the feature, fixed before its first event. Everything has a default.
public struct BehaviorsConfiguration: Sendable {
    /// The settings; default: the documented ones.
    public var settings = BehaviorSettings()
    /// The device; default: this one.
    public var device = DeviceFacts.current
    /// The app; default: as its bundle says.
    public var app = AppFacts.current
    /// The identity for events, called at every event. Default: the value of `setIdentity`.
    public var identity: (@Sendable () -> BehaviorIdentity)?
    /// The app's plug-ins, in their order; they come after the ones for places.
    public var augmenters: [any BehaviorAugmenter] = []
    /// The source of the device's location; without it no event gets a place.
    public var location: (any LocationSource)?
    /// Whether the network can be reached; default: always worth a try.
    public var network: any NetworkStatus = UnmonitoredNetwork()
    /// The routes of links; without them no link leads anywhere.
    public var deepLinks: DeepLinkConfiguration?
    /// Whether the first start on an installation is recorded as an event (12); default true.
    public var tracksInstallation = true
    /// Whether installations (12) and session starts (13) stay in HOLD until a primary user id is known, and
    /// then go with it. Default false: they go at once. They outlive a restart; log-out lets them go.
    public var startsWaitForIdentity = false
    /// The most bytes of waiting events; beyond it the oldest are dropped and reported. Default 20 MB.
    public var maximumBytes = 20_000_000
    /// The most posted and failed events that are kept for their lifespan. Default 20,000.
    public var maximumHistory = 20_000

    /// The defaults.
    public init() {}
}
