/// The metadata of an article: the texts that lists show, and the targets of its files.
@_spi(Inlay) public struct HubArticle: Codable, Hashable, Sendable, Identifiable {
    /// The article's id within its content source: lower-case letters, digits and dashes.
    public var id: String
    /// The title; plain text.
    public var title: String
    /// A sentence or two of plain text.
    public var summary: String?
    /// The tags, which are compared exactly with the tags that the user has earned by reading, to order articles.
    public var tags: [String]
    /// The date on the article. A version never contains an article whose date was in the future when it was made.
    public var publishedAt: Timestamp
    /// The target path of the article's page, `articles/<id>/index.html`: a whole HTML document, whose links are
    /// relative to this path.
    public var page: String
    /// The target path of the cover image.
    public var image: String?
    /// The alternative text of the cover.
    public var imageText: String?
    /// Whether the page may run scripts of this version: only when both the content source and the article allow it.
    public var allowsScripts: Bool
    /// The target paths of all other files that the page uses, so that an article can be fetched or checked as a whole.
    public var files: [String]
    /// Grows when the article's text changes; distinguishes a changed article from one that only changed its position.
    public var revision: Int64

    /// Creates an article.
    public init(
        id: String, title: String, summary: String? = nil, tags: [String] = [], publishedAt: Timestamp,
        page: String, image: String? = nil, imageText: String? = nil, allowsScripts: Bool = false,
        files: [String] = [], revision: Int64 = 1
    ) {
        self.id = id
        self.title = title
        self.summary = summary
        self.tags = tags
        self.publishedAt = publishedAt
        self.page = page
        self.image = image
        self.imageText = imageText
        self.allowsScripts = allowsScripts
        self.files = files
        self.revision = revision
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        title = try values.decode(String.self, forKey: .title)
        summary = try values.decodeIfPresent(String.self, forKey: .summary)
        tags = try values.decodeIfPresent(LossyArray<String>.self, forKey: .tags)?.elements ?? []
        publishedAt =
            try values.decodeIfPresent(Timestamp.self, forKey: .publishedAt) ?? Timestamp(microseconds: 0)
        page = try values.decode(String.self, forKey: .page)
        image = try values.decodeIfPresent(String.self, forKey: .image)
        imageText = try values.decodeIfPresent(String.self, forKey: .imageText)
        allowsScripts = try values.decodeIfPresent(Bool.self, forKey: .allowsScripts) ?? false
        files = try values.decodeIfPresent(LossyArray<String>.self, forKey: .files)?.elements ?? []
        revision = try values.decodeIfPresent(Int64.self, forKey: .revision) ?? 1
    }
}
