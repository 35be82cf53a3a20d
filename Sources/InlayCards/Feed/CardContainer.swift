@_spi(Inlay) import InlayWire

/// One container in memory: its newest feed and how the last request for it ended.
struct CardContainer: Sendable {
    let id: String
    private(set) var feed: CardFeed?
    private(set) var isCurrent = false
    var failure: CardConnectionError?

    init(id: String, stored feed: CardFeed? = nil) {
        self.id = id
        self.feed = feed
    }

    /// Takes a feed in unless the one here is as new; says whether the feed changed.
    mutating func take(_ newer: CardFeed) -> Bool {
        (isCurrent, failure) = (true, nil)
        guard newer.version > feed?.version ?? .min else { return false }
        feed = newer
        return true
    }

    /// The server said that the feed here is the newest.
    mutating func confirm() { (isCurrent, failure) = (true, nil) }

    /// The cards that can be shown at this moment, in order.
    func visible(at now: Timestamp, pendingActions: PendingCardActions) -> [Card] {
        var ids = Set<String>()
        return (feed?.cards.elements ?? [])
            // A feed that lists a card twice shows it once.
            .filter {
                ids.insert($0.id).inserted && Self.isOpen($0, at: now)
                    && pendingActions.hiding($0, at: now) == nil
            }
            .compactMap(resolved)
            .sorted(by: Card.precedes)
    }

    /// The state of a container at this moment, before filters.
    func state(at now: Timestamp, pendingActions: PendingCardActions, seen: Set<String>) -> CardFeedState {
        let cards = visible(at: now, pendingActions: pendingActions)
        let instances = feed?.cards.elements ?? []
        let homeless = instances.filter { feed?.layouts[$0.layoutID] == nil }.count
        return CardFeedState(
            containerID: id, cards: cards, total: cards.count,
            unseen: cards.filter { !$0.instance.isSeen && !seen.contains($0.id) }.count,
            version: feed?.version,
            // A feed that says otherwise is wrong when it holds a card.
            hadCards: (feed?.hadCards ?? false) || !instances.isEmpty, isCurrent: isCurrent, failure: failure,
            unreadable: (feed?.cards.skipped.count ?? 0) + homeless)
    }

    /// The next moment at which a card comes or goes by the clock alone.
    func nextChange(after now: Timestamp, pendingActions: PendingCardActions) -> Timestamp? {
        let cards = feed?.cards.elements ?? []
        let ids = Set(cards.map(\.id))
        let ends = cards.flatMap { [$0.expiresAt, $0.snoozedUntil] }
        let returns = pendingActions.byAction.values.filter { ids.contains($0.cardID) }.map(\.until)
        return (ends + returns).compactMap { $0 }.filter { $0 > now }.min()
    }

    func card(_ id: String) -> Card? {
        feed?.cards.elements.first { $0.id == id }.flatMap(resolved)
    }

    /// Whether the server's own times and status let the card be seen at this moment.
    static func isOpen(_ card: CardInstance, at now: Timestamp) -> Bool {
        if let expires = card.expiresAt, expires <= now { return false }
        switch card.status {
        case .active: return (card.snoozedUntil ?? .init(microseconds: .min)) <= now
        // A feed from before the end of the snooze; the moment decides, not the word.
        case .snoozed: return card.snoozedUntil.map { $0 <= now } ?? false
        case .embargoed, .completed, .dismissed, .cancelled, .expired: return false
        }
    }

    private func resolved(_ instance: CardInstance) -> Card? {
        guard let layout = feed?.layouts[instance.layoutID] else { return nil }
        return Card(containerID: id, instance: instance, layout: layout)
    }
}
