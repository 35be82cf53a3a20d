public import Foundation

/// EngageSDK's name for the sender of events, which passes every call to `UBFManager`.
public final class UBFClient: NSObject, Sendable {
    /// Returns a client; `nil` before the SDK was started.
    public static func client() -> UBFClient! { EngageRuntime.shared.managers == nil ? nil : UBFClient() }

    /// Sends all events that are ready, however few.
    public func postEventCache() { UBFManager.sharedInstance()?.postEventCache() }
}
