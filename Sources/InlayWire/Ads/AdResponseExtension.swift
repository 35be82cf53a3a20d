/// The additions of Inlay's own route to the documented response.
///
/// Every part may be missing. A part that cannot be read counts as missing and does not affect the others.
@_spi(Inlay) public struct AdResponseExtension: Hashable, Sendable {
    /// The impression's id in reports and in the server's log.
    public var impressionID: String?
    /// Seconds for which the ad may be kept before it is shown.
    public var expiresIn: Int?
    /// The format that the ad unit is set to.
    public var format: AdFormat?
    /// Seconds after which a banner requests the next ad; `nil` or 0 means never.
    public var refresh: Int?
    /// Milliseconds after which the user may always close the ad, whatever `closeTimeout` is.
    public var lockLimit: Int?
    /// Whether the creative may use MRAID.
    public var mraid: Bool?
    /// Whether the creative may show frames of other sites; `nil` means that it may not.
    public var frames: Bool?
    /// The reward for a rewarded video.
    public var reward: AdReward?
    /// Addresses to call for more events, by their names; see `AdEventName`.
    public var events: [String: String]?

    /// An extension with the server's values.
    public init(
        impressionID: String? = nil, expiresIn: Int? = nil, format: AdFormat? = nil, refresh: Int? = nil,
        lockLimit: Int? = nil, mraid: Bool? = nil, frames: Bool? = nil, reward: AdReward? = nil,
        events: [String: String]? = nil
    ) {
        self.impressionID = impressionID
        self.expiresIn = expiresIn
        self.format = format
        self.refresh = refresh
        self.lockLimit = lockLimit
        self.mraid = mraid
        self.frames = frames
        self.reward = reward
        self.events = events
    }
}

extension AdResponseExtension: Codable {
    private enum Key: String, CodingKey {
        case impressionID, expiresIn, format, refresh, lockLimit, mraid, frames, reward, events
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        self.init(
            impressionID: values.readable(.impressionID), expiresIn: values.readable(.expiresIn),
            format: values.readable(.format), refresh: values.readable(.refresh),
            lockLimit: values.readable(.lockLimit), mraid: values.readable(.mraid),
            frames: values.readable(.frames), reward: values.readable(.reward),
            events: values.readable(.events))
    }
}

/// The reward for watching a rewarded video to its end.
public struct AdReward: Codable, Hashable, Sendable {
    /// The number of reward items.
    public var amount: Int
    /// The name of the reward item, chosen by the app's team, for example `coins`.
    public var currency: String

    /// Creates a reward.
    public init(amount: Int, currency: String) {
        self.amount = amount
        self.currency = currency
    }
}
