/// One article: what lists show of it, and which files it is made of.
@_spi(Inlay) public struct HubArticle: Codable, Hashable, Sendable, Identifiable {
    /// Its name in its source: lower-case letters, digits and dashes.
    public var id: String
    /// The title; plain text.
    public var title: String
    /// A sentence or two of plain text.
    public var summary: String?
    /// Compared with the user's tags, exactly as written, to order articles; earned by reading.
    public var tags: [String]
    /// The date on the article. A version never holds an article whose date had not come.
    public var publishedAt: Timestamp
    /// The target of its page, `articles/<id>/index.html`: a whole HTML document whose addresses are
    /// relative to it.
    public var page: String
    /// The cover's target.
    public var image: String?
    /// The alternative text of the cover.
    public var imageText: String?
    /// Whether its page may run scripts of this version. Off unless source and article both say so.
    public var allowsScripts: Bool
    /// Every further target its page uses, so that one article can be fetched or checked as a whole.
    public var files: [String]
    /// Grows when the article's text changes; tells a changed article from one that only moved.
    public var revision: Int64

    /// An article with its page.
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
        tags = try values.decodeIfPresent(Tolerant<String>.self, forKey: .tags)?.elements ?? []
        publishedAt =
            try values.decodeIfPresent(Timestamp.self, forKey: .publishedAt) ?? Timestamp(microseconds: 0)
        page = try values.decode(String.self, forKey: .page)
        image = try values.decodeIfPresent(String.self, forKey: .image)
        imageText = try values.decodeIfPresent(String.self, forKey: .imageText)
        allowsScripts = try values.decodeIfPresent(Bool.self, forKey: .allowsScripts) ?? false
        files = try values.decodeIfPresent(Tolerant<String>.self, forKey: .files)?.elements ?? []
        revision = try values.decodeIfPresent(Int64.self, forKey: .revision) ?? 1
    }
}
