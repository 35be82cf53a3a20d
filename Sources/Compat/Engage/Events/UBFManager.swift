public import Foundation
internal import InlayBehaviors
internal import InlayCore
public import InlayPlatform
@_spi(Inlay) import InlayWire

/// EngageSDK's entry point for posting events: one object for the whole process.
///
/// Calls return at once. An event is then stored in the order of the calls, and sent when enough wait,
/// when the app is left, or by `postEventCache`.
public final class UBFManager: NSObject, Sendable {
    private let host: EngageHost

    init(host: EngageHost) { self.host = host }

    /// The one object; `nil` before the SDK was started, by `EngageApplication` or `createClient`.
    public static func sharedInstance() -> UBFManager! { EngageHost.shared.managers?.ubf }

    /// The same under its other documented name.
    public static func get() -> UBFManager! { sharedInstance() }

    /// Starts the SDK with credentials from somewhere else than Info.plist. Once; later calls only report.
    ///
    /// One of the blocks runs on the main queue as soon as the service gave a token, or did not.
    @discardableResult
    public static func createClient(
        _ clientId: String, secret: String, token refreshToken: String, host: String,
        connectSuccess: (@MainActor @Sendable () -> Void)? = nil,
        failure: (@MainActor @Sendable (any Error) -> Void)? = nil
    ) -> UBFManager! {
        EngageHost.shared.start(
            EngageCredentials(
                clientID: clientId, clientSecret: secret, refreshToken: refreshToken, host: host))
        guard connectSuccess != nil || failure != nil else { return sharedInstance() }
        EngageHost.shared.perform { engine in
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

    /// Registers a plug-in for every event; before the SDK starts.
    public static func register(_ plugin: any UBFAugmentationPlugin) { EngageHost.shared.register(plugin) }

    /// Stores an event to be sent; what tells it from others in the app.
    @discardableResult
    public func trackEvent(_ event: UBF) -> URL {
        // As it is now: what is added to the object afterwards is another event's.
        let behavior = event.behavior
        host.perform { engine in
            do { try await engine.behaviors.track(behavior) } catch {
                engine.session.log.operation("an event was not taken: \(error)")
            }
        }
        return event.uid
    }

    /// The same under its other documented name.
    @discardableResult
    public func postEvent(_ event: UBF) -> URL { trackEvent(event) }

    /// Sends all that is stored and ready, however little.
    public func postEventCache() { host.perform { await $0.behaviors.postEventCache() } }

    /// A notification of the app's own arrived; params win over automatic ones.
    @MainActor @discardableResult
    public func handleLocalNotificationReceivedEvents(
        _ notification: UILocalNotification, withParams params: [AnyHashable: Any]?
    ) -> URL {
        track(EngageNotifications.local(notification), params, isOpened: false)
    }

    /// A notification of a push service arrived.
    @discardableResult
    public func handlePushNotificationReceivedEvents(
        _ notification: [AnyHashable: Any], withParams params: [AnyHashable: Any]? = nil
    ) -> URL {
        track(.push(EngageValues.attributes(notification)), params, isOpened: false)
    }

    /// The app was opened by a notification: what the launch options hold under the remote or the local
    /// key. `nil` tells nothing.
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

    /// The app was opened by a link; `nil` for what is no link.
    ///
    /// The result holds the id of the event that `postSilverpop` posts. A link whose route does not name that
    /// handler has no event.
    @discardableResult
    public func handleExternalURLOpenedEvents(_ url: URL) -> URL? {
        guard url.scheme != nil else { return nil }
        let id = newID
        host.perform { engine in
            // A link that leads nowhere is logged by the session.
            _ = try? await engine.behaviors.open(url.absoluteString, eventID: id)
        }
        return Self.url(id)
    }

    private func track(
        _ notification: BehaviorNotification, _ params: [AnyHashable: Any]?, isOpened: Bool
    ) -> URL {
        let (attributes, id) = (EngageValues.attributes(params), newID)
        host.perform { engine in
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

    private var newID: String { UUIDv7.make(at: host.runtime.clock.now()) }

    private static func url(_ id: String) -> URL {
        URL(string: "inlay-event:\(id)") ?? URL(fileURLWithPath: "/")
    }
}

/// Reads notifications of the systems that EngageSDK supported.
private enum EngageNotifications {
    @MainActor static func local(_ notification: UILocalNotification) -> BehaviorNotification {
        .local(
            body: notification.alertBody, action: notification.alertAction,
            userInfo: EngageValues.attributes(notification.userInfo))
    }
}
