@_spi(Inlay) import InlayWire

/// The state of a container in memory: its newest feed and the failure of the last request, if it failed.
struct CardContainer: Sendable {
    let id: String
    private(set) var feed: CardFeed?
    private(set) var isCurrent = false
    var failure: CardConnectionError?

    init(id: String, stored feed: CardFeed? = nil) {
        self.id = id
        self.feed = feed
    }

    /// Replaces the feed with a newer one, and returns whether it was newer.
    mutating func take(_ newer: CardFeed) -> Bool {
        (isCurrent, failure) = (true, nil)
        guard newer.version > feed?.version ?? .min else { return false }
        feed = newer
        return true
    }

    /// Notes that the server confirmed this feed as the newest.
    mutating func confirm() { (isCurrent, failure) = (true, nil) }

    /// Returns the cards that can be shown at this time, in order.
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

    /// Returns the state of the container at this time, before filters.
    func state(at now: Timestamp, pendingActions: PendingCardActions, seen: Set<String>) -> CardFeedState {
        let cards = visible(at: now, pendingActions: pendingActions)
        let instances = feed?.cards.elements ?? []
        let withoutLayout = instances.filter { feed?.layouts[$0.layoutID] == nil }.count
        return CardFeedState(
            containerID: id, cards: cards, total: cards.count,
            unseen: cards.filter { !$0.instance.isSeen && !seen.contains($0.id) }.count,
            version: feed?.version,
            // A feed with a card counts as had, even when its flag is false.
            hadCards: (feed?.hadCards ?? false) || !instances.isEmpty, isCurrent: isCurrent, failure: failure,
            unreadable: (feed?.cards.skipped.count ?? 0) + withoutLayout)
    }

    /// Returns the next time at which a card appears or disappears without an action or a new feed.
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

    /// Whether the card can be shown at this time by its status and times in the feed.
    static func isOpen(_ card: CardInstance, at now: Timestamp) -> Bool {
        if let expires = card.expiresAt, expires <= now { return false }
        switch card.status {
        case .active: return (card.snoozedUntil ?? .init(microseconds: .min)) <= now
        // The feed may be older than the end of the snooze, so the time decides and not the status.
        case .snoozed: return card.snoozedUntil.map { $0 <= now } ?? false
        case .embargoed, .completed, .dismissed, .cancelled, .expired: return false
        }
    }

    private func resolved(_ instance: CardInstance) -> Card? {
        guard let layout = feed?.layouts[instance.layoutID] else { return nil }
        return Card(containerID: id, instance: instance, layout: layout)
    }
}
