@_spi(Inlay) package import InlayWire

/// The terms of a response: the time until expiry, the close delay, the reward.
package struct AdResponseTerms: Hashable, Sendable {
    /// The type of the ad.
    package var type: AdType
    /// The time after the load within which the ad must be shown.
    package var lifetime: Duration
    /// The time after `show` for which the user cannot close the ad. A rewarded video can also be closed at its end,
    /// and every ad at once after an error.
    package var closeDelay: Duration
    /// The reward for the whole video, if the server states one.
    package var reward: AdReward?
    /// The format: the server's, else the app's, else the one that the type suggests.
    package var format: AdFormat
    /// Whether the ad covers the app's page. Such an ad has failed when nothing of it was drawn within 15 s; a banner
    /// may wait until the user scrolls to it.
    package var coversPage: Bool
    /// The time after which a banner on screen requests the next ad; `nil` keeps the banner.
    package var refresh: Duration?

    /// Creates the terms of a response. The lifetime and the close delay have maximums, whatever the server states, and
    /// the refresh interval has a minimum.
    package init(_ response: AdResponse, format: AdFormat?) {
        let ext = response.ext ?? AdResponseExtension()
        type = response.type
        let format = Self.format(response.type, ext.format ?? format)
        self.format = format
        let defaultSeconds = format == .banner ? 300 : 1800
        let seconds = ext.expiresIn.flatMap { $0 > 0 ? $0 : nil } ?? defaultSeconds
        lifetime = .seconds(min(seconds, AdLimits.maximumLifetime))
        let statedLimit = ext.lockLimit.flatMap { $0 > 0 ? $0 : nil } ?? AdLimits.defaultMaximumCloseDelay
        let limit = min(statedLimit, AdLimits.maximumCloseDelay)
        closeDelay = .milliseconds(response.type == .rewarded ? limit : min(response.closeTimeout, limit))
        reward = response.type == .rewarded ? ext.reward : nil
        let isBanner = format == .banner
        coversPage = !isBanner
        refresh = ext.refresh.flatMap { seconds in
            isBanner && seconds > 0 ? .seconds(max(seconds, AdLimits.minimumRefreshInterval)) : nil
        }
    }

    /// Sets the app's refresh interval for a banner when the server states none.
    mutating func adopt(refresh interval: Duration?) {
        guard refresh == nil, format == .banner, let interval, interval > .zero else { return }
        refresh = max(interval, .seconds(AdLimits.minimumRefreshInterval))
    }

    // The type decides: HTML is never shown as a video, and a video never as a banner.
    private static func format(_ type: AdType, _ stated: AdFormat?) -> AdFormat {
        switch type {
        case .banner: stated == .interstitial ? .interstitial : .banner
        case .video: .video
        case .rewarded: .rewarded
        }
    }

    /// Creates terms with these values, for tests.
    package init(
        type: AdType, lifetime: Duration = .seconds(300), closeDelay: Duration = .zero,
        reward: AdReward? = nil,
        refresh: Duration? = nil
    ) {
        format = Self.format(type, nil)
        coversPage = type != .banner
        self.type = type
        self.lifetime = lifetime
        self.closeDelay = closeDelay
        self.reward = reward
        self.refresh = refresh
    }
}
