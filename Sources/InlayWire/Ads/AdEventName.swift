/// The name of an event of an ad, under which its tracker is stored.
///
/// Video events have the names that VAST gives them.
public struct AdEventName: RawRepresentable, Codable, Hashable, Sendable, ExpressibleByStringLiteral {
    public let rawValue: String

    /// An event by its name on the wire.
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }

    /// The ad was shown to the user. This event is the impression, which is billed.
    public static let view: Self = "view"
    /// Enough of the ad was in sight for long enough: half of it for 1 s, of a video for 2 s.
    public static let viewable: Self = "viewable"
    /// The user followed the ad's link.
    public static let click: Self = "click"
    /// The video began.
    public static let start: Self = "start"
    /// A quarter of the video was played.
    public static let firstQuartile: Self = "firstQuartile"
    /// Half of the video was played.
    public static let midpoint: Self = "midpoint"
    /// Three quarters of the video were played.
    public static let thirdQuartile: Self = "thirdQuartile"
    /// The video was played to its end.
    public static let complete: Self = "complete"
    /// The ad was closed.
    public static let close: Self = "close"
    /// The ad could not be shown; the macro `[ERRORCODE]` in the address is replaced by the error code.
    public static let error: Self = "error"
    /// The user earned the reward.
    public static let reward: Self = "reward"
    /// The video was skipped.
    public static let skip: Self = "skip"
    /// The sound was turned off.
    public static let mute: Self = "mute"
    /// The sound was turned on.
    public static let unmute: Self = "unmute"
    /// The video was paused.
    public static let pause: Self = "pause"
    /// The video was resumed.
    public static let resume: Self = "resume"
}
