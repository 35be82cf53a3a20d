@_spi(Inlay) import InlayWire

/// All pending actions of a user.
struct PendingCardActions: Hashable, Sendable {
    private(set) var byAction: [String: PendingCardAction] = [:]

    init(_ pendingActions: [PendingCardAction] = []) { pendingActions.forEach { insert($0) } }

    mutating func insert(_ pending: PendingCardAction) { byAction[pending.actionID] = pending }

    mutating func remove(_ actionIDs: some Sequence<String>) {
        for id in actionIDs { byAction.removeValue(forKey: id) }
    }

    mutating func settle(_ actionID: String) { byAction[actionID]?.state = .settled }

    /// Returns the action that closed this card, if there is one.
    func closing(_ cardID: String) -> PendingCardAction? { actions(on: cardID).first(where: \.isClosing) }

    /// Returns an action that hides this card now, if there is one.
    func hiding(_ card: CardInstance, at now: Timestamp) -> PendingCardAction? {
        actions(on: card.id).first { $0.hides(card, at: now) }
    }

    /// The ids of the actions that the server has answered.
    ///
    /// Must be read before a request for a feed starts: only a feed that was requested after the server's answer shows
    /// whether an action is still needed.
    var answered: Set<String> { Set(byAction.values.filter { $0.state == .settled }.map(\.actionID)) }

    private func actions(on cardID: String) -> some Sequence<PendingCardAction> {
        byAction.values.lazy.filter { $0.cardID == cardID }
    }
}
