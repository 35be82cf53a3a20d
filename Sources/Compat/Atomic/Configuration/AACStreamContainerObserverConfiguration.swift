public import Foundation

/// The settings for observing a container without a view; every property is optional.
public final class AACStreamContainerObserverConfiguration: NSObject, NSCopying {
    /// Seconds between polls while there is no WebSocket; default 15; values below 1 become 1.
    public var cardListRefreshInterval: TimeInterval = 15 {
        didSet { cardListRefreshInterval = max(1, cardListRefreshInterval) }
    }
    /// Filters that a card must all match; `nil` for none.
    public var filters: [AACCardFilter]?
    /// The delegate that resolves runtime variables; without it they have their defaults.
    public weak var runtimeVariableDelegate: (any AACRuntimeVariableDelegate)?
    /// Seconds the app has to resolve runtime variables; default 5, never below 0.
    public var runtimeVariableResolutionTimeout: TimeInterval = 5 {
        didSet { runtimeVariableResolutionTimeout = max(0, runtimeVariableResolutionTimeout) }
    }
    /// Whether the values of resolved runtime variables are sent as `runtime-vars-updated`; default `false`.
    public var sendRuntimeVariableAnalytics = false

    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = AACStreamContainerObserverConfiguration()
        copy.cardListRefreshInterval = cardListRefreshInterval
        copy.filters = filters
        copy.runtimeVariableDelegate = runtimeVariableDelegate
        copy.runtimeVariableResolutionTimeout = runtimeVariableResolutionTimeout
        copy.sendRuntimeVariableAnalytics = sendRuntimeVariableAnalytics
        return copy
    }
}
