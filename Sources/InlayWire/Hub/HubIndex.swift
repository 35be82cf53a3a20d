/// What one content version of a source holds: the target `index.json`.
///
/// All order is the publisher's: ``hubs`` is the order of the hubs, and each hub and channel lists its
/// parts in order. What this version cannot read is skipped item by item.
public struct HubIndex: Codable, Hashable, Sendable {
    /// The target that holds the index of a version.
    public static let target = "index.json"

    /// The shape of this file; a reader takes 1 and everything that only adds to it.
    public var format: Int
    /// The content source.
    public var source: String
    /// Grows with every publish of the source.
    public var version: Int64
    /// When this version was published.
    public var publishedAt: Timestamp
    /// The hubs, first the one that a user without tags sees.
    public var hubs: Tolerant<HubPage>
    /// Every channel that a hub of ``hubs`` names.
    public var channels: Tolerant<HubChannel>
    /// Every article that a channel of ``channels`` names.
    public var articles: Tolerant<HubArticle>
    /// What the device is to announce.
    public var notifications: Tolerant<HubNotification>

    /// An index with its parts, in order.
    public init(
        source: String, version: Int64, publishedAt: Timestamp, hubs: [HubPage] = [],
        channels: [HubChannel] = [], articles: [HubArticle] = [], notifications: [HubNotification] = []
    ) {
        format = 1
        self.source = source
        self.version = version
        self.publishedAt = publishedAt
        self.hubs = Tolerant(hubs)
        self.channels = Tolerant(channels)
        self.articles = Tolerant(articles)
        self.notifications = Tolerant(notifications)
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        format = try values.decodeIfPresent(Int.self, forKey: .format) ?? 1
        source = try values.decodeIfPresent(String.self, forKey: .source) ?? ""
        version = try values.decode(Int64.self, forKey: .version)
        publishedAt =
            try values.decodeIfPresent(Timestamp.self, forKey: .publishedAt) ?? Timestamp(microseconds: 0)
        hubs = try values.decode(Tolerant<HubPage>.self, forKey: .hubs)
        channels = try values.decodeIfPresent(Tolerant.self, forKey: .channels) ?? Tolerant([])
        articles = try values.decodeIfPresent(Tolerant.self, forKey: .articles) ?? Tolerant([])
        notifications = try values.decodeIfPresent(Tolerant.self, forKey: .notifications) ?? Tolerant([])
    }
}

extension HubIndex {
    /// The hub with this id.
    public func hub(_ id: String) -> HubPage? { hubs.elements.first { $0.id == id } }

    /// The channel with this id.
    public func channel(_ id: String) -> HubChannel? { channels.elements.first { $0.id == id } }

    /// The article with this id.
    public func article(_ id: String) -> HubArticle? { articles.elements.first { $0.id == id } }

    /// The channels of a hub in the publisher's order; names without a channel are left out.
    public func channels(of hub: HubPage) -> [HubChannel] { hub.channels.compactMap(channel) }

    /// The articles of a channel in the publisher's order; names without an article are left out.
    public func articles(of channel: HubChannel) -> [HubArticle] { channel.articles.compactMap(article) }
}
