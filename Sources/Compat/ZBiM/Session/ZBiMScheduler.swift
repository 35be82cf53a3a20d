internal import Foundation
internal import InlayHub
internal import InlayPlatform

/// A scheduler that passes the publisher's announcements to the system as local notifications.
struct ZBiMScheduler: HubNotificationScheduler {
    /// The `userInfo` key of a hub notification's id.
    static let idKey = "ZBiMNotificationId"

    let services: ZBiMServices

    func schedule(_ notification: HubScheduledNotification) async {
        let schedule = services.schedule
        await MainActor.run {
            let local = UILocalNotification()
            local.fireDate = Date(timeIntervalSince1970: notification.fireAt.seconds)
            local.alertTitle = notification.title
            local.alertBody = notification.message
            local.userInfo = [Self.idKey: notification.id]
            schedule(local)
        }
    }

    func cancel(ids: [String]) async {
        let cancel = services.cancel
        await MainActor.run { ids.forEach { cancel($0) } }
    }
}
