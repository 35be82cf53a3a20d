/// The kinds of SDK events, in the documented order.
public enum AACSDKEventType: Int, Sendable, CaseIterable {
    case cardFeedUpdated, cardDismissed, cardSnoozed, cardCompleted, cardDisplayed, cardVotedUp, cardVotedDown
    case runtimeVarsUpdated, streamDisplayed, userRedirected, snoozeOptionsDisplayed, snoozeOptionsCanceled
    case cardSubviewDisplayed, cardSubviewExited, videoPlayed, videoCompleted, sdkInitialized, requestFailed
    case notificationReceived, unknown

    /// The kind of event that has a documented name; `unknown` for every other name.
    init(name: String) {
        self = Self.byName[name] ?? .unknown
    }

    private static let byName: [String: AACSDKEventType] = [
        "card-feed-updated": .cardFeedUpdated, "card-dismissed": .cardDismissed, "card-snoozed": .cardSnoozed,
        "card-completed": .cardCompleted, "card-displayed": .cardDisplayed, "card-voted-up": .cardVotedUp,
        "card-voted-down": .cardVotedDown, "runtime-vars-updated": .runtimeVarsUpdated,
        "stream-displayed": .streamDisplayed, "user-redirected": .userRedirected,
        "snooze-options-displayed": .snoozeOptionsDisplayed,
        "snooze-options-canceled": .snoozeOptionsCanceled, "card-subview-displayed": .cardSubviewDisplayed,
        "card-subview-exited": .cardSubviewExited, "sdk-initialized": .sdkInitialized,
        "request-failed": .requestFailed,
    ]
}

/// The reason why a card was not useful.
public enum AACSDKEventVoteDownReason: Int, Sendable {
    case notRelevant, tooOften, other
}

/// The kind of link that the user followed.
public enum AACSDKEventRedirectLinkMethod: Int, Sendable {
    case url, payload
}

/// The kind of element whose link the user followed.
public enum AACSDKEventRedirectDetailType: Int, Sendable {
    case image, linkButton, submitButton, textLink
}

/// The kind of container that was shown.
public enum AACSDKEventStreamMode: Int, Sendable {
    case vertical, horizontal, single
}

/// The control of a card that the user used.
public enum AACSDKEventActionSource: Int, Sendable {
    case unknown, overflow, swipe, cardButton
}
