import InlayServerCore
@_spi(Inlay) package import InlayWire

/// One card of a user and why it is or is not shown.
package struct CardInspection: Hashable, Sendable, Identifiable {
    /// The reason why a card is or is not shown.
    package enum Reason: Hashable, Sendable {
        case shown
        /// Its embargo ends at this moment.
        case embargoed(until: Timestamp)
        /// The user snoozed it until this moment.
        case snoozed(until: Timestamp)
        /// It stopped being shown at this moment.
        case expired(at: Timestamp)
        /// The user submitted it, with this action.
        case completed(actionID: String?, at: Timestamp)
        /// The user dismissed it, with this action.
        case dismissed(actionID: String?, at: Timestamp)
        /// The sender cancelled it.
        case cancelled(at: Timestamp)
        /// Its container is archived.
        case containerArchived
    }

    /// The card's id.
    package let id: CardID
    /// The container it is in.
    package let containerID: CardContainerID
    /// The template it was made from, and the template's version.
    package let templateID: CardTemplateID
    package let layoutVersion: Int64
    /// The template's name when the card was made.
    package let templateName: String
    /// The event that made or last replaced it.
    package let eventID: CardEventID
    package let lifecycleID: CardLifecycleID
    package let priority: Int
    package let isSeen: Bool
    package let createdAt: Timestamp
    package let updatedAt: Timestamp
    package let expiresAt: Timestamp?
    /// Values sent with the event.
    package let variables: [String: CardVariableValue]
    /// The reason why it is or is not shown.
    package let reason: Reason

    /// Whether it is in the feed now.
    package var isShown: Bool { reason == .shown }
}

/// A template of which a user has no card in a container, and why.
package struct MissingTemplate: Hashable, Sendable, Identifiable {
    /// The reason why there is no card.
    package enum Reason: String, Hashable, Sendable {
        /// It was never published.
        case notPublished
        /// It is disabled: events make no cards from it.
        case switchedOff
        /// Its cards appear in other containers.
        case notInContainer
        /// No event with its name has reached this user, or the user's card from it is closed.
        case notSent
    }

    /// The template's id.
    package let id: CardTemplateID
    package let name: String
    package let eventName: String
    /// The reason why there is no card.
    package let reason: Reason
}
