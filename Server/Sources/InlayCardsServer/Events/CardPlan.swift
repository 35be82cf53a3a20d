import InlayServerCore
@_spi(Inlay) import InlayWire

/// The content that all cards of an event have in common.
///
/// The plan is made once and stored with the event, so that all users of a large audience get the same cards,
/// whatever is published or renamed meanwhile and whichever node continues after a crash.
struct CardPlan: Codable, Hashable, Sendable {
    /// The cards that are made from one template.
    struct Part: Codable, Hashable, Sendable {
        let templateID: CardTemplateID
        let version: Int64
        let containerIDs: [CardContainerID]
        let embargoUntil: Timestamp?
        let expiresAt: Timestamp?
        /// The unchanging part of the cards' JSON, see ``CardPayload``.
        let payload: String
    }

    var target: UserTarget
    let lifecycleID: CardLifecycleID
    let parts: [Part]

    /// Whether the cards change by themselves at a time: an embargo ends, or they expire.
    var hasDueTime: Bool { parts.contains { $0.embargoUntil != nil || $0.expiresAt != nil } }

    /// Whether all its cards have expired.
    func hasExpired(at moment: Timestamp) -> Bool {
        parts.allSatisfy { $0.expiresAt.map { $0 <= moment } ?? false }
    }

    /// The number of cards for each user.
    var cardsPerUser: Int { parts.reduce(0) { $0 + $1.containerIDs.count } }
}

/// The part of a card's JSON that changes only when the whole card is replaced; `FeedJSON`
/// adds the rest when a feed is read.
struct CardPayload: Codable, Hashable, Sendable {
    let eventName: String
    let layoutID: String
    let lifecycleID: CardLifecycleID
    let priority: Int
    let templateID: CardTemplateID
    let templateName: String
    let variables: [String: CardVariableValue]
}
