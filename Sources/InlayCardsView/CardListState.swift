@_spi(Inlay) public import InlayWire

/// Everything a feature knows that decides what a list of cards shows.
@_spi(Inlay) public struct CardListState: Hashable, Sendable {
    /// The state of loading.
    public enum Phase: Hashable, Sendable {
        /// Theme and cards are asked for, and this device never had them.
        case firstLoad
        /// The first load failed.
        case firstLoadFailed(Failure)
        /// A theme is there, cards are asked for.
        case loading
        /// Cards are there, or there are none.
        case ready
        /// A later load failed; what was there stays.
        case failed(Failure)
    }

    /// The reason for a failed load, as far as the user can act on it.
    public enum Failure: String, Codable, Hashable, Sendable { case noInternet, dataLoad }

    /// The screen that covers the list.
    public enum Overlay: Hashable, Sendable {
        /// Subviews of a card that were opened from each other, the outermost first.
        case subviews(card: String, ids: [String])
        /// The snooze picker, perhaps with what was wrong about the last choice.
        case snooze(card: String, problem: String? = nil)
        /// The question why a card is not useful, with the reason chosen so far.
        case feedback(card: String, reason: CardListConfiguration.FeedbackReason? = nil)

        /// The card it belongs to.
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
    /// Whether the user asked for a refresh that is under way.
    public var isRefreshing: Bool
    /// The screen that covers the list; it goes when its card goes.
    public var overlay: Overlay?
    /// Messages to show, oldest first; removed when the page says that a toast is done.
    public var toasts: [CardToast]
    /// The problems with inputs: by card, then by the input's name.
    public var problems: [String: [String: String]]
    /// The texts that a user typed into a card whose submission the server refused: by card, then by the input's name.
    public var entered: [String: [String: String]] = [:]
    /// Cards with an action on its way to the server.
    public var busyCards: Set<String>

    /// A state; without arguments that of a device which has not loaded anything yet.
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
    /// 1 (first) to 10 (last).
    public var priority: Int
    /// The time at which it last became visible; the newest of equal priority stands first.
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
        /// With the moment at which the card returns.
        case snoozed(until: Timestamp)
        /// Submit, dismiss, snooze or vote failed; the words are the app's own or a standard sentence.
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
        /// With the user's own words.
        case other = "something-else"

        /// The maximum length of the user's own words, in characters as Swift and the page count them (UAX 29).
        public static let maximumTextLength = 280
        /// The same in bytes of UTF-8: with it the event stays within what the server takes, whatever a character holds.
        @_spi(Inlay) public static let maximumTextBytes = 6_000

        /// The user's own words, cut after the last character that may be sent.
        ///
        /// The page takes no more than this, as far as its engine and Swift know the same version of Unicode.
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
