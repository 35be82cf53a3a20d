public import Foundation
internal import InlayBehaviors

/// EngageSDK's registry of link handlers in addition to the SDK's own.
public final class EngageDeepLinkManager: NSObject, Sendable {
    /// The name of the SDK's own handler, for use in `MobileDeepLinkingConfig.json`.
    public static let defaultHandlerName = "postSilverpop"
    private static let shared = EngageDeepLinkManager()

    /// Returns the shared object.
    public static func sharedInstance() -> EngageDeepLinkManager { shared }

    /// Registers a handler for a name in `MobileDeepLinkingConfig.json`. The handler runs on the main actor with the
    /// parameters of the link; it returns the parameters for the handlers after it.
    public func registerHandler(
        withName name: String, handler: @escaping @MainActor @Sendable ([String: String]) -> [String: String]
    ) {
        EngageRuntime.shared.register(name) { parameters in
            let received = parameters
            parameters = await MainActor.run { handler(received) }
        }
    }
}
