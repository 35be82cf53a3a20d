/// The configuration of the feature, fixed before its first event. Everything has a default.
public struct BehaviorsConfiguration: Sendable {
    /// The settings, by default those that EngageSDK documents.
    public var settings = BehaviorSettings()
    /// The device, by default this one.
    public var device = DeviceFacts.current
    /// The app, by default with the values of its bundle.
    public var app = AppFacts.current
    /// The identity for events, called at every event. Default: the value of `setIdentity`.
    public var identity: (@Sendable () -> BehaviorIdentity)?
    /// The app's plug-ins, which run in this order after the SDK's own plug-ins for the location.
    public var augmenters: [any BehaviorAugmenter] = []
    /// The source of the device's location; without it, no location is added to events.
    public var location: (any LocationSource)?
    /// The status of the network; by default, it counts as always reachable.
    public var network: any NetworkStatus = UnmonitoredNetwork()
    /// The routes of links; without them, opening a link throws `DeepLinkError.noConfiguration`.
    public var deepLinks: DeepLinkConfiguration?
    /// Whether the first start of an installation is recorded as an event (12); default `true`.
    public var tracksInstallation = true
    /// Whether installations (12) and session starts (13) stay in HOLD, even over restarts, until a primary user id is
    /// known, and are then sent with it. A log-out sends them without. Default `false`: they do not wait.
    public var startsWaitForIdentity = false
    /// The maximum size of all waiting events together, in bytes; beyond it, the oldest are dropped and reported.
    /// Default 20 MB.
    public var maximumBytes = 20_000_000
    /// The maximum number of posted and failed events that are stored. Default 20,000.
    public var maximumHistory = 20_000

    /// Creates a configuration with the defaults.
    public init() {}
}
