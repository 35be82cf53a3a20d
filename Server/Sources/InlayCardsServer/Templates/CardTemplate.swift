import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The id of a ``CardTemplate``; unique in its environment.
package struct CardTemplateID: RecordID {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }

    /// Returns the id of the layout of a version of the template.
    func layoutID(_ version: Int64) -> String { "\(rawValue)@\(version)" }
}

/// A card template of an environment: its settings, the last saved draft, and the published version.
package struct CardTemplate: Codable, Hashable, Sendable, Identifiable {
    package var id: CardTemplateID
    /// The author's last draft; published or not.
    package var draft: CardTemplateDraft
    /// Grows with every save; pass it to the next save, so that two authors never overwrite each other.
    package var revision: Int64
    /// The version that new cards are made from; 0 before the first publication.
    package var publishedVersion: Int64
    /// The revision that was published last; differs from `revision` while there are unpublished changes.
    package var publishedRevision: Int64
    /// Whether events make cards from it. Cards that exist already stay.
    package var isEnabled: Bool
    /// The time at which the template was created.
    package var createdAt: Timestamp
    /// The time at which the template was last saved, published, enabled or disabled.
    package var updatedAt: Timestamp

    /// Whether it was ever published.
    package var isPublished: Bool { publishedVersion > 0 }
    /// Whether the draft differs from what is published.
    package var hasUnpublishedChanges: Bool { revision != publishedRevision }
    /// The id of the published layout; `nil` before the first publication.
    package var layoutID: String? { isPublished ? id.layoutID(publishedVersion) : nil }
}

/// The fields of a template that its author fills in.
package struct CardTemplateDraft: Codable, Hashable, Sendable {
    /// The name in the Workbench, for the team; at most 128 characters.
    package var name: String
    /// The name of the events that make cards from the template; several templates may have the same.
    package var eventName: String
    /// The containers its cards appear in; empty means the environment's default container.
    package var containerIDs: [CardContainerID]
    /// The order in a feed: 1 (first) to 10 (last); 5 by default.
    package var priority: Int
    /// The content of the card.
    package var definition: CardTemplateDefinition

    /// Creates a draft.
    package init(
        name: String, eventName: String, containerIDs: [CardContainerID] = [], priority: Int = 5,
        definition: CardTemplateDefinition
    ) {
        self.name = name
        self.eventName = eventName
        self.containerIDs = containerIDs
        self.priority = priority
        self.definition = definition
    }
}
