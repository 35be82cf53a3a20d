@_spi(Inlay) public import InlayWire

extension Cards {
    /// The reason why a card is, or is not, shown in a container.
    public enum Explanation: Hashable, Sendable {
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
        /// The user closed it; `isConfirmed` says whether the server knows.
        case done(CardStatus, isConfirmed: Bool)
        /// The server closed it.
        case closed(CardStatus)
    }
}

extension Cards {
    /// The reason why a card is, or is not, shown in a container to an observer with these filters.
    ///
    /// Looks only at what the device has; `refresh` first when the server's word is wanted.
    public func explain(
        _ cardID: String, in containerID: String, filters: [CardFilter] = []
    ) async -> Cards.Explanation {
        // A feed that cannot be read from the store counts as no feed.
        try? await engine.feeds.load(containerID)
        let (container, pendingActions, now) = await engine.feeds.inspect(containerID)
        guard let container, let feed = container.feed else { return .noFeed }
        guard let instance = feed.cards.elements.first(where: { $0.id == cardID }) else {
            return .notInFeed(version: feed.version)
        }
        guard let card = container.card(cardID) else { return .unreadable(layoutID: instance.layoutID) }
        if let pending = pendingActions.hiding(instance, at: now) { return Self.explanation(of: pending) }
        if !CardContainer.isOpen(instance, at: now) { return Self.explanation(of: instance, at: now) }
        let failed = filters.filter { !$0.matches(card) }
        guard failed.isEmpty else { return .filtered(failed) }
        let shown = container.visible(at: now, pendingActions: pendingActions).filter(filters.match)
        return shown.firstIndex { $0.id == cardID }.map { .shown(at: $0) }
            ?? .notInFeed(version: feed.version)
    }

    private static func explanation(of pending: PendingCardAction) -> Cards.Explanation {
        if let until = pending.until { return .snoozed(until: until) }
        return .done(pending.status, isConfirmed: pending.state == .settled)
    }

    private static func explanation(of card: CardInstance, at now: Timestamp) -> Cards.Explanation {
        if let expires = card.expiresAt, expires <= now { return .expired(at: expires) }
        switch card.status {
        case .active, .snoozed: return .snoozed(until: card.snoozedUntil ?? now)
        case .embargoed: return .embargoed
        case .completed, .dismissed, .cancelled, .expired: return .closed(card.status)
        }
    }
}
