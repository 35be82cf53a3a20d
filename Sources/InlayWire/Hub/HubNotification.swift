/// A notification that the device schedules itself, at a time that the publisher set.
@_spi(Inlay) public struct HubNotification: Codable, Hashable, Sendable, Identifiable {
    /// The id. A notification with the same id replaces the scheduled one; one that is no longer published is
    /// cancelled.
    public var id: String
    /// The time at which the notification is shown.
    public var fireAt: Timestamp
    /// The title; `nil` shows the app's name.
    public var title: String?
    /// The message, as plain text.
    public var message: String
    /// The link that the notification opens: a ``HubReference`` as text, or an address of the app's own scheme.
    public var action: String?
    /// The tags of which a user must have one to see the notification; empty for all users.
    public var tags: [String]

    /// Creates a notification.
    public init(
        id: String, fireAt: Timestamp, title: String? = nil, message: String, action: String? = nil,
        tags: [String] = []
    ) {
        self.id = id
        self.fireAt = fireAt
        self.title = title
        self.message = message
        self.action = action
        self.tags = tags
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        fireAt = try values.decode(Timestamp.self, forKey: .fireAt)
        title = try values.decodeIfPresent(String.self, forKey: .title)
        message = try values.decode(String.self, forKey: .message)
        action = try values.decodeIfPresent(String.self, forKey: .action)
        tags = try values.decodeIfPresent(LossyArray<String>.self, forKey: .tags)?.elements ?? []
    }
}
