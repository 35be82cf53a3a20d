/// The content of one version of a source: the target `index.json`.
///
/// The publisher sets every order: ``hubs`` is the order of the hubs, and each hub and channel lists its parts in
/// order. An item that this version cannot read is skipped.
@_spi(Inlay) public struct HubIndex: Codable, Hashable, Sendable {
    /// The target path of the index of a version.
    public static let target = "index.json"

    /// The format of this file; a reader accepts 1, also with additions.
    public var format: Int
    /// The id of the content source.
    public var source: String
    /// The version, which grows with every publish of the source.
    public var version: Int64
    /// The time at which this version was published.
    public var publishedAt: Timestamp
    /// The hubs; a user without tags sees the first.
    public var hubs: LossyArray<HubPage>
    /// Every channel that a hub of ``hubs`` names.
    public var channels: LossyArray<HubChannel>
    /// Every article that a channel of ``channels`` names; a large source has them in ``parts``.
    public var articles: LossyArray<HubArticle>
    /// The targets with a ``HubIndexPart`` each, so that a changed article does not change the whole list.
    public var parts: [String]
    /// The targets that belong to no single item, for example the pages' style sheet.
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
    /// Returns the hub with this id.
    public func hub(_ id: String) -> HubPage? { hubs.elements.first { $0.id == id } }

    /// Returns the channel with this id.
    public func channel(_ id: String) -> HubChannel? { channels.elements.first { $0.id == id } }

    /// Returns the article with this id.
    public func article(_ id: String) -> HubArticle? { articles.elements.first { $0.id == id } }

    /// Returns the channels of a hub in the publisher's order; unknown ids are left out.
    public func channels(of hub: HubPage) -> [HubChannel] { hub.channels.compactMap(channel) }

    /// Returns the articles of a channel in the publisher's order; unknown ids are left out.
    public func articles(of channel: HubChannel) -> [HubArticle] { channel.articles.compactMap(article) }
}

extension HubIndex {
    /// Returns the whole index: this one with the articles of its parts, read from the targets in ``parts``.
    public func joined(_ parts: [HubIndexPart]) -> HubIndex {
        var whole = self
        whole.parts = []
        for part in parts {
            whole.articles.elements += part.articles.elements
            whole.articles.skipped += part.articles.skipped
        }
        return whole
    }

    /// The paths of all targets that a device downloads for a version, except ``target`` and ``HubPolicy/target``.
    ///
    /// Complete only after the parts are joined. The index lists the targets, because the list in the signed metadata
    /// may be spread over delegated roles.
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
