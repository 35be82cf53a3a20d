@_spi(Inlay) public import InlaySurface

/// The view model of a list of cards, for a template or for a renderer of another kind.
@_spi(Inlay) public struct CardListView: Codable, Hashable, Sendable {
    /// Title, scheme, direction and custom properties of the page.
    public var root: SurfaceFrame.Root
    /// The bar at the top.
    public var header: Header?
    /// The app's own header, below the bar.
    public var customHeader: SafeHTML?
    /// The screen of the first load, in place of everything else.
    public var launch: Launch?
    /// The failure of a later load, shown above the cards, or alone when there are none.
    public var failure: Failure?
    /// The text in place of cards.
    public var empty: Empty?
    /// The label for screen readers while placeholders stand for cards.
    public var skeleton: String?
    /// The cards in order.
    public var cards: [CardView]
    /// The button that scrolls to cards that arrived while the user was reading. The page shows it when there are some.
    public var arrivals: String?
    /// The message below the last card.
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
        /// Whether a refresh is running.
        public var isRefreshing: Bool

        /// A button of the header.
        public struct Button: Codable, Hashable, Sendable {
            /// The text.
            public var label: String
            /// Whether the button has the arrow of Back.
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

    /// A failure with a button that tries again.
    public struct Failure: Codable, Hashable, Sendable {
        /// The message about the failure.
        public var message: String
        /// The label of the button that tries again.
        public var retry: String
        /// Whether cards are shown below the failure.
        public var isAboveCards: Bool
    }

    /// The text in place of cards.
    public struct Empty: Codable, Hashable, Sendable {
        /// The text.
        public var message: String
        /// Whether the user had cards before.
        public var isDone: Bool
    }

    /// A short message.
    public struct Toast: Codable, Hashable, Sendable {
        /// The id, unique in the list.
        public var id: String
        /// The text.
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

/// A subview of a card.
@_spi(Inlay) public struct SubviewView: Codable, Hashable, Sendable {
    /// The id of the card.
    public var card: String
    /// The id of the subview.
    public var id: String
    /// The level: 1 for a subview that was opened from the card, one more for each subview below it.
    public var level: Int
    /// The title at the top.
    public var title: String
    /// The label of the button that leads back.
    public var back: String
    /// The elements of the subview.
    public var nodes: [NodeView]
    /// The text while an action is being sent; absent otherwise.
    public var busy: String?
}

/// The snooze picker.
@_spi(Inlay) public struct SnoozeView: Codable, Hashable, Sendable {
    /// The id of the card.
    public var card: String
    /// The title, which is also the menu item that opens the picker.
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
    /// The label of the button that snoozes until the field's value.
    public var confirm: String
    /// The label of the button that closes the picker.
    public var cancel: String

    /// A time to choose with one press.
    public struct Choice: Codable, Hashable, Sendable {
        /// The time in words.
        public var label: String
        /// The exact date and time.
        public var detail: String
        /// The time in microseconds since 1970, as text.
        public var moment: String
    }
}

/// The question why a card is not useful.
@_spi(Inlay) public struct FeedbackView: Codable, Hashable, Sendable {
    /// The id of the card.
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
    /// The label of the button that sends the feedback; disabled until a reason is chosen.
    public var submit: String
    /// The label of the button that closes the screen without sending.
    public var back: String

    /// A reason to choose.
    public struct Reason: Codable, Hashable, Sendable {
        /// The reason's name in events.
        public var value: String
        /// The visible text.
        public var label: String
        /// Whether the reason is chosen.
        public var isChosen: Bool
    }

    /// The field for the user's own words.
    public struct CommentField: Codable, Hashable, Sendable {
        /// The field's label.
        public var label: String
        /// The maximum length of the text, in characters.
        public var limit: Int
        /// The maximum size of the text, in bytes of UTF-8.
        public var maximumBytes: Int
        /// The notice that is shown when the text has reached its limit.
        public var fullNotice: String
    }
}
