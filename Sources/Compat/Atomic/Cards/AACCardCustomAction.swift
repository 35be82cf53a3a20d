public import Foundation

/// A payload that a button or an image hands to the app.
public final class AACCardCustomAction: NSObject {
    /// The card it was on.
    public let cardInstanceId: String
    /// The container the card was in.
    public let containerId: String
    /// The payload its author gave it.
    public let actionPayload: [String: Any]

    init(cardID: String, containerID: String, payload: [String: Any]) {
        cardInstanceId = cardID
        containerId = containerID
        actionPayload = payload
    }
}
