public import InlayCore

extension SessionEvent {
    /// The id of the card that the event is about, if any.
    public var cardID: String? { itemID }
}

extension SessionEvent.Name {
    /// A card was on screen; once per card, view and appearance of the view.
    public static let cardDisplayed: Self = "card-displayed"
    /// The user dismissed a card.
    public static let cardDismissed: Self = "card-dismissed"
    /// The user snoozed a card: `until` in microseconds, `seconds`.
    public static let cardSnoozed: Self = "card-snoozed"
    /// The user submitted a card: `buttonName`, `values`.
    public static let cardCompleted: Self = "card-completed"
    /// The user found a card useful: `source`.
    public static let cardVotedUp: Self = "card-voted-up"
    /// The user found a card not useful: `source`, `reason`, `message`.
    public static let cardVotedDown: Self = "card-voted-down"
    /// A feed changed: `count`. Never sent to the server.
    public static let cardFeedUpdated: Self = "card-feed-updated"
    /// Runtime variables were resolved: `variables`. Sent to the server only with `RuntimeVariables.sendsAnalytics`.
    public static let runtimeVariablesUpdated: Self = "runtime-vars-updated"
    /// A container came on screen: `length`, `visible`, `mode`.
    public static let streamDisplayed: Self = "stream-displayed"
    /// The user followed a link: `method`, `url` or `payload`, `detail`.
    public static let userRedirected: Self = "user-redirected"
    /// The snooze picker was shown.
    public static let snoozeOptionsDisplayed: Self = "snooze-options-displayed"
    /// The user left the snooze picker without a choice.
    public static let snoozeOptionsCanceled: Self = "snooze-options-canceled"
    /// A subview opened: `subviewId`, `subviewTitle`, `subviewLevel`.
    public static let cardSubviewDisplayed: Self = "card-subview-displayed"
    /// The user left a subview: `subviewId`, `subviewTitle`, `subviewLevel`.
    public static let cardSubviewExited: Self = "card-subview-exited"
    /// The server refused an action, and the card is shown again: `action`, `code`. Never sent to the server.
    public static let cardActionRefused: Self = "card-action-refused"
}
