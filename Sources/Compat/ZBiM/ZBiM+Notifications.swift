internal import InlayHub
public import InlayPlatform

extension ZBiM {
    /// Whether a notification was scheduled by the SDK.
    @MainActor public static func canHandleLocalNotification(_ notification: UILocalNotification) -> Bool {
        id(notification) != nil
    }

    /// Asks the reader, then does what the notification is for; false for notifications of others.
    @discardableResult
    @MainActor public static func handleLocalNotification(_ notification: UILocalNotification) -> Bool {
        handleLocalNotification(notification, showAlert: true)
    }

    /// Does what the notification is for, after asking with `showAlert`; false for notifications of others.
    @discardableResult
    @MainActor public static func handleLocalNotification(
        _ notification: UILocalNotification, showAlert: Bool
    ) -> Bool {
        guard let id = id(notification) else { return false }
        let ask = host.read(\.ground.ask)
        // Ends when the reader answered and the action was done.
        Task { @MainActor in
            guard let hub = await host.opened()?.hub else { return }
            do throws(HubError) {
                if showAlert {
                    try await hub.handle(notificationID: id) { await ask($0.message) }
                } else {
                    try await hub.handle(notificationID: id)
                }
            } catch {
                host.read(\.log).write(.error, .debug, "The notification could not be acted on: \(error)")
            }
        }
        return true
    }

    @MainActor private static func id(_ notification: UILocalNotification) -> String? {
        guard let id = notification.userInfo?[ZBiMScheduler.idKey] as? String,
            id.hasPrefix(HubScheduledNotification.idPrefix)
        else { return nil }
        return id
    }
}
