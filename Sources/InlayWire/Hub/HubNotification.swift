/// Something the device announces by itself at a moment the publisher set.
@_spi(Inlay) public struct HubNotification: Codable, Hashable, Sendable, Identifiable {
    /// Names the announcement: one with the same id replaces it, one that is gone is called off.
    public var id: String
    /// The time at which the notification is shown.
    public var fireAt: Timestamp
    /// A heading; `nil` shows the app's name.
    public var title: String?
    /// The text; plain text.
    public var message: String
    /// The link that it opens: a ``HubReference`` as text, or an address of the app's own scheme.
    public var action: String?
    /// Only users with one of these tags see it; empty is everybody.
    public var tags: [String]

    /// An announcement at a moment.
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
