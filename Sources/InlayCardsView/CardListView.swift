@_spi(Inlay) public import InlaySurface

/// The view model of a list of cards, for a template or for a renderer of another kind.
@_spi(Inlay) public struct CardListView: Codable, Hashable, Sendable {
    /// Title, scheme, direction and custom properties of the page.
    public var root: SurfaceFrame.Root
    /// The bar at the top.
    public var header: Header?
    /// The app's own header below it.
    public var customHeader: SafeHTML?
    /// The screen of the first load, in place of everything else.
    public var launch: Launch?
    /// A later load failed: above the cards, or alone where there are none.
    public var failure: Failure?
    /// The text in place of cards.
    public var empty: Empty?
    /// The label for screen readers while placeholders stand for cards.
    public var skeleton: String?
    /// The cards in order.
    public var cards: [CardView]
    /// The button that leads to cards which came while the user was reading; the page shows it when there are some.
    public var arrivals: String?
    /// Below the last card.
    public var footer: String?
    /// The screen that covers the list.
    public var overlay: Overlay?
    /// Short messages, oldest first.
    public var toasts: [Toast]

    /// The bar at the top.
    public struct Header: Codable, Hashable, Sendable {
        /// The list's title; absent when only a button is shown.
        public var title: String?
        /// The button at the top left.
        public var button: Button?
        /// The label of the button that refreshes; absent when the header is off.
        public var refreshLabel: String?
        /// Whether a refresh is under way.
        public var isRefreshing: Bool

        /// A button of the header.
        public struct Button: Codable, Hashable, Sendable {
            /// The text.
            public var label: String
            /// Whether it points back.
            public var isBack: Bool
        }
    }

    /// The screen of the first load.
    public struct Launch: Codable, Hashable, Sendable {
        /// The label for screen readers while loading; absent after a failure.
        public var loading: String?
        /// The failure.
        public var failure: Failure?
    }

    /// A failure, and the button that tries again.
    public struct Failure: Codable, Hashable, Sendable {
        /// The failure.
        public var message: String
        /// The button that tries again.
        public var retry: String
        /// Whether cards are shown below it.
        public var isAboveCards: Bool
    }

    /// The text in place of cards.
    public struct Empty: Codable, Hashable, Sendable {
        /// The sentence.
        public var message: String
        /// Whether the user had cards before.
        public var isDone: Bool
    }

    /// A short message.
    public struct Toast: Codable, Hashable, Sendable {
        /// Unique in the list.
        public var id: String
        /// The sentence.
        public var message: String
        /// Whether it reports a failure.
        public var isFailure: Bool
    }

    /// The screens that cover the list; exactly one member is present.
    public struct Overlay: Codable, Hashable, Sendable {
        /// Subviews of a card, the one on top last.
        public var subviews: [SubviewView] = []
        /// The snooze picker.
        public var snooze: SnoozeView?
        /// The question why a card is not useful.
        public var feedback: FeedbackView?
    }
}

/// A second level of a card.
@_spi(Inlay) public struct SubviewView: Codable, Hashable, Sendable {
    /// The card.
    public var card: String
    /// The subview.
    public var id: String
    /// 1 for a subview that was opened from the card, 1 more for each that lies below it.
    public var level: Int
    /// Shown at its top.
    public var title: String
    /// The label of the button that leads back.
    public var back: String
    /// Its elements.
    public var nodes: [NodeView]
    /// The text while an action is under way; absent otherwise.
    public var busy: String?
}

/// The snooze picker.
@_spi(Inlay) public struct SnoozeView: Codable, Hashable, Sendable {
    /// The card.
    public var card: String
    /// The same words as in the menu that led here.
    public var title: String
    /// Quick choices, soonest first.
    public var choices: [Choice]
    /// The label of the field for any other time.
    public var fieldLabel: String
    /// The earliest value of the field, in the user's time zone.
    public var earliest: String
    /// The initial value of the field.
    public var value: String
    /// The problem with the last choice.
    public var problem: String?
    /// The text about a time that is not in the future, for the page's own check.
    public var pastProblem: String
    /// The button that takes the field's value.
    public var confirm: String
    /// The button that leaves.
    public var cancel: String

    /// A moment to choose with one press.
    public struct Choice: Codable, Hashable, Sendable {
        /// In words.
        public var label: String
        /// Exactly.
        public var detail: String
        /// Microseconds since 1970, as text.
        public var moment: String
    }
}

/// The question why a card is not useful.
@_spi(Inlay) public struct FeedbackView: Codable, Hashable, Sendable {
    /// The card.
    public var card: String
    /// The screen's title.
    public var title: String
    /// The question above the reasons.
    public var question: String
    /// The reasons in their documented order.
    public var reasons: [Reason]
    /// The field for the user's own words; absent unless the last reason is chosen.
    public var comment: CommentField?
    /// The reason chosen so far.
    public var chosen: String?
    /// The button that sends; it is off until a reason is chosen.
    public var submit: String
    /// The button that leaves without sending.
    public var back: String

    /// A reason to choose.
    public struct Reason: Codable, Hashable, Sendable {
        /// Its name on the wire.
        public var value: String
        /// In words.
        public var label: String
        /// Whether it is chosen.
        public var isChosen: Bool
    }

    /// The field for the user's own words.
    public struct CommentField: Codable, Hashable, Sendable {
        /// The field's label.
        public var label: String
        /// The maximum length of its text, in characters.
        public var limit: Int
        /// The maximum length of its text, in bytes of UTF-8.
        public var maximumBytes: Int
        /// Shown when the field took no more.
        public var fullNotice: String
    }
}
