internal import InlayAds
internal import InlayWire

/// An ad placement of the facade, which reports its events to the delegate of its type.
@MainActor final class YabbiPlacement {
    let adPlacement: AdPlacement
    private let type: YabbiAdType
    private let payload: AdPayload
    private weak var runtime: YabbiRuntime?
    private var wasShown = false
    private var cachedSurface: AdSurface?

    init(_ type: YabbiAdType, _ name: String, _ adPlacement: AdPlacement, runtime: YabbiRuntime) {
        (self.type, self.adPlacement, self.runtime) = (type, adPlacement, runtime)
        payload = AdPayload(placementName: name)
        let events = adPlacement.events
        // Ends with this object, or with the stream, which ends with the session or the placement.
        Task { [weak self] in
            for await event in events {
                guard let self else { return }
                self.handle(event)
            }
        }
    }

    /// Begins to load an ad; the delegate gets the result.
    func load() {
        do throws(AdError) { _ = try adPlacement.beginLoad() } catch { failedToLoad(error) }
    }

    /// Shows the loaded ad, or reports the error to the delegate.
    func show() {
        do throws(AdError) { try adPlacement.show() } catch { failedToShow(error) }
    }

    /// Returns the surface of the placement, which is created on first use.
    func surface() throws -> AdSurface {
        if let cachedSurface { return cachedSurface }
        let surface = try AdSurface(adPlacement, name: payload.placementName)
        cachedSurface = surface
        return surface
    }

    func handle(_ event: AdEvent) {
        switch event {
        case .loaded: if !wasShown, !isDiscarded { loaded() }
        case .loadFailed(let error): failedToLoad(error)
        case .showing:
            // A banner that refreshes is drawn again, which counts as the same show.
            if type == .banner, !wasShown { runtime?.bannerDelegate?.onBannerShown(payload) }
            wasShown = true
        case .shown: shown()
        case .showFailed(let error):
            wasShown = false
            failedToShow(error)
        case .video(.start): runtime?.rewarded(type)?.onRewardedVideoStarted(payload)
        case .video(.complete): runtime?.rewarded(type)?.onRewardedVideoCompleted(payload)
        case .rewarded: runtime?.rewarded(type)?.onUserRewarded(payload)
        case .closed(.replaced): break
        case .closed:
            wasShown = false
            closed()
        case .expired, .destroyed: wasShown = false
        case .clicked, .viewable, .video, .closable: break
        }
    }

    /// Whether the loaded ad was destroyed after the event and before its delivery.
    private var isDiscarded: Bool { adPlacement.state == .initial || adPlacement.state == .loading }

    private func loaded() {
        switch type {
        case .banner: runtime?.bannerDelegate?.onBannerLoaded(payload)
        case .interstitial: runtime?.interstitialDelegate?.onInterstitialLoaded(payload)
        case .rewarded: runtime?.rewardedDelegate?.onRewardedLoaded(payload)
        }
    }

    private func failedToLoad(_ error: AdError) { runtime?.failedToLoad(type, payload, error) }

    private func shown() {
        switch type {
        case .banner: runtime?.bannerDelegate?.onBannerImpression(payload)
        case .interstitial: runtime?.interstitialDelegate?.onInterstitialShown(payload)
        case .rewarded: runtime?.rewardedDelegate?.onRewardedShown(payload)
        }
    }

    private func failedToShow(_ error: AdError) { runtime?.failedToShow(type, payload, error) }

    private func closed() {
        switch type {
        case .banner: runtime?.bannerDelegate?.onBannerClosed(payload)
        case .interstitial: runtime?.interstitialDelegate?.onInterstitialClosed(payload)
        case .rewarded: runtime?.rewardedDelegate?.onRewardedClosed(payload)
        }
    }
}

extension YabbiRuntime {
    fileprivate func rewarded(_ type: YabbiAdType) -> (any RewardedDelegate)? {
        type == .rewarded ? rewardedDelegate : nil
    }

    func failedToLoad(_ type: YabbiAdType, _ payload: AdPayload, _ error: AdError) {
        let exception = AdException(error)
        switch type {
        case .banner: bannerDelegate?.onBannerLoadFailed(payload, exception)
        case .interstitial: interstitialDelegate?.onInterstitialLoadFailed(payload, exception)
        case .rewarded: rewardedDelegate?.onRewardedLoadFailed(payload, exception)
        }
    }

    func failedToShow(_ type: YabbiAdType, _ payload: AdPayload, _ error: AdError) {
        let exception = AdException(error)
        switch type {
        case .banner: bannerDelegate?.onBannerShowFailed(payload, exception)
        case .interstitial: interstitialDelegate?.onInterstitialShowFailed(payload, exception)
        case .rewarded: rewardedDelegate?.onRewardedShowFailed(payload, exception)
        }
    }
}
