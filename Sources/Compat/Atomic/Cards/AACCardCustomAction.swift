public import Foundation

/// The payload of a button or an image that the user tapped.
public final class AACCardCustomAction: NSObject {
    /// The id of the button's or image's card.
    public let cardInstanceId: String
    /// The id of the card's container.
    public let containerId: String
    /// The payload that the card's author wrote.
    public let actionPayload: [String: Any]

    init(cardID: String, containerID: String, payload: [String: Any]) {
        cardInstanceId = cardID
        containerId = containerID
        actionPayload = payload
    }
}
