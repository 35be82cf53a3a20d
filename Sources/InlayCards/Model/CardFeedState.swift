/// The state of a container at one time.
///
/// List, counts and failure come from one snapshot, so a badge always agrees with the list.
public struct CardFeedState: Hashable, Sendable {
    /// The id of the container.
    public var containerID: String
    /// The cards that match the observer's filters: priority 1 first, newest first within a priority.
    public var cards: [Card]
    /// The number of cards of the container that can be shown now, regardless of filters.
    public var total: Int
    /// The number of these cards that were never on screen.
    public var unseen: Int
    /// The version of the feed; `nil` before the first one.
    public var version: Int64?
    /// Whether the user ever had a card here; distinguishes "awaiting the first" from "all done".
    public var hadCards: Bool
    /// Whether the server confirmed this feed in this run; `false` while it is the stored one.
    public var isCurrent: Bool
    /// The reason why the last request for the feed failed; `nil` when it succeeded.
    public var failure: CardConnectionError?
    /// The number of cards of the feed that this version of the SDK cannot show.
    public var unreadable: Int

    /// Creates a state.
    public init(
        containerID: String, cards: [Card] = [], total: Int = 0, unseen: Int = 0, version: Int64? = nil,
        hadCards: Bool = false, isCurrent: Bool = false, failure: CardConnectionError? = nil,
        unreadable: Int = 0
    ) {
        self.containerID = containerID
        self.cards = cards
        self.total = total
        self.unseen = unseen
        self.version = version
        self.hadCards = hadCards
        self.isCurrent = isCurrent
        self.failure = failure
        self.unreadable = unreadable
    }
}
