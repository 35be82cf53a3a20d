@_spi(Inlay) package import InlayWire

/// The fields of a hub, a channel or an article that its author edits.
package struct HubDraft: Codable, Hashable, Sendable {
    /// The format of ``body``.
    package enum Format: String, Codable, Hashable, Sendable, CaseIterable {
        /// CommonMark with tables, strikethrough, footnotes and bare addresses; HTML in it is sanitised.
        case markdown
        /// HTML, sanitised unless scripts are allowed.
        case html
    }

    /// The title; plain text.
    package var title: String
    /// A sentence or two; plain text.
    package var summary: String?
    /// The tags, by which apps choose the hub and order the articles for a user.
    package var tags: [String]
    /// The cover: an asset's path, `assets/quay.svg`.
    package var image: String?
    /// The description of the cover's picture.
    package var imageText: String?
    /// The text; a hub or channel may have none.
    package var body: String
    package var format: Format
    /// The ids of the channels that a hub shows, in order, or that contain an article. Empty for a channel.
    package var channels: [String]
    /// The position among hubs, or within channels, lowest first. Items without a position come last.
    package var order: Int?
    /// The date of an article. Versions before this time do not contain it. `nil` stands for the time at which it was
    /// created.
    package var publishAt: Timestamp?
    /// Whether an article's page may run scripts, if the source allows scripts too.
    package var allowsScripts: Bool

    package init(
        title: String, summary: String? = nil, tags: [String] = [], image: String? = nil,
        imageText: String? = nil, body: String = "", format: Format = .markdown, channels: [String] = [],
        order: Int? = nil, publishAt: Timestamp? = nil, allowsScripts: Bool = false
    ) {
        self.title = title
        self.summary = summary
        self.tags = tags
        self.image = image
        self.imageText = imageText
        self.body = body
        self.format = format
        self.channels = channels
        self.order = order
        self.publishAt = publishAt
        self.allowsScripts = allowsScripts
    }
}

/// The kind of an item: hub, channel or article.
package typealias HubKind = HubReference.Kind

/// A hub, channel or article: its draft, and the draft that was released for publishing.
package struct HubItem: Hashable, Sendable, Identifiable {
    package let kind: HubKind
    /// The id, unique within the source and the kind. It never changes.
    package let id: String
    /// The draft that the author is editing.
    package let draft: HubDraft
    /// The revision of the draft; every save increments it.
    package let revision: Int64
    /// The draft that the next version contains; `nil` when it does not contain the item.
    package let released: HubDraft?
    /// The revision that was released; 0 before the first release.
    package let releasedRevision: Int64
    package let createdAt: Timestamp
    package let updatedAt: Timestamp

    /// Whether the draft differs from the released one.
    package var hasUnreleasedChanges: Bool { released != draft }
    /// The reference by which links name the item.
    package var reference: HubReference { HubReference(kind, id) }
}
