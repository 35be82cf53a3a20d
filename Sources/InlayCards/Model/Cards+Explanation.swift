@_spi(Inlay) public import InlayWire

extension Cards {
    /// The reason why a card is, or is not, shown in a container.
    public enum Explanation: Hashable, Sendable {
        /// The card is in the list, at this index.
        case shown(at: Int)
        /// The device has no feed of this container.
        case noFeed
        /// The feed of this version does not list the card: the id is unknown, or the card is closed on the server.
        case notInFeed(version: Int64)
        /// The feed has no layout for the card that this version of the SDK can read.
        case unreadable(layoutID: String)
        /// The card does not match these filters.
        case filtered([CardFilter])
        /// The card is hidden until this time.
        case snoozed(until: Timestamp)
        /// The card expired at this time.
        case expired(at: Timestamp)
        /// The card may not be shown yet.
        case embargoed
        /// The user closed the card; `isConfirmed` is whether the server has the action.
        case done(CardStatus, isConfirmed: Bool)
        /// The server closed the card.
        case closed(CardStatus)
    }
}

extension Cards {
    /// Returns the reason why a card is, or is not, shown in a container to an observer with these filters.
    ///
    /// Reads only the data on the device. Call `refresh` first to get the server's newest feed.
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
