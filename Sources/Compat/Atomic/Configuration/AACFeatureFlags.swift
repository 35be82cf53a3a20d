public import Foundation

/// Behaviour of a container that is off unless the app asks for it.
public final class AACFeatureFlags: NSObject, NSCopying {
    /// Sends the values of resolved runtime variables as `runtime-vars-updated`; off by default.
    ///
    /// Leave it off when the values are nothing the platform should store.
    public var runtimeVariableAnalytics = false

    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = AACFeatureFlags()
        copy.runtimeVariableAnalytics = runtimeVariableAnalytics
        return copy
    }
}
