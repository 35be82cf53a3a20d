public import InlayWire

/// What the answer allows and owes: how long the ad may wait, how long it may hold its viewer, what it earns.
public struct AdTerms: Hashable, Sendable {
    /// What kind of ad it is.
    public var type: AdType
    /// How long it may wait to be shown.
    public var life: Duration
    /// How long after `show` it may not be closed by the user. A rewarded video also opens at its end, and
    /// every ad at once after an error.
    public var lock: Duration
    /// What the whole video earns, where the server says so.
    public var reward: AdReward?
    /// What the ad place shows: what the server says, else what the app means, else what the type suggests.
    public var format: AdFormat
    /// Whether it covers the app's page. Then nothing of it drawn within 15 s counts as broken; a banner may
    /// wait for its reader to scroll to it.
    public var coversPage: Bool
    /// When a banner on screen asks for the next one; `nil` keeps it.
    public var refresh: Duration?

    /// The terms of an answer. All times have upper bounds, whatever the server says.
    public init(_ answer: AdResponse, format: AdFormat?) {
        let ext = answer.ext ?? AdResponseExtension()
        type = answer.type
        let format = Self.format(answer.type, ext.format ?? format)
        self.format = format
        let usual = format == .banner ? 300 : 1800
        let seconds = ext.expiresIn.flatMap { $0 > 0 ? $0 : nil } ?? usual
        life = .seconds(min(seconds, AdLimits.longestLife))
        let asked = ext.lockLimit.flatMap { $0 > 0 ? $0 : nil } ?? AdLimits.lockLimit
        let limit = min(asked, AdLimits.longestLock)
        lock = .milliseconds(answer.type == .rewarded ? limit : min(answer.closeTimeout, limit))
        reward = answer.type == .rewarded ? ext.reward : nil
        let isBanner = format == .banner
        coversPage = !isBanner
        refresh = ext.refresh.flatMap { seconds in
            isBanner && seconds > 0 ? .seconds(max(seconds, AdLimits.shortestRefresh)) : nil
        }
    }

    /// Takes the app's own interval where the server has none and the ad is a banner.
    mutating func adopt(refresh interval: Duration?) {
        guard refresh == nil, format == .banner, let interval, interval > .zero else { return }
        refresh = max(interval, .seconds(AdLimits.shortestRefresh))
    }

    // A banner's place cannot show a video, nor a video's place HTML: the type has the last word.
    private static func format(_ type: AdType, _ wanted: AdFormat?) -> AdFormat {
        switch type {
        case .banner: wanted == .interstitial ? .interstitial : .banner
        case .video: .video
        case .rewarded: .rewarded
        }
    }

    /// Terms of one's own, for tests.
    package init(
        type: AdType, life: Duration = .seconds(300), lock: Duration = .zero, reward: AdReward? = nil,
        refresh: Duration? = nil
    ) {
        format = Self.format(type, nil)
        coversPage = type != .banner
        self.type = type
        self.life = life
        self.lock = lock
        self.reward = reward
        self.refresh = refresh
    }
}
