/// Hears of interstitials. Every callback has a form with the ad place and an older one without; implement
/// either.
@MainActor public protocol InterstitialDelegate: AnyObject {
    /// An ad is there and may be shown.
    func onInterstitialLoaded(_ adPayload: AdPayload)
    /// No ad came.
    func onInterstitialLoadFailed(_ adPayload: AdPayload, _ error: AdException)
    /// The ad is on screen.
    func onInterstitialShown(_ adPayload: AdPayload)
    /// The ad could not be shown.
    func onInterstitialShowFailed(_ adPayload: AdPayload, _ error: AdException)
    /// The ad is gone.
    func onInterstitialClosed(_ adPayload: AdPayload)
    /// An ad is there and may be shown.
    func onInterstitialLoaded()
    /// No ad came.
    func onInterstitialLoadFailed(_ error: AdException)
    /// The ad is on screen.
    func onInterstitialShown()
    /// The ad could not be shown.
    func onInterstitialShowFailed(_ error: AdException)
    /// The ad is gone.
    func onInterstitialClosed()
}

extension InterstitialDelegate {
    public func onInterstitialLoaded(_ adPayload: AdPayload) { onInterstitialLoaded() }
    public func onInterstitialLoadFailed(_ adPayload: AdPayload, _ error: AdException) {
        onInterstitialLoadFailed(error)
    }
    public func onInterstitialShown(_ adPayload: AdPayload) { onInterstitialShown() }
    public func onInterstitialShowFailed(_ adPayload: AdPayload, _ error: AdException) {
        onInterstitialShowFailed(error)
    }
    public func onInterstitialClosed(_ adPayload: AdPayload) { onInterstitialClosed() }
    public func onInterstitialLoaded() {}
    public func onInterstitialLoadFailed(_ error: AdException) {}
    public func onInterstitialShown() {}
    public func onInterstitialShowFailed(_ error: AdException) {}
    public func onInterstitialClosed() {}
}

/// Hears of banners.
@MainActor public protocol BannerDelegate: AnyObject {
    /// An ad is there and may be shown.
    func onBannerLoaded(_ adPayload: AdPayload)
    /// No ad came.
    func onBannerLoadFailed(_ adPayload: AdPayload, _ error: AdException)
    /// The banner took its place; it may still be out of sight.
    func onBannerShown(_ adPayload: AdPayload)
    /// The banner could not be shown.
    func onBannerShowFailed(_ adPayload: AdPayload, _ error: AdException)
    /// The banner is gone.
    func onBannerClosed(_ adPayload: AdPayload)
    /// The banner is in front of the user; once for each ad, so again after each refresh.
    func onBannerImpression(_ adPayload: AdPayload)
}

extension BannerDelegate {
    public func onBannerLoaded(_ adPayload: AdPayload) {}
    public func onBannerLoadFailed(_ adPayload: AdPayload, _ error: AdException) {}
    public func onBannerShown(_ adPayload: AdPayload) {}
    public func onBannerShowFailed(_ adPayload: AdPayload, _ error: AdException) {}
    public func onBannerClosed(_ adPayload: AdPayload) {}
    public func onBannerImpression(_ adPayload: AdPayload) {}
}
