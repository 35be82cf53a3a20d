public import Foundation

/// The application's context that EngageSDK passes to plug-ins and initializers.
public final class EngageContext: NSObject, Sendable {
    /// The app's context.
    public static let shared = EngageContext()

    /// The app's bundle.
    public var bundle: Bundle { .main }
}
