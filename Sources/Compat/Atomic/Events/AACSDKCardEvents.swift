public import Foundation
@_spi(Inlay) internal import InlayWire

/// The user dismissed a card.
public final class AACSDKEventCardDismissed: AACSDKEventCREVT {}

/// A card was on screen.
public final class AACSDKEventCardDisplayed: AACSDKEventCREVT {}

/// The snooze picker came up.
public final class AACSDKEventSnoozeOptionsDisplayed: AACSDKEventCREVT {}

/// The user left the snooze picker without a choice.
public final class AACSDKEventSnoozeOptionsCanceled: AACSDKEventCREVT {}

/// The user snoozed a card.
public final class AACSDKEventCardSnoozed: AACSDKEventCREVT {
    /// For how long, in seconds.
    public var snoozePeriod: DateComponents { DateComponents(second: number("seconds") ?? 0) }

    /// Until when.
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

    /// The reason.
    public var reason: AACSDKEventVoteDownReason {
        switch text("reason") {
        case "not-relevant": .notRelevant
        case "too-often": .tooOften
        default: .other
        }
    }

    /// The user's own words; only with the reason `other`.
    public var otherMessage: String? { reason == .other ? text("message") : nil }
}

/// Runtime variables of a card were resolved.
public final class AACSDKEventRuntimeVarsUpdated: AACSDKEventCREVT {
    /// The values by name.
    public var resolvedVariables: [String: Any] { members("variables") ?? [:] }
}

/// The user was led elsewhere.
public final class AACSDKEventUserRedirected: AACSDKEventCREVT {
    /// By an address or by a payload.
    public var redirectMethod: AACSDKEventRedirectLinkMethod { text("method") == "payload" ? .payload : .url }
    /// The address.
    public var redirectUrl: URL? { text("url").flatMap(WebAddress.link) }
    /// The payload.
    public var redirectPayload: [String: Any]? { members("payload") }
    /// The element that the user pressed.
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
    /// Its title.
    public var subviewTitle: String { text("subviewTitle") ?? "" }
    /// The depth of the subview; 1 below the card itself.
    public var subviewLevel: UInt { UInt(max(number("subviewLevel") ?? 0, 0)) }
}

/// A subview opened.
public final class AACSDKEventCardSubviewDisplayed: AACSDKEventCardSubEVT {}

/// The user left a subview.
public final class AACSDKEventCardSubviewExited: AACSDKEventCardSubEVT {}
