/// A channel: articles on one subject, shown by one or more hubs.
@_spi(Inlay) public struct HubChannel: Codable, Hashable, Sendable, Identifiable {
    /// The id of the channel within its source: lower-case letters, digits and dashes.
    public var id: String
    /// The title.
    public var title: String
    /// A sentence or two of plain text.
    public var summary: String?
    /// The tags of the channel.
    public var tags: [String]
    /// The target path of the channel's own HTML page; `nil` for most channels, which are only lists.
    public var page: String?
    /// The target path of the cover image.
    public var image: String?
    /// The alternative text of the cover.
    public var imageText: String?
    /// The ids of the channel's articles in the publisher's order: those with a position first, then the newest first.
    public var articles: [String]

    /// Creates a channel.
    public init(
        id: String, title: String, summary: String? = nil, tags: [String] = [], page: String? = nil,
        image: String? = nil, imageText: String? = nil, articles: [String] = []
    ) {
        self.id = id
        self.title = title
        self.summary = summary
        self.tags = tags
        self.page = page
        self.image = image
        self.imageText = imageText
        self.articles = articles
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        title = try values.decode(String.self, forKey: .title)
        summary = try values.decodeIfPresent(String.self, forKey: .summary)
        tags = try values.decodeIfPresent(LossyArray<String>.self, forKey: .tags)?.elements ?? []
        page = try values.decodeIfPresent(String.self, forKey: .page)
        image = try values.decodeIfPresent(String.self, forKey: .image)
        imageText = try values.decodeIfPresent(String.self, forKey: .imageText)
        articles = try values.decodeIfPresent(LossyArray<String>.self, forKey: .articles)?.elements ?? []
    }
}
