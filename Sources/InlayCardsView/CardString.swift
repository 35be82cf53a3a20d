/// The texts of a card container, which an app may replace.
public enum CardString: String, Codable, Hashable, Sendable, CaseIterable {
    case cardListTitle
    case cardSnoozeTitle
    /// Shown to a user who never had a card here.
    case awaitingFirstCard
    /// Shown to a user who had cards here and has none now.
    case allCardsCompleted
    case votingUseful
    case votingNotUseful
    case votingFeedbackTitle
    /// The message below the last card, when the footer is enabled.
    case cardListFooterMessage
    case noInternetConnectionMessage
    case dataLoadFailedMessage
    case tryAgainTitle
    case toastCardDismissedMessage
    case toastCardCompletedMessage
    /// The toast after a snooze. `{{time}}` stands for the time at which the card returns.
    case toastCardSnoozeMessage
    case toastCardFeedbackMessage
    // Atomic's SDK did not let an app change the following texts.
    case toastActionFailedMessage
    case feedbackNotRelevant
    case feedbackTooOften
    case feedbackOther
    case feedbackOtherLabel
    case feedbackQuestion
    /// The notice below the user's own words when they have reached the limit.
    case feedbackIsFull
    case submit
    case cancel
    case back
    case close
    case dismiss
    case refresh
    case loading
    case working
    case moreActions
    case snoozeInOneHour
    case snoozeThisEvening
    case snoozeTomorrowMorning
    case snoozeNextWeek
    case snoozePickerLabel
    case snoozeConfirm
    case snoozeInThePast
    case requiredField
    /// The button that scrolls to cards that arrived while the user was reading.
    case newCards

    /// The text that is shown when the app sets none.
    public var defaultText: String {
        switch self {
        case .cardListTitle: "Cards"
        case .cardSnoozeTitle: "Remind me"
        case .awaitingFirstCard: "Cards will appear here when there’s something to action."
        case .allCardsCompleted: "All caught up"
        case .votingUseful: "This is useful"
        case .votingNotUseful: "This isn’t useful"
        case .votingFeedbackTitle: "Send feedback"
        case .cardListFooterMessage: ""
        case .noInternetConnectionMessage: "No internet connection"
        case .dataLoadFailedMessage: "Couldn't load data"
        case .tryAgainTitle: "Try again"
        case .toastCardDismissedMessage: "Card dismissed"
        case .toastCardCompletedMessage: "Card completed"
        case .toastCardSnoozeMessage: "Snoozed until {{time}}"
        case .toastCardFeedbackMessage: "Feedback received"
        default: moreText
        }
    }

    private var moreText: String {
        switch self {
        case .toastActionFailedMessage: "That didn’t work. Try again."
        case .feedbackNotRelevant: "It’s not relevant"
        case .feedbackTooOften: "I see this too often"
        case .feedbackOther: "Something else"
        case .feedbackOtherLabel: "Tell us more"
        case .feedbackQuestion: "Why isn’t this card useful?"
        case .feedbackIsFull: "It can’t be longer than this."
        case .submit: "Submit"
        case .cancel: "Cancel"
        case .back: "Back"
        case .close: "Close"
        case .dismiss: "Dismiss"
        case .refresh: "Refresh"
        case .loading: "Loading"
        case .working: "Working"
        case .moreActions: "More actions"
        case .snoozeInOneHour: "In an hour"
        case .snoozeThisEvening: "This evening"
        case .snoozeTomorrowMorning: "Tomorrow morning"
        case .snoozeNextWeek: "Next week"
        case .snoozePickerLabel: "Date and time"
        case .snoozeConfirm: "Set reminder"
        case .snoozeInThePast: "Choose a time in the future."
        case .requiredField: "required"
        case .newCards: "New cards"
        default: ""
        }
    }
}
