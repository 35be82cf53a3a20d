@_spi(Inlay) import InlayWire

/// The options of a card's menu and swipe gestures, each shown as a check box that is ticked while the card offers it.
enum CardMenu {
    struct Item: Sendable {
        let name: String
        let label: String
        /// The flag that disables the option.
        let flag: WritableKeyPath<CardOptions, Bool> & Sendable
    }

    static let all = [
        Item(name: "snoozeOverflow", label: "Snooze in the menu", flag: \.snoozeOverflowDisabled),
        Item(name: "snoozeSwipe", label: "Snooze by a swipe", flag: \.snoozeSwipeDisabled),
        Item(name: "dismissOverflow", label: "Dismiss in the menu", flag: \.dismissOverflowDisabled),
        Item(name: "dismissSwipe", label: "Dismiss by a swipe", flag: \.dismissSwipeDisabled),
        Item(name: "voteUp", label: "“This is useful”", flag: \.voteUpOverflowDisabled),
        Item(name: "voteDown", label: "“This isn’t useful”", flag: \.voteDownOverflowDisabled),
    ]
}
