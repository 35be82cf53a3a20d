import InlayOpenRTB
import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The reason why a tracker was not booked, or why an ad request was invalid traffic.
package struct AdRefusal: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// Not a token at all.
    package static let malformed = Self(rawValue: "malformed")
    /// Signed with a key that does not exist or has ended.
    package static let unknownKey = Self(rawValue: "unknown-key")
    /// Changed in transit, or forged.
    package static let wrongSignature = Self(rawValue: "wrong-signature")
    /// Received after the token's end.
    package static let expired = Self(rawValue: "expired")
    /// No such impression was ever served.
    package static let unknownImpression = Self(rawValue: "unknown-impression")
    /// Booked already.
    package static let duplicate = Self(rawValue: "copy")
    /// An event that needs a view came without it.
    package static let beforeView = Self(rawValue: "before-view")
    /// Sooner after the ad was served than the event can have happened: a click before a person can react, a quartile
    /// or the end before so much of the video can have been played. Of a rewarded video also a view while another video
    /// of the same user runs, and an end sooner after its view than the video lasts.
    package static let tooSoon = Self(rawValue: "too-soon")
    /// A reward for a video whose end was never reported.
    package static let beforeComplete = Self(rawValue: "before-complete")
    /// A reward at a unit that gives none.
    package static let noReward = Self(rawValue: "no-reward")
    /// A reward without a user's token, where the unit gives rewards to signed-in users only.
    package static let noUser = Self(rawValue: "no-user")
    /// The user had as many rewards of the unit as a day allows.
    package static let rewardCap = Self(rawValue: "reward-cap")
    /// A view that came after its reservation was given back, when the campaign had no capacity left.
    package static let noCapacity = Self(rawValue: "no-room")
    /// From a known crawler, monitor or tool.
    package static let knownBot = Self(rawValue: "known-bot")
    /// From a network that the server's settings block.
    package static let blockedNetwork = Self(rawValue: "blocked-network")

    /// Counts a refusal of a signed token.
    static func count(
        _ reason: AdRefusal, _ token: AdTrackerToken, unitID: AdUnitID, _ environmentID: EnvironmentID,
        at moment: Timestamp, times: Int = 1, in connection: any SQLConnection
    ) throws {
        try count(
            reason, environmentID, impressionID: token.impressionID, event: token.event.rawValue,
            unitID: unitID, at: moment, times: times, in: connection)
    }

    static func count(
        _ reason: AdRefusal, _ environmentID: EnvironmentID, impressionID: AdImpressionID, event: String,
        unitID: AdUnitID,
        at moment: Timestamp, times: Int, in connection: any SQLConnection
    ) throws {
        try connection.insert(
            into: "ad_refusals",
            [
                "environment_id": .id(environmentID), "day": .integer(AdPace.day(of: moment)),
                "impression_id": .id(impressionID), "event": .text(event),
                "reason": .text(reason.rawValue), "unit_id": .id(unitID), "times": .int(times),
                "first_at": .moment(moment), "last_at": .moment(moment),
            ],
            onConflict: .update(
                key: ["environment_id", "day", "impression_id", "event", "reason"], columns: ["last_at"],
                also: ["times = ad_refusals.times + excluded.times"]))
    }
}
