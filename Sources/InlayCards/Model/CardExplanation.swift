public import InlayWire

/// Why a card is, or is not, shown in a container.
public enum CardExplanation: Hashable, Sendable {
    /// It is in the list, at this place from 0.
    case shown(at: Int)
    /// No feed of this container came yet.
    case noFeed
    /// The feed of this version does not list the card: the id is unknown, or it is over at the server.
    case notInFeed(version: Int64)
    /// The feed lists it without a layout that this version can read.
    case unreadable(layoutID: String)
    /// It does not match these filters.
    case filtered([CardFilter])
    /// Hidden until this moment.
    case snoozed(until: Timestamp)
    /// Its time is over since this moment.
    case expired(at: Timestamp)
    /// Not to be shown yet.
    case embargoed
    /// The user closed it; `isConfirmed` tells whether the server knows.
    case done(CardStatus, isConfirmed: Bool)
    /// The server closed it.
    case closed(CardStatus)
}

extension Cards {
    /// Why a card is, or is not, shown in a container to an observer with these filters.
    ///
    /// Looks only at what the device has; `refresh` first when the server's word is wanted.
    public func explain(
        _ cardID: String, in containerID: String, filters: [CardFilter] = []
    ) async -> CardExplanation {
        // What cannot be read from the store is as if no feed had come.
        try? await engine.board.load(containerID)
        let (container, marks, now) = await engine.board.inspect(containerID)
        guard let container, let feed = container.feed else { return .noFeed }
        guard let instance = feed.cards.elements.first(where: { $0.id == cardID }) else {
            return .notInFeed(version: feed.version)
        }
        guard let card = container.card(cardID) else { return .unreadable(layoutID: instance.layoutID) }
        if let mark = marks.hiding(instance, at: now) { return Self.explanation(of: mark) }
        if !CardContainer.isOpen(instance, at: now) { return Self.explanation(of: instance, at: now) }
        let failed = filters.filter { !$0.matches(card) }
        guard failed.isEmpty else { return .filtered(failed) }
        let shown = container.visible(at: now, marks: marks).filter(filters.match)
        return shown.firstIndex { $0.id == cardID }.map { .shown(at: $0) }
            ?? .notInFeed(version: feed.version)
    }

    private static func explanation(of mark: CardMark) -> CardExplanation {
        if let until = mark.until { return .snoozed(until: until) }
        return .done(mark.status, isConfirmed: mark.state == .settled)
    }

    private static func explanation(of card: CardInstance, at now: Timestamp) -> CardExplanation {
        if let expires = card.expiresAt, expires <= now { return .expired(at: expires) }
        switch card.status {
        case .active, .snoozed: return .snoozed(until: card.snoozedUntil ?? now)
        case .embargoed: return .embargoed
        case .completed, .dismissed, .cancelled, .expired: return .closed(card.status)
        }
    }
}
