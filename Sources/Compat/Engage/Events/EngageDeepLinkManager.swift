public import Foundation
internal import InlayBehaviors

/// EngageSDK's registration of link handlers besides the SDK's own.
public final class EngageDeepLinkManager: NSObject, Sendable {
    /// The SDK's own handler, which the configuration names.
    public static let defaultHandlerName = "postSilverpop"
    private static let shared = EngageDeepLinkManager()

    /// The one object.
    public static func sharedInstance() -> EngageDeepLinkManager { shared }

    /// Registers a handler for a name that `MobileDeepLinkingConfig.json` uses; it runs on the main actor
    /// with the parameters of the link, and its result is what the handlers after it get.
    public func registerHandler(
        withName name: String, handler: @escaping @MainActor @Sendable ([String: String]) -> [String: String]
    ) {
        EngageRuntime.shared.register(name) { parameters in
            let before = parameters
            parameters = await MainActor.run { handler(before) }
        }
    }
}
