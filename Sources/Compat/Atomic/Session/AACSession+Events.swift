import Foundation

extension AACSession {
    /// Observes what happens in the SDK. A second call takes the first one's place; `nil` ends it.
    public static func observeSDKEvents(completionHandler: (@MainActor (AACSDKEvent) -> Void)?) {
        host.change { $0.eventHandler = completionHandler }
    }

    /// Ends the observation of SDK events.
    public static func stopObservingSDKEvents() { observeSDKEvents(completionHandler: nil) }
}
