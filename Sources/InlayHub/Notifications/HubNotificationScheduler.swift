@_spi(Inlay) public import InlayWire

/// A scheduler of the publisher's announcements, usually with the system's notifications.
///
/// The app asks the person for permission; the hub never does.
public protocol HubNotificationScheduler: Sendable {
    /// Schedules an announcement, in place of one with the same id. An announcement that cannot be scheduled is
    /// dropped.
    func schedule(_ notification: HubScheduledNotification) async
    /// Cancels announcements that were not shown yet.
    func cancel(ids: [String]) async
}

/// An announcement as the system is to show it.
public struct HubScheduledNotification: Codable, Hashable, Sendable, Identifiable {
    /// The prefix of the ids of the hub's announcements; it distinguishes them from the app's other notifications.
    public static let idPrefix = "inlay-hub."

    /// The id, unique among all sources, for `Hub.handle(notificationID:ask:)`.
    public var id: String
    /// The time at which the notification is shown.
    public var fireAt: Timestamp
    /// A heading; `nil` shows the app's name.
    public var title: String?
    /// The text of the notification.
    public var message: String
    /// The link that it opens: an address of the hub, or of the app's own scheme.
    public var action: String?

    /// An announcement of a source.
    init(_ notification: HubNotification, source: String) {
        id = Self.idPrefix + source + "." + notification.id
        fireAt = notification.fireAt
        title = notification.title
        message = notification.message
        action = notification.action
    }
}
