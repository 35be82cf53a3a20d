public import Foundation

/// The application's context that EngageSDK passes to plug-ins and initializers.
public final class EngageContext: NSObject, Sendable {
    /// The context of this app.
    public static let shared = EngageContext()

    /// The app's bundle.
    public var bundle: Bundle { .main }
}
