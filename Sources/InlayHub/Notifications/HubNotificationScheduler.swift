@_spi(Inlay) public import InlayWire

/// Shows the publisher's announcements at their time: the system's notifications, behind a protocol.
///
/// The app asks the person for permission; the hub never does.
public protocol HubNotificationScheduler: Sendable {
    /// Schedules an announcement in place of one with the same id. Must not throw: what cannot be
    /// scheduled is dropped.
    func schedule(_ notification: HubScheduledNotification) async
    /// Calls off announcements that did not show yet.
    func cancel(ids: [String]) async
}

/// An announcement as the system is to show it.
public struct HubScheduledNotification: Codable, Hashable, Sendable, Identifiable {
    /// Marks announcements of the hub among all others of the app.
    public static let idPrefix = "inlay-hub."

    /// Unique among all sources, and the key to handling it later.
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
