public import Foundation

/// What the document hands to plug-ins and constructors as the application's context.
public final class EngageContext: NSObject, Sendable {
    /// The app's context.
    public static let shared = EngageContext()

    /// The app's bundle.
    public var bundle: Bundle { .main }
}
