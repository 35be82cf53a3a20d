import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The id of a ``CardTemplate``; unique in its environment.
package struct CardTemplateID: RecordID {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }

    /// The id of the layout that a version of the template has.
    func layoutID(_ version: Int64) -> String { "\(rawValue)@\(version)" }
}

/// A card template of an environment: its settings, what its author last saved, and what is published.
package struct CardTemplate: Codable, Hashable, Sendable, Identifiable {
    package var id: CardTemplateID
    /// The author's last draft; published or not.
    package var draft: CardTemplateDraft
    /// Grows with every save; hand it back with the next save so that two authors never overwrite each other.
    package var revision: Int64
    /// The version that new cards are made from; 0 before the first publication.
    package var publishedVersion: Int64
    /// The revision that was published last; differs from `revision` while there are unpublished changes.
    package var publishedRevision: Int64
    /// Whether events make cards from it. Cards that exist already stay.
    package var isEnabled: Bool
    /// The time of its creation.
    package var createdAt: Timestamp
    /// The time at which it was saved, published or switched last.
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
    /// For the team; at most 128 characters.
    package var name: String
    /// An event of this name makes cards from the template; several templates may share one.
    package var eventName: String
    /// The containers its cards appear in; empty means the environment's default container.
    package var containerIDs: [CardContainerID]
    /// 1 (first) to 10 (last); 5 by default.
    package var priority: Int
    /// The content of the card.
    package var definition: CardTemplateDefinition

    /// A draft with its parts.
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
