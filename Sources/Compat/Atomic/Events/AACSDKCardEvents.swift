public import Foundation
@_spi(Inlay) internal import InlayWire

/// The user dismissed a card.
public final class AACSDKEventCardDismissed: AACSDKEventCREVT {}

/// A card was on screen.
public final class AACSDKEventCardDisplayed: AACSDKEventCREVT {}

/// The snooze picker was shown.
public final class AACSDKEventSnoozeOptionsDisplayed: AACSDKEventCREVT {}

/// The user closed the snooze picker without choosing a time.
public final class AACSDKEventSnoozeOptionsCanceled: AACSDKEventCREVT {}

/// The user snoozed a card.
public final class AACSDKEventCardSnoozed: AACSDKEventCREVT {
    /// The length of the snooze, in seconds.
    public var snoozePeriod: DateComponents { DateComponents(second: number("seconds") ?? 0) }

    /// The time at which the snooze ends.
    public var unsnoozeDate: Date {
        Timestamp(microseconds: Int64(number("until") ?? 0)).date
    }
}

/// The user submitted a card.
public final class AACSDKEventCardCompleted: AACSDKEventCREVT {
    /// The submitted values by name.
    public var submittedValues: [String: Any] { members("values") ?? [:] }
}

/// The user found a card useful.
public final class AACSDKEventCardVotedUp: AACSDKEventCREVT {
    /// The control that the user voted with.
    public var source: AACSDKEventActionSource { text("source") == "overflow" ? .overflow : .unknown }
}

/// The user found a card not useful.
public final class AACSDKEventCardVotedDown: AACSDKEventCREVT {
    /// The control that the user voted with.
    public var source: AACSDKEventActionSource { text("source") == "overflow" ? .overflow : .unknown }

    /// The reason that the user chose; `other` for an unknown one.
    public var reason: AACSDKEventVoteDownReason {
        switch text("reason") {
        case "not-relevant": .notRelevant
        case "too-often": .tooOften
        default: .other
        }
    }

    /// The text that the user wrote; `nil` unless the reason is `other`.
    public var otherMessage: String? { reason == .other ? text("message") : nil }
}

/// Runtime variables of a card were resolved.
public final class AACSDKEventRuntimeVarsUpdated: AACSDKEventCREVT {
    /// The values by name.
    public var resolvedVariables: [String: Any] { members("variables") ?? [:] }
}

/// The user followed a link of a card, to an address or into the app.
public final class AACSDKEventUserRedirected: AACSDKEventCREVT {
    /// The kind of link: an address or a payload.
    public var redirectMethod: AACSDKEventRedirectLinkMethod { text("method") == "payload" ? .payload : .url }
    /// The address of the link; `nil` for a payload or an invalid address.
    public var redirectUrl: URL? { text("url").flatMap(WebAddress.link) }
    /// The payload of the link; `nil` for an address.
    public var redirectPayload: [String: Any]? { members("payload") }
    /// The kind of element that the user tapped.
    public var detail: AACSDKEventRedirectDetailType {
        switch text("detail") {
        case "image": .image
        case "submitButton": .submitButton
        case "textLink": .textLink
        default: .linkButton
        }
    }
}

/// An event of a subview.
public class AACSDKEventCardSubEVT: AACSDKEventCREVT {
    /// The subview's id.
    public var subviewId: String { text("subviewId") ?? "" }
    /// The subview's title.
    public var subviewTitle: String { text("subviewTitle") ?? "" }
    /// The depth of the subview: 1 for a subview that the card's top level opens.
    public var subviewLevel: UInt { UInt(max(number("subviewLevel") ?? 0, 0)) }
}

/// A subview opened.
public final class AACSDKEventCardSubviewDisplayed: AACSDKEventCardSubEVT {}

/// The user left a subview.
public final class AACSDKEventCardSubviewExited: AACSDKEventCardSubEVT {}
