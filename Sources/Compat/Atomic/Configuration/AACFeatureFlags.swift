public import Foundation

/// Optional behavior of a container, which is disabled by default.
public final class AACFeatureFlags: NSObject, NSCopying {
    /// Whether the values of resolved runtime variables are sent to the server as `runtime-vars-updated`; disabled by
    /// default.
    ///
    /// Leave it disabled when the server must not store the values.
    public var runtimeVariableAnalytics = false

    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = AACFeatureFlags()
        copy.runtimeVariableAnalytics = runtimeVariableAnalytics
        return copy
    }
}
