/// One hub of a content source: the page with which a reader begins.
@_spi(Inlay) public struct HubPage: Codable, Hashable, Sendable, Identifiable {
    /// The id of the hub within its source: lower-case letters, digits and dashes.
    public var id: String
    /// The title.
    public var title: String
    /// A sentence or two of plain text.
    public var summary: String?
    /// The tags, which are compared exactly with the user's tags to choose the hub that is shown.
    public var tags: [String]
    /// The target path of the hub's own HTML page; `nil` for most hubs, which are only lists.
    public var page: String?
    /// The target path of the cover image, for example `assets/quay.svg`.
    public var image: String?
    /// The alternative text of the cover.
    public var imageText: String?
    /// The ids of the hub's channels, in the publisher's order.
    public var channels: [String]

    /// Creates a hub.
    public init(
        id: String, title: String, summary: String? = nil, tags: [String] = [], page: String? = nil,
        image: String? = nil, imageText: String? = nil, channels: [String] = []
    ) {
        self.id = id
        self.title = title
        self.summary = summary
        self.tags = tags
        self.page = page
        self.image = image
        self.imageText = imageText
        self.channels = channels
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
        channels = try values.decodeIfPresent(LossyArray<String>.self, forKey: .channels)?.elements ?? []
    }
}
