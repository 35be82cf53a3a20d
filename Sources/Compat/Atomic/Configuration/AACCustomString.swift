/// Texts of a container that an app can replace with `setValue(_:for:)`.
public enum AACCustomString: Int, Sendable, CaseIterable {
    case cardListTitle, cardSnoozeTitle, awaitingFirstCard, allCardsCompleted
    case votingUseful, votingNotUseful, votingFeedbackTitle
    case cardListFooterMessage, noInternetConnectionMessage, dataLoadFailedMessage, tryAgainTitle
    case toastCardDismissedMessage, toastCardCompletedMessage, toastCardSnoozeMessage,
        toastCardFeedbackMessage

    /// The documented default text; in the snooze toast, `X` stands for the time.
    var defaultText: String {
        switch self {
        case .cardListTitle: "Cards"
        case .cardSnoozeTitle: "Remind me"
        case .awaitingFirstCard: "Cards will appear here when there’s something to action."
        case .allCardsCompleted: "All caught up"
        case .votingUseful: "This is useful"
        case .votingNotUseful: "This isn't useful"
        case .votingFeedbackTitle: "Send feedback"
        case .cardListFooterMessage: ""
        case .noInternetConnectionMessage: "No internet connection"
        case .dataLoadFailedMessage: "Couldn't load data"
        case .tryAgainTitle: "Try again"
        case .toastCardDismissedMessage: "Card dismissed"
        case .toastCardCompletedMessage: "Card completed"
        case .toastCardSnoozeMessage: "Snoozed until X"
        case .toastCardFeedbackMessage: "Feedback received"
        }
    }
}
