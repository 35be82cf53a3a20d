public import Foundation

/// A variable that the app resolves on the device.
public final class AACCardRuntimeVariable: NSObject, Sendable {
    /// The name used with `resolveRuntimeVariable(withName:value:)`.
    public let name: String
    /// The value that is shown when the app does not resolve the variable in time.
    public let defaultValue: String

    init(name: String, defaultValue: String) {
        self.name = name
        self.defaultValue = defaultValue
    }
}
