@_spi(Inlay) package import InlayWire

/// The terms of a response: the time until expiry, the close delay, the reward.
package struct AdResponseTerms: Hashable, Sendable {
    /// The type of the ad.
    package var type: AdType
    /// The time within which it must be shown.
    package var lifetime: Duration
    /// The time after `show` for which the user cannot close it. A rewarded video can also be closed at its end, and
    /// every ad at once after an error.
    package var lock: Duration
    /// The reward for the whole video, if the server states one.
    package var reward: AdReward?
    /// The format: the server's, else the app's, else the one that the type suggests.
    package var format: AdFormat
    /// Whether it covers the app's page. Then nothing of it drawn within 15 s counts as broken; a banner may
    /// wait for its reader to scroll to it.
    package var coversPage: Bool
    /// The time after which a banner on screen requests the next ad; `nil` keeps the banner.
    package var refresh: Duration?

    /// The terms of an answer. All times have upper bounds, whatever the server says.
    package init(_ answer: AdResponse, format: AdFormat?) {
        let ext = answer.ext ?? AdResponseExtension()
        type = answer.type
        let format = Self.format(answer.type, ext.format ?? format)
        self.format = format
        let usual = format == .banner ? 300 : 1800
        let seconds = ext.expiresIn.flatMap { $0 > 0 ? $0 : nil } ?? usual
        lifetime = .seconds(min(seconds, AdLimits.maximumLifetime))
        let asked = ext.lockLimit.flatMap { $0 > 0 ? $0 : nil } ?? AdLimits.lockLimit
        let limit = min(asked, AdLimits.maximumCloseDelay)
        lock = .milliseconds(answer.type == .rewarded ? limit : min(answer.closeTimeout, limit))
        reward = answer.type == .rewarded ? ext.reward : nil
        let isBanner = format == .banner
        coversPage = !isBanner
        refresh = ext.refresh.flatMap { seconds in
            isBanner && seconds > 0 ? .seconds(max(seconds, AdLimits.minimumRefreshInterval)) : nil
        }
    }

    /// Takes the app's own interval where the server has none and the ad is a banner.
    mutating func adopt(refresh interval: Duration?) {
        guard refresh == nil, format == .banner, let interval, interval > .zero else { return }
        refresh = max(interval, .seconds(AdLimits.minimumRefreshInterval))
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
        type: AdType, lifetime: Duration = .seconds(300), lock: Duration = .zero, reward: AdReward? = nil,
        refresh: Duration? = nil
    ) {
        format = Self.format(type, nil)
        coversPage = type != .banner
        self.type = type
        self.lifetime = lifetime
        self.lock = lock
        self.reward = reward
        self.refresh = refresh
    }
}
