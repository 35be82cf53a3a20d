@_spi(Inlay) import InlayWire

/// A user's action on a card, kept until the server's feeds include it.
///
/// Marks lie over the feed: the card is gone for the user at once, and stays gone when an older feed
/// arrives late or the app starts again.
struct PendingCardAction: Hashable, Sendable {
    /// The progress of the action.
    enum State: Hashable, Sendable {
        /// In the outbox.
        case pending
        /// The server has it.
        case settled
    }

    /// The action's id, the same as in the outbox.
    var actionID: String
    var cardID: String
    var containerID: String
    /// The new state of the card: `dismissed`, `completed` or `snoozed`.
    var status: CardStatus
    /// For a snooze, until when.
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

    /// Whether the card closed for good, as far as the user is concerned.
    var isClosing: Bool { !status.isOpen }

    /// Whether the mark hides this card at this moment of the server's clock.
    func hides(_ card: CardInstance, at now: Timestamp) -> Bool {
        guard cardID == card.id else { return false }
        guard let until else { return true }
        // The server woke the card after this snooze, for example because it was sent anew.
        if state == .settled, card.activeAt > taken { return false }
        return now < until
    }
}
