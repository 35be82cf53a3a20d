import Foundation

/// The SDK was initialised, or the token was refreshed.
public final class AACSDKEventSDKInitialized: AACSDKEventAuthEVT {}

/// A container's feed changed. This event is never sent as analytics.
public final class AACSDKEventCardFeedUpdated: AACSDKEventSTEVT {
    /// The number of cards in the feed.
    public var cardCount: UInt { UInt(max(number("count") ?? 0, 0)) }
}

/// A container was shown.
public final class AACSDKEventStreamDisplayed: AACSDKEventSTEVT {
    /// The number of all cards of the container.
    public var streamLength: UInt { UInt(max(number("length") ?? 0, 0)) }
    /// The number of cards that match the container's filters.
    public var streamLengthVisible: UInt { UInt(max(number("visible") ?? 0, 0)) }
    /// The kind of container.
    public var streamMode: AACSDKEventStreamMode {
        switch text("mode") {
        case "horizontal": .horizontal
        case "single": .single
        default: .vertical
        }
    }
}

/// The server responded to a request with an error, or polling replaced the WebSocket. Network failures and
/// time-outs of requests cause no event.
public final class AACSDKEventRequestFailed: AACSDKEvent {
    /// The path of the failed request.
    public var failedEndpoint: String { text("path") ?? "" }
    /// The HTTP status; 0 when the WebSocket failed without one.
    public var failedStatusCode: Int { number("status") ?? 0 }
    /// The user's id, if known.
    public var endUserId: String? { userID.isEmpty ? nil : userID }
    /// The id of the container that the request was for, if any.
    public var streamContainerId: String? { event.containerID }
    /// The id of the card that the request was for, if any.
    public var cardInstanceId: String? { event.cardID }
}
