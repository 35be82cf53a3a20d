@_spi(Inlay) import InlayWire

/// All marks of a user, with the rules for when one has done its work.
struct PendingCardActions: Hashable, Sendable {
    private(set) var byAction: [String: PendingCardAction] = [:]

    init(_ pendingActions: [PendingCardAction] = []) { pendingActions.forEach { insert($0) } }

    mutating func insert(_ pending: PendingCardAction) { byAction[pending.actionID] = pending }

    mutating func remove(_ actionIDs: some Sequence<String>) {
        for id in actionIDs { byAction.removeValue(forKey: id) }
    }

    mutating func settle(_ actionID: String) { byAction[actionID]?.state = .settled }

    /// The mark that closed this card, if there is one.
    func closing(_ cardID: String) -> PendingCardAction? { of(cardID).first(where: \.isClosing) }

    /// A mark that hides this card now.
    func hiding(_ card: CardInstance, at now: Timestamp) -> PendingCardAction? {
        of(card.id).first { $0.hides(card, at: now) }
    }

    /// The marks whose actions the server has answered.
    ///
    /// Read when a request for a feed starts: only a feed that was requested after the answer shows whether
    /// a mark is still needed.
    var answered: Set<String> { Set(byAction.values.filter { $0.state == .settled }.map(\.actionID)) }

    private func of(_ cardID: String) -> some Sequence<PendingCardAction> {
        byAction.values.lazy.filter { $0.cardID == cardID }
    }
}
