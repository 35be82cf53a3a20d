public import Foundation
@_spi(Inlay) public import InlayAds
internal import InlayCore
public import InlayPlatform

/// The ads API of YABBI's second and third generation.
///
/// ```swift
/// Yabbi.initialize(publisherID: publisher)
/// Yabbi.setInterstitialDelegate(self)
/// if Yabbi.canLoadAd(Yabbi.INTERSTITIAL, place) { Yabbi.loadAd(Yabbi.INTERSTITIAL, place) }
/// // later, after onInterstitialLoaded
/// Yabbi.showAd(adType: Yabbi.INTERSTITIAL, placementName: place, rootViewController: self)
/// ```
/// Ads come from the documented endpoint of your own server, whose address is in Info.plist under
/// `YabbiServerURL`. Nothing asks the user for location or tracking.
@MainActor public enum Yabbi {
    /// A part of the app's page.
    public static let BANNER = YabbiAdType.banner
    /// An ad over the whole page.
    public static let INTERSTITIAL = YabbiAdType.interstitial
    /// A video that earns something.
    public static let REWARDED = YabbiAdType.rewarded

    /// The SDK's version.
    public static var sdkVersion: String { SDKIdentity.version }

    private static var host: YabbiRuntime { .shared }

    /// Sets the address of the ad server, in place of `YabbiServerURL`. Before `initialize`.
    public static func setServer(_ address: URL) { host.server = address }

    /// Initializes the SDK for a publisher.
    ///
    /// - Parameters:
    ///   - publisherID: the UUID of the publisher.
    ///   - completion: called once on the main thread, with the error if it did not work.
    public static func initialize(
        publisherID: String, completion: (@MainActor @Sendable (AdException?) -> Void)? = nil
    ) {
        host.isAsked = host.isAsked || UUID(uuidString: publisherID) != nil
        host.add { host in
            do {
                try await host.initialize(publisherID)
                completion?(nil)
            } catch {
                completion?(AdException(error as? AdError ?? .network("\(error)")))
            }
        }
    }

    /// Whether a load would start: the publisher is known, and this place has no ad that waits or is shown.
    public static func canLoadAd(_ adType: YabbiAdType, _ placementName: String) -> Bool {
        guard host.isAsked else { return false }
        switch host.place(adType, placementName)?.state {
        case .loading, .ready, .showing, .shown: return false
        case .initial, .closed, .failed, .expired, nil: return true
        }
    }

    /// Loads an ad; the delegate of the type hears what comes.
    public static func loadAd(_ adType: YabbiAdType, _ placementName: String) {
        host.add { host in
            do {
                let place = try await host.openPlace(adType, placementName)
                place.placement.refreshInterval = adType == .banner ? host.refreshInterval : nil
                place.placement.showsCloseButton = adType != .banner || host.banner.showsCloseButton
                place.load()
            } catch {
                host.failedToLoad(
                    adType, AdPayload(placementName: placementName),
                    error as? AdError ?? .network("\(error)"))
            }
        }
    }

    /// Whether an ad waits to be shown.
    public static func isAdLoaded(_ adType: YabbiAdType, _ placementName: String) -> Bool {
        host.place(adType, placementName)?.state == .ready
    }

    /// The surface of a placement, for the host of the app's surfaces. The same for every load of the placement; `nil`
    /// before its first load.
    ///
    /// - Throws: when the resources of the SDK are not in the app.
    public static func surface(_ adType: YabbiAdType, _ placementName: String) throws -> AdSurface? {
        try host.knownPlace(adType, placementName)?.surface()
    }

    /// Shows what was loaded; the delegate hears whether that worked.
    ///
    /// - Parameter rootViewController: kept for compatibility; the place's surface is where its host puts it.
    public static func showAd(
        adType: YabbiAdType, placementName: String, rootViewController: UIViewController
    ) {
        guard let place = host.knownPlace(adType, placementName) else {
            return host.failedToShow(adType, AdPayload(placementName: placementName), .notLoaded)
        }
        place.show()
    }

    /// Gives up the ad of a place; it can be loaded again.
    public static func destroyAd(_ adType: YabbiAdType, _ placementName: String) {
        giveUp(adType, placementName)
    }

    /// Gives up the ads of all places of a type.
    public static func destroyAd(_ adType: YabbiAdType) { giveUp(adType, nil) }

    /// At once, for what is there; and behind the loads that wait for their turn, which are meant too.
    private static func giveUp(_ adType: YabbiAdType, _ placementName: String?) {
        host.destroy(adType, placementName)
        host.add { $0.destroy(adType, placementName) }
    }

    /// Sets who hears of interstitials; kept weakly.
    public static func setInterstitialDelegate(_ delegate: (any InterstitialDelegate)?) {
        host.interstitialDelegate = delegate
    }

    /// Sets who hears of rewarded videos; kept weakly.
    public static func setRewardedDelegate(_ delegate: (any RewardedDelegate)?) {
        host.rewardedDelegate = delegate
    }

    /// Sets who hears of banners; kept weakly.
    public static func setBannerDelegate(_ delegate: (any BannerDelegate)?) { host.bannerDelegate = delegate }

    /// Changes what banners that are loaded from now on do.
    public static func setBannerCustomSettings(_ change: (BannerSettings) -> Void) { change(host.banner) }

    /// Says whether the user agreed to ads that know them. After a no, requests carry neither id nor place.
    public static func setUserConsent(_ hasConsent: Bool) { host.consent.set(hasConsent) }

    /// Keeps a value by name. `appStoreAppID` names the app in its store; ids of other networks are kept and
    /// not used: they have no adapters here.
    public static func setCustomParams(_ key: String, _ value: String) { host.customParams[key] = value }

    /// Turns the debug log on, from the next session on.
    public static func enableDebug(_ isOn: Bool) { host.setDebug(isOn) }
}
