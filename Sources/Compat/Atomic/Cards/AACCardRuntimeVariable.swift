import Foundation

/// A variable that the app resolves on the device.
public final class AACCardRuntimeVariable: NSObject, Sendable {
    /// The name used with `resolveRuntimeVariable(withName:value:)`.
    public let name: String
    /// What is shown when the app does not resolve it in time.
    public let defaultValue: String

    init(name: String, defaultValue: String) {
        self.name = name
        self.defaultValue = defaultValue
    }
}
