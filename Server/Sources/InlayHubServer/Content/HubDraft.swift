@_spi(Inlay) package import InlayWire

/// The fields of a hub, a channel or an article that its author writes.
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
    /// For the choice of the hub and the order of articles.
    package var tags: [String]
    /// The cover: an asset's path, `assets/quay.svg`.
    package var image: String?
    /// The description of the cover's picture.
    package var imageText: String?
    /// The text; a hub or channel may have none.
    package var body: String
    package var format: Format
    /// Of a hub: its channels, in order. Of an article: the channels it stands in. Of a channel: nothing.
    package var channels: [String]
    /// The place among hubs, or within channels; without one after those that have one.
    package var order: Int?
    /// The date on an article; it is left out of versions before that moment. `nil` is when it was made.
    package var publishAt: Timestamp?
    /// Whether an article's page may run scripts; counts only where the source allows it.
    package var allowsScripts: Bool

    /// A draft.
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

/// The kinds of content that people write.
package typealias HubKind = HubReference.Kind

/// A hub, channel or article with what is being written and what is published next.
package struct HubItem: Hashable, Sendable, Identifiable {
    package let kind: HubKind
    /// Its name in its source; never changes.
    package let id: String
    /// The draft that its author is writing.
    package let draft: HubDraft
    /// Grows with every save.
    package let revision: Int64
    /// The draft that versions are made of; `nil` keeps it out of them.
    package let released: HubDraft?
    /// The revision that was released; 0 before.
    package let releasedRevision: Int64
    package let createdAt: Timestamp
    package let updatedAt: Timestamp

    /// Whether the draft has words that are not released.
    package var hasUnreleasedChanges: Bool { released != draft }
    /// The same as a reference.
    package var reference: HubReference { HubReference(kind, id) }
}
