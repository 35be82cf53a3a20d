@_spi(Inlay) public import InlayWire

/// The state of a list of cards, from which its view model is made.
@_spi(Inlay) public struct CardListState: Hashable, Sendable {
    /// The state of loading.
    public enum Phase: Hashable, Sendable {
        /// Theme and cards are being loaded, and this device never had them.
        case firstLoad
        /// The first load failed.
        case firstLoadFailed(Failure)
        /// The theme is loaded, the cards are being loaded.
        case loading
        /// The cards are loaded; there may be none.
        case ready
        /// A later load failed; the cards from before stay.
        case failed(Failure)
    }

    /// The reason for a failed load, as far as the user can act on it.
    public enum Failure: String, Codable, Hashable, Sendable { case noInternet, dataLoad }

    /// The screen that covers the list.
    public enum Overlay: Hashable, Sendable {
        /// Subviews of a card that were opened from each other, the outermost first.
        case subviews(card: String, ids: [String])
        /// The snooze picker, with the problem of the last choice, if there was one.
        case snooze(card: String, problem: String? = nil)
        /// The question why a card is not useful, with the reason chosen so far.
        case feedback(card: String, reason: CardListConfiguration.FeedbackReason? = nil)

        /// The id of the card that the overlay belongs to.
        public var card: String {
            switch self {
            case .subviews(let card, _), .snooze(let card, _), .feedback(let card, _): card
            }
        }
    }

    /// The state of loading.
    public var phase: Phase
    /// Whether the user ever had a card here.
    public var hadCards: Bool
    /// The cards with their texts resolved, in any order.
    public var cards: [CardListItem]
    /// The container's themes; `nil` before they were ever loaded.
    public var appearance: CardAppearance?
    /// Whether a refresh that the user started is running.
    public var isRefreshing: Bool
    /// The screen that covers the list. It is not shown when its card is not in `cards`.
    public var overlay: Overlay?
    /// The messages to show, oldest first. A toast is removed when the page reports that it was shown.
    public var toasts: [CardToast]
    /// The problems with inputs: by card, then by the input's name.
    public var problems: [String: [String: String]]
    /// The texts that a user typed into a card whose submission the server refused: by card, then by the input's name.
    public var entered: [String: [String: String]] = [:]
    /// The ids of cards with an action that is being sent to the server.
    public var busyCards: Set<String>

    /// Creates a state; without arguments, the state of a device that has loaded nothing yet.
    public init(
        phase: Phase = .firstLoad, hadCards: Bool = false, cards: [CardListItem] = [],
        appearance: CardAppearance? = nil, isRefreshing: Bool = false, overlay: Overlay? = nil,
        toasts: [CardToast] = [], problems: [String: [String: String]] = [:], busyCards: Set<String> = []
    ) {
        self.phase = phase
        self.hadCards = hadCards
        self.cards = cards
        self.appearance = appearance
        self.isRefreshing = isRefreshing
        self.overlay = overlay
        self.toasts = toasts
        self.problems = problems
        self.busyCards = busyCards
    }
}

/// A card as a list shows it.
@_spi(Inlay) public struct CardListItem: Hashable, Sendable, Identifiable {
    /// The card instance's id.
    public var id: String
    /// The priority, 1 (first) to 10 (last).
    public var priority: Int
    /// The time at which the card last became visible. Of cards with equal priority, the newest is first.
    public var activeAt: Timestamp
    /// The layout, with its variables resolved.
    public var layout: CardLayout

    /// A card with a layout that `CardLayout.resolved` returned.
    public init(
        id: String, priority: Int = 5, activeAt: Timestamp = Timestamp(microseconds: 0), layout: CardLayout
    ) {
        self.id = id
        self.priority = priority
        self.activeAt = activeAt
        self.layout = layout
    }

    /// A card of a feed with its layout, resolved here with these values.
    public init(_ instance: CardInstance, layout: CardLayout, values: CardValues) {
        self.init(
            id: instance.id, priority: instance.priority, activeAt: instance.activeAt,
            layout: layout.resolved(with: values))
    }
}

/// A short message after an action.
@_spi(Inlay) public struct CardToast: Hashable, Sendable, Identifiable {
    /// The subject of the message.
    public enum Kind: Hashable, Sendable {
        case dismissed, completed, feedback
        /// A snooze, with the time at which the card returns.
        case snoozed(until: Timestamp)
        /// An action that failed, with a message; `nil` stands for the standard sentence.
        case failed(String? = nil)
    }

    /// Unique among the toasts of a list.
    public var id: String
    /// The subject of the message.
    public var kind: Kind

    /// A toast.
    public init(id: String, kind: Kind) {
        self.id = id
        self.kind = kind
    }
}

extension CardListConfiguration {
    /// The reasons for which a card is not useful, in the order in which the reasons are offered.
    public enum FeedbackReason: String, Codable, Hashable, Sendable, CaseIterable {
        case notRelevant = "not-relevant"
        case tooOften = "too-often"
        /// Another reason, in the user's own words.
        case other = "something-else"

        /// The maximum length of the user's own words, in characters as Swift and the page count them (UAX 29).
        public static let maximumTextLength = 280
        /// The maximum size of the user's own words, in bytes of UTF-8, because a character can have any size. With it,
        /// the event stays below the server's limit.
        @_spi(Inlay) public static let maximumTextBytes = 6_000

        /// Returns the user's own words, cut after the last character that may be sent.
        ///
        /// The page has the same limits. The results differ only when its engine has another version of Unicode.
        public static func limited(_ text: String) -> String {
            var bytes = 0
            let limited = text.prefix(maximumTextLength).prefix { character in
                bytes += character.utf8.count
                return bytes <= maximumTextBytes
            }
            return String(limited)
        }

        var string: CardString {
            switch self {
            case .notRelevant: .feedbackNotRelevant
            case .tooOften: .feedbackTooOften
            case .other: .feedbackOther
            }
        }
    }
}
