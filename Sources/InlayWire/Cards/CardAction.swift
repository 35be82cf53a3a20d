/// An action of a user on a card.
///
/// The server applies an action once, whatever the number of copies, and answers every copy like the first.
@_spi(Inlay) public struct CardAction: Codable, Hashable, Sendable, Identifiable {
    /// UUIDv7 made on the device; the server's idempotency key.
    public var id: String
    /// The id of the container that the card was in.
    public var containerID: String
    /// The id of the card.
    public var cardID: String
    /// The id of the card's layout when the user acted, to read a submission that arrives after a change.
    public var layoutID: String?
    /// The time of the user's action, by the device's clock corrected with the server's offset.
    public var time: Timestamp
    /// The kind of action.
    public var kind: Kind

    /// The kind of action, with its values.
    public enum Kind: Codable, Hashable, Sendable {
        case dismiss
        /// Hides the card until this time of the server's clock.
        case snooze(until: Timestamp)
        /// Completes the card, with the button's name and the submitted values.
        case submit(buttonName: String?, values: [String: CardInputValue])
    }

    /// Creates an action.
    public init(
        id: String, containerID: String, cardID: String, layoutID: String? = nil, time: Timestamp, kind: Kind
    ) {
        self.id = id
        self.containerID = containerID
        self.cardID = cardID
        self.layoutID = layoutID
        self.time = time
        self.kind = kind
    }
}

/// The numbers of a user's cards; snoozed and embargoed cards do not count.
public struct CardCounts: Codable, Hashable, Sendable {
    /// The counts of one container.
    public struct Container: Codable, Hashable, Sendable {
        /// The number of cards that are visible now.
        public var total: Int
        /// The number of visible cards that were never on screen.
        public var unseen: Int

        /// Counts of a container.
        public init(total: Int, unseen: Int) {
            self.total = total
            self.unseen = unseen
        }
    }

    /// The counts by container id; a container without cards may be absent.
    public var containers: [String: Container]

    /// Counts by container id.
    public init(containers: [String: Container]) { self.containers = containers }

    /// Cards in all containers.
    public var total: Int { containers.values.reduce(0) { $0 + $1.total } }

    /// Unseen cards in all containers.
    public var unseen: Int { containers.values.reduce(0) { $0 + $1.unseen } }
}
