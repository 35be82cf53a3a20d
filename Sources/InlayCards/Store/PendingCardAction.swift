@_spi(Inlay) import InlayWire

/// A user's action on a card, stored until the server's feeds include its effect.
///
/// Pending actions hide cards of the feed: the card disappears at once, and stays hidden when an older feed arrives
/// late or the app restarts.
struct PendingCardAction: Hashable, Sendable {
    /// The progress of the action.
    enum State: Hashable, Sendable {
        /// The action is in the outbox.
        case pending
        /// The server has the action.
        case settled
    }

    /// The action's id, the same as in the outbox.
    var actionID: String
    var cardID: String
    var containerID: String
    /// The new state of the card: `dismissed`, `completed` or `snoozed`.
    var status: CardStatus
    /// The end of a snooze; `nil` for other actions.
    var until: Timestamp?
    /// The time of the user's action, by the server's clock.
    var taken: Timestamp
    var state: State

    init(_ action: CardAction) {
        actionID = action.id
        cardID = action.cardID
        containerID = action.containerID
        taken = action.time
        state = .pending
        switch action.kind {
        case .dismiss: status = .dismissed
        case .submit: status = .completed
        case .snooze(let until): (status, self.until) = (.snoozed, until)
        }
    }

    init(
        actionID: String, cardID: String, containerID: String, status: CardStatus, until: Timestamp?,
        taken: Timestamp, state: State
    ) {
        self.actionID = actionID
        self.cardID = cardID
        self.containerID = containerID
        self.status = status
        self.until = until
        self.taken = taken
        self.state = state
    }

    /// Whether the action closes the card for good.
    var isClosing: Bool { !status.isOpen }

    /// Whether the action hides this card at this time of the server's clock.
    func hides(_ card: CardInstance, at now: Timestamp) -> Bool {
        guard cardID == card.id else { return false }
        guard let until else { return true }
        // The server made the card visible after this snooze, for example because the card was sent again.
        if state == .settled, card.activeAt > taken { return false }
        return now < until
    }
}
