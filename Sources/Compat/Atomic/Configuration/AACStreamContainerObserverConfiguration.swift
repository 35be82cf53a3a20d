public import Foundation

/// The settings for observing a container without a view; every property is optional.
public final class AACStreamContainerObserverConfiguration: NSObject, NSCopying {
    /// The number of seconds between polls while no WebSocket is open; 15 by default. Values below 1 become 1.
    public var cardListRefreshInterval: TimeInterval = 15 {
        didSet { cardListRefreshInterval = max(1, cardListRefreshInterval) }
    }
    /// The filters, all of which a card must match; `nil` for no filters.
    public var filters: [AACCardFilter]?
    /// The delegate that resolves runtime variables; without a delegate, variables have their default values.
    public weak var runtimeVariableDelegate: (any AACRuntimeVariableDelegate)?
    /// The time limit for resolving runtime variables, in seconds; 5 by default. Negative values become 0.
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
