/// A receiver of the events of interstitials. Every callback has a form with the ad placement and an older form
/// without it; implement either.
@MainActor public protocol InterstitialDelegate: AnyObject {
    /// An ad is loaded and can be shown.
    func onInterstitialLoaded(_ adPayload: AdPayload)
    /// No ad was loaded.
    func onInterstitialLoadFailed(_ adPayload: AdPayload, _ error: AdException)
    /// The ad is on screen.
    func onInterstitialShown(_ adPayload: AdPayload)
    /// The ad could not be shown.
    func onInterstitialShowFailed(_ adPayload: AdPayload, _ error: AdException)
    /// The ad was closed.
    func onInterstitialClosed(_ adPayload: AdPayload)
    /// An ad is loaded and can be shown.
    func onInterstitialLoaded()
    /// No ad was loaded.
    func onInterstitialLoadFailed(_ error: AdException)
    /// The ad is on screen.
    func onInterstitialShown()
    /// The ad could not be shown.
    func onInterstitialShowFailed(_ error: AdException)
    /// The ad was closed.
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

/// A receiver of the events of banners.
@MainActor public protocol BannerDelegate: AnyObject {
    /// An ad is loaded and can be shown.
    func onBannerLoaded(_ adPayload: AdPayload)
    /// No ad was loaded.
    func onBannerLoadFailed(_ adPayload: AdPayload, _ error: AdException)
    /// The banner was drawn; it may still be outside the visible area.
    func onBannerShown(_ adPayload: AdPayload)
    /// The banner could not be shown.
    func onBannerShowFailed(_ adPayload: AdPayload, _ error: AdException)
    /// The banner was closed.
    func onBannerClosed(_ adPayload: AdPayload)
    /// The banner is visible to the user. Called once for each ad, so again after each refresh.
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
