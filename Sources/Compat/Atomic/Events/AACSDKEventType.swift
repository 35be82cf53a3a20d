/// The kinds of SDK events, in the documented order.
public enum AACSDKEventType: Int, Sendable, CaseIterable {
    case cardFeedUpdated, cardDismissed, cardSnoozed, cardCompleted, cardDisplayed, cardVotedUp, cardVotedDown
    case runtimeVarsUpdated, streamDisplayed, userRedirected, snoozeOptionsDisplayed, snoozeOptionsCanceled
    case cardSubviewDisplayed, cardSubviewExited, videoPlayed, videoCompleted, sdkInitialized, requestFailed
    case notificationReceived, unknown

    /// The kind of a documented event name.
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

/// Why a card was not useful.
public enum AACSDKEventVoteDownReason: Int, Sendable {
    case notRelevant, tooOften, other
}

/// How a user was led elsewhere.
public enum AACSDKEventRedirectLinkMethod: Int, Sendable {
    case url, payload
}

/// What led a user elsewhere.
public enum AACSDKEventRedirectDetailType: Int, Sendable {
    case image, linkButton, submitButton, textLink
}

/// Which kind of container came on screen.
public enum AACSDKEventStreamMode: Int, Sendable {
    case vertical, horizontal, single
}

/// Where on a card the user acted.
public enum AACSDKEventActionSource: Int, Sendable {
    case unknown, overflow, swipe, cardButton
}
