public import Foundation

/// EngageSDK's name for the sender of events; `UBFManager` does all of it.
public final class UBFClient: NSObject, Sendable {
    /// The one object; `nil` before the SDK was started.
    public static func client() -> UBFClient! { EngageRuntime.shared.managers == nil ? nil : UBFClient() }

    /// Sends all that is stored and ready, however little.
    public func postEventCache() { UBFManager.sharedInstance()?.postEventCache() }
}
