public import Foundation
internal import InlayBehaviors
internal import InlayCore
public import InlayPlatform
@_spi(Inlay) import InlayWire

/// EngageSDK's entry point for posting events: one object for the whole process.
///
/// Calls return at once. Events are then stored in the order of the calls, and sent when enough are stored, when the
/// app moves to the background, or by `postEventCache`.
public final class UBFManager: NSObject, Sendable {
    private let runtime: EngageRuntime

    init(runtime: EngageRuntime) { self.runtime = runtime }

    /// Returns the shared object; `nil` until `EngageApplication` or `createClient` has started the SDK.
    public static func sharedInstance() -> UBFManager! { EngageRuntime.shared.managers?.ubf }

    /// Returns ``sharedInstance()``, under its other documented name.
    public static func get() -> UBFManager! { sharedInstance() }

    /// Starts the SDK with credentials that are not in Info.plist. Later calls do not start it again, and only call the
    /// blocks.
    ///
    /// Calls `connectSuccess` on the main queue when the service has issued a token, or `failure` when it has not.
    @discardableResult
    public static func createClient(
        _ clientId: String, secret: String, token refreshToken: String, host: String,
        connectSuccess: (@MainActor @Sendable () -> Void)? = nil,
        failure: (@MainActor @Sendable (any Error) -> Void)? = nil
    ) -> UBFManager! {
        EngageRuntime.shared.start(
            EngageCredentials(
                clientID: clientId, clientSecret: secret, refreshToken: refreshToken, host: host))
        guard connectSuccess != nil || failure != nil else { return sharedInstance() }
        EngageRuntime.shared.perform { engine in
            // Ends with the service's answer, or with the session.
            engine.session.work.start {
                do {
                    try await engine.tokens.prefetch()
                    await MainActor.run { connectSuccess?() }
                } catch {
                    await MainActor.run { failure?(error) }
                }
            }
        } failed: { error in
            await MainActor.run { failure?(error) }
        }
        return sharedInstance()
    }

    /// Registers a plug-in that is called for every event; call this before the SDK starts.
    public static func register(_ plugin: any UBFAugmentationPlugin) { EngageRuntime.shared.register(plugin) }

    /// Stores an event to be sent, and returns its id within the app.
    @discardableResult
    public func trackEvent(_ event: UBF) -> URL {
        // A copy, so that later changes to the object do not change this event.
        let behavior = event.behavior
        runtime.perform { engine in
            do { try await engine.behaviors.track(behavior) } catch {
                engine.session.log.operation("an event was not taken: \(error)")
            }
        }
        return event.uid
    }

    /// Stores an event like ``trackEvent(_:)``, under its other documented name.
    @discardableResult
    public func postEvent(_ event: UBF) -> URL { trackEvent(event) }

    /// Sends all events that are ready, however few.
    public func postEventCache() { runtime.perform { await $0.behaviors.postEventCache() } }

    /// Stores the event that a local notification arrived, and returns the event's id. `params` replace automatic
    /// attributes of the same name.
    @MainActor @discardableResult
    public func handleLocalNotificationReceivedEvents(
        _ notification: UILocalNotification, withParams params: [AnyHashable: Any]?
    ) -> URL {
        track(EngageNotifications.local(notification), params, isOpened: false)
    }

    /// Stores the event that a push notification arrived, and returns the event's id.
    @discardableResult
    public func handlePushNotificationReceivedEvents(
        _ notification: [AnyHashable: Any], withParams params: [AnyHashable: Any]? = nil
    ) -> URL {
        track(.push(EngageValues.attributes(notification)), params, isOpened: false)
    }

    /// Stores the event that a notification opened the app, and returns the event's id. `notification` is the value
    /// of the remote or local notification key in the launch options; `nil` stores nothing.
    @MainActor @discardableResult
    public func handleNotificationOpenedEvents(
        _ notification: Any?, withParams params: [AnyHashable: Any]? = nil
    ) -> URL? {
        switch notification {
        case let local as UILocalNotification:
            track(EngageNotifications.local(local), params, isOpened: true)
        case let push as [AnyHashable: Any]:
            track(.push(EngageValues.attributes(push)), params, isOpened: true)
        default: nil
        }
    }

    /// Handles a link that opened the app; returns `nil` for a URL without a scheme.
    ///
    /// The result holds the id of the event that `postSilverpop` posts. A link whose route does not name that
    /// handler has no event.
    @discardableResult
    public func handleExternalURLOpenedEvents(_ url: URL) -> URL? {
        guard url.scheme != nil else { return nil }
        let id = newID
        runtime.perform { engine in
            // The SDK logs a link that it cannot open.
            _ = try? await engine.behaviors.open(url.absoluteString, eventID: id)
        }
        return Self.url(id)
    }

    private func track(
        _ notification: BehaviorNotification, _ params: [AnyHashable: Any]?, isOpened: Bool
    ) -> URL {
        let (attributes, id) = (EngageValues.attributes(params), newID)
        runtime.perform { engine in
            do {
                if isOpened {
                    try await engine.behaviors.notificationOpened(
                        notification, attributes: attributes, eventID: id)
                } else {
                    try await engine.behaviors.notificationReceived(
                        notification, attributes: attributes, eventID: id)
                }
            } catch {
                engine.session.log.operation("a notification was not taken: \(error)")
            }
        }
        return Self.url(id)
    }

    private var newID: String { UUIDv7.make(at: runtime.services.clock.now()) }

    private static func url(_ id: String) -> URL {
        URL(string: "inlay-event:\(id)") ?? URL(fileURLWithPath: "/")
    }
}

/// The conversion of notifications of the systems that EngageSDK supported.
private enum EngageNotifications {
    @MainActor static func local(_ notification: UILocalNotification) -> BehaviorNotification {
        .local(
            body: notification.alertBody, action: notification.alertAction,
            userInfo: EngageValues.attributes(notification.userInfo))
    }
}
