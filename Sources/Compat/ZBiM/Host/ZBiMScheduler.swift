internal import Foundation
internal import InlayHub
internal import InlayPlatform

/// Hands the publisher's announcements to the system as local notifications.
struct ZBiMScheduler: HubNotificationScheduler {
    /// Where a notification of the hub carries its id.
    static let idKey = "ZBiMNotificationId"

    let ground: ZBiMGround

    func schedule(_ notification: HubScheduledNotification) async {
        let schedule = ground.schedule
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
        let cancel = ground.cancel
        await MainActor.run { ids.forEach { cancel($0) } }
    }
}
