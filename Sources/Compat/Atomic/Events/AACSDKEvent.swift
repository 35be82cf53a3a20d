public import Foundation
internal import InlayCore
internal import InlayWire
@_spi(Inlay) import InlayWire

/// An event of the SDK; each documented event is a subclass.
public class AACSDKEvent: NSObject {
    /// The kind of event.
    public let eventType: AACSDKEventType
    /// The documented name of the event, for example `card-dismissed`.
    public let eventName: String
    /// The unique id of the event.
    public let eventId: String
    /// The time of the event.
    public let timeStamp: Date
    let event: SessionEvent
    let userID: String

    required init(_ event: SessionEvent, name: String, userID: String) {
        eventName = name
        eventType = AACSDKEventType(name: name)
        eventId = UUIDv7.make(at: event.time)
        timeStamp = event.time.date
        self.event = event
        self.userID = userID
    }

    /// Returns all data of the event. For debugging only: keys and values may change with any version.
    public func getRawContents() -> [AnyHashable: Any] {
        var contents: [AnyHashable: Any] = [
            "eventId": eventId, "eventName": eventName, "timestamp": timeStamp, "endUserId": userID,
        ]
        contents["streamContainerId"] = event.containerID
        contents["cardInstanceId"] = event.cardID
        for (name, value) in event.properties { contents[name] = value.plain }
        return contents
    }

    /// Returns the documented event for an event of the session; `nil` for events that Atomic does not have.
    static func make(_ event: SessionEvent, userID: String) -> AACSDKEvent? {
        // Atomic counts a refreshed token as another initialization.
        let name = event.name == .tokenRefreshed ? "sdk-initialized" : event.name.rawValue
        return classes[AACSDKEventType(name: name)]?.init(event, name: name, userID: userID)
    }

    private static let classes: [AACSDKEventType: AACSDKEvent.Type] = [
        .cardFeedUpdated: AACSDKEventCardFeedUpdated.self, .cardDismissed: AACSDKEventCardDismissed.self,
        .cardSnoozed: AACSDKEventCardSnoozed.self, .cardCompleted: AACSDKEventCardCompleted.self,
        .cardDisplayed: AACSDKEventCardDisplayed.self, .cardVotedUp: AACSDKEventCardVotedUp.self,
        .cardVotedDown: AACSDKEventCardVotedDown.self,
        .runtimeVarsUpdated: AACSDKEventRuntimeVarsUpdated.self,
        .streamDisplayed: AACSDKEventStreamDisplayed.self, .userRedirected: AACSDKEventUserRedirected.self,
        .snoozeOptionsDisplayed: AACSDKEventSnoozeOptionsDisplayed.self,
        .snoozeOptionsCanceled: AACSDKEventSnoozeOptionsCanceled.self,
        .cardSubviewDisplayed: AACSDKEventCardSubviewDisplayed.self,
        .cardSubviewExited: AACSDKEventCardSubviewExited.self,
        .sdkInitialized: AACSDKEventSDKInitialized.self,
        .requestFailed: AACSDKEventRequestFailed.self,
    ]

    func text(_ name: String) -> String? { event.properties[name]?.string }

    func number(_ name: String) -> Int? {
        guard case .integer(let value)? = event.properties[name] else { return nil }
        return Int(exactly: value)
    }

    func members(_ name: String) -> [String: Any]? {
        guard case .object(let members)? = event.properties[name] else { return nil }
        return members.mapValues(\.plain)
    }
}

/// An event of a signed-in user.
public class AACSDKEventAuthEVT: AACSDKEvent {
    /// The user's id, the `sub` claim of the app's token; empty before the first token.
    public var endUserId: String { userID }
}

/// An event in a container.
public class AACSDKEventSTEVT: AACSDKEventAuthEVT {
    /// The id of the container.
    public var streamContainerId: String { event.containerID ?? "" }
}

/// An event of a card.
public class AACSDKEventCREVT: AACSDKEventSTEVT {
    /// The card instance id.
    public var cardInstanceId: String { event.cardID ?? "" }
}
