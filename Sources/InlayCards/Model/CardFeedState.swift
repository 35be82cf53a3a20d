/// The state of a container at one moment.
///
/// List, counts and failure come from one snapshot, so a badge never disagrees with the list.
public struct CardFeedState: Hashable, Sendable {
    /// The container.
    public var containerID: String
    /// The cards that pass the observer's filters: priority 1 first, newest first within a priority.
    public var cards: [Card]
    /// All cards of the container that could be shown now, filters aside.
    public var total: Int
    /// Those of them that were never on screen.
    public var unseen: Int
    /// The version of the feed; `nil` before the first one.
    public var version: Int64?
    /// Whether the user ever had a card here; distinguishes "awaiting the first" from "all done".
    public var hadCards: Bool
    /// Whether the server confirmed this feed in this run; `false` while it comes from disk.
    public var isCurrent: Bool
    /// The reason why the last request for the feed failed; `nil` after one that succeeded.
    public var failure: CardConnectionError?
    /// Cards of the feed that this version cannot show; they never hide the others.
    public var unreadable: Int

    /// A state with its parts.
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
