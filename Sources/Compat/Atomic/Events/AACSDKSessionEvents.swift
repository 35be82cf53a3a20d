import Foundation

/// The SDK was initialised, or the token was refreshed.
public final class AACSDKEventSDKInitialized: AACSDKEventAuthEVT {}

/// A container's feed changed. Never sent as analytics.
public final class AACSDKEventCardFeedUpdated: AACSDKEventSTEVT {
    /// The number of cards in the feed.
    public var cardCount: UInt { UInt(max(number("count") ?? 0, 0)) }
}

/// A container came on screen.
public final class AACSDKEventStreamDisplayed: AACSDKEventSTEVT {
    /// All cards of the container.
    public var streamLength: UInt { UInt(max(number("length") ?? 0, 0)) }
    /// Those that pass the container's filters.
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

/// The platform answered a request with an error, or the WebSocket gave way to polling. Not sent for
/// network failures and time-outs of requests.
public final class AACSDKEventRequestFailed: AACSDKEvent {
    /// The path that failed.
    public var failedEndpoint: String { text("path") ?? "" }
    /// The HTTP status; 0 when the WebSocket failed without one.
    public var failedStatusCode: Int { number("status") ?? 0 }
    /// The user, when known.
    public var endUserId: String? { userID.isEmpty ? nil : userID }
    /// The container the request was for, if any.
    public var streamContainerId: String? { event.containerID }
    /// The card the request was for, if any.
    public var cardInstanceId: String? { event.cardID }
}
