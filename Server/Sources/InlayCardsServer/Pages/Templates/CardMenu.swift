@_spi(Inlay) import InlayWire

/// The options of a card's menu and swipe, as check boxes that are ticked when it is offered.
enum CardMenu {
    struct Item: Sendable {
        let name: String
        let words: String
        /// The flag that switches it off.
        let flag: WritableKeyPath<CardOptions, Bool> & Sendable
    }

    static let all = [
        Item(name: "snoozeOverflow", words: "Snooze in the menu", flag: \.snoozeOverflowDisabled),
        Item(name: "snoozeSwipe", words: "Snooze by a swipe", flag: \.snoozeSwipeDisabled),
        Item(name: "dismissOverflow", words: "Dismiss in the menu", flag: \.dismissOverflowDisabled),
        Item(name: "dismissSwipe", words: "Dismiss by a swipe", flag: \.dismissSwipeDisabled),
        Item(name: "voteUp", words: "“This is useful”", flag: \.voteUpOverflowDisabled),
        Item(name: "voteDown", words: "“This isn’t useful”", flag: \.voteDownOverflowDisabled),
    ]
}
