/// The content of one version of a source: the target `index.json`.
///
/// All order is the publisher's: ``hubs`` is the order of the hubs, and each hub and channel lists its
/// parts in order. What this version cannot read is skipped item by item.
@_spi(Inlay) public struct HubIndex: Codable, Hashable, Sendable {
    /// The target that holds the index of a version.
    public static let target = "index.json"

    /// The shape of this file; a reader takes 1 and everything that only adds to it.
    public var format: Int
    /// The content source.
    public var source: String
    /// Grows with every publish of the source.
    public var version: Int64
    /// The time at which this version was published.
    public var publishedAt: Timestamp
    /// The hubs, first the one that a user without tags sees.
    public var hubs: LossyArray<HubPage>
    /// Every channel that a hub of ``hubs`` names.
    public var channels: LossyArray<HubChannel>
    /// Every article that a channel of ``channels`` names; in a large source these are in ``parts``.
    public var articles: LossyArray<HubArticle>
    /// Targets with a ``HubIndexPart`` each, so that one changed article does not move the whole list.
    public var parts: [String]
    /// Targets that belong to no single item, for example the pages' style sheet.
    public var files: [String]
    /// The notifications that the device schedules.
    public var notifications: LossyArray<HubNotification>

    /// An index with its parts, in order.
    public init(
        source: String, version: Int64, publishedAt: Timestamp, hubs: [HubPage] = [],
        channels: [HubChannel] = [], articles: [HubArticle] = [], notifications: [HubNotification] = [],
        parts: [String] = [], files: [String] = []
    ) {
        format = 1
        self.source = source
        self.version = version
        self.publishedAt = publishedAt
        self.hubs = LossyArray(hubs)
        self.channels = LossyArray(channels)
        self.articles = LossyArray(articles)
        self.notifications = LossyArray(notifications)
        self.parts = parts
        self.files = files
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        format = try values.decodeIfPresent(Int.self, forKey: .format) ?? 1
        source = try values.decodeIfPresent(String.self, forKey: .source) ?? ""
        version = try values.decode(Int64.self, forKey: .version)
        publishedAt =
            try values.decodeIfPresent(Timestamp.self, forKey: .publishedAt) ?? Timestamp(microseconds: 0)
        hubs = try values.decode(LossyArray<HubPage>.self, forKey: .hubs)
        channels = try values.decodeIfPresent(LossyArray.self, forKey: .channels) ?? LossyArray([])
        articles = try values.decodeIfPresent(LossyArray.self, forKey: .articles) ?? LossyArray([])
        notifications = try values.decodeIfPresent(LossyArray.self, forKey: .notifications) ?? LossyArray([])
        parts = try values.decodeIfPresent([String].self, forKey: .parts) ?? []
        files = try values.decodeIfPresent(LossyArray<String>.self, forKey: .files)?.elements ?? []
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

extension HubIndex {
    /// The whole index: this one with the articles of its parts, read from the targets in ``parts``.
    public func joined(_ parts: [HubIndexPart]) -> HubIndex {
        var whole = self
        whole.parts = []
        for part in parts {
            whole.articles.elements += part.articles.elements
            whole.articles.skipped += part.articles.skipped
        }
        return whole
    }

    /// Every target that a version needs besides ``target`` and ``HubPolicy/target``: what to download.
    ///
    /// Complete once the parts are joined. Which targets there are is asked here and not in the signed
    /// metadata, whose list may be spread over delegated roles.
    public var targets: Set<String> {
        var targets = Set(parts + files)
        for hub in hubs.elements { targets.formUnion([hub.page, hub.image].compactMap(\.self)) }
        for channel in channels.elements {
            targets.formUnion([channel.page, channel.image].compactMap(\.self))
        }
        for article in articles.elements {
            targets.formUnion([article.page] + article.files)
            if let image = article.image { targets.insert(image) }
        }
        return targets
    }
}

/// A part of a large index: the articles that one target of ``HubIndex/parts`` lists.
@_spi(Inlay) public struct HubIndexPart: Codable, Hashable, Sendable {
    /// The articles of this part.
    public var articles: LossyArray<HubArticle>

    /// A part with its articles.
    public init(articles: [HubArticle]) { self.articles = LossyArray(articles) }
}
