import Foundation
internal import InlayBehaviors
import InlayPlatform

/// Reads the notifications of the document's time.
enum EngageNotifications {
    @MainActor static func local(_ notification: UILocalNotification) -> BehaviorNotification {
        .local(
            body: notification.alertBody, action: notification.alertAction,
            userInfo: EngageValues.attributes(notification.userInfo))
    }
}
