internal import InlayHub
public import InlayPlatform

extension ZBiM {
    /// Whether a notification was scheduled by the SDK.
    @MainActor public static func canHandleLocalNotification(_ notification: UILocalNotification) -> Bool {
        id(notification) != nil
    }

    /// Asks the user, then performs the notification's action. Returns `false` for a notification that the SDK did not
    /// schedule.
    @discardableResult
    @MainActor public static func handleLocalNotification(_ notification: UILocalNotification) -> Bool {
        handleLocalNotification(notification, showAlert: true)
    }

    /// Performs the notification's action; with `showAlert`, asks the user first. Returns `false` for a notification
    /// that the SDK did not schedule.
    @discardableResult
    @MainActor public static func handleLocalNotification(
        _ notification: UILocalNotification, showAlert: Bool
    ) -> Bool {
        guard let id = id(notification) else { return false }
        let ask = runtime.read(\.services.ask)
        // Ends when the user has answered and the action was performed.
        Task { @MainActor in
            guard let hub = await runtime.opened()?.hub else {
                return runtime.read(\.log).write(
                    .error, .debug, "The notification's action was not performed: no session is open.")
            }
            do throws(HubError) {
                if showAlert {
                    try await hub.handle(notificationID: id) { await ask($0.message) }
                } else {
                    try await hub.handle(notificationID: id)
                }
            } catch {
                runtime.read(\.log).write(.error, .debug, "The notification's action failed: \(error)")
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
