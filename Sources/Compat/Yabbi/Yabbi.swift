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
/// `YabbiServerURL`. The SDK never asks the user for permission to use location or tracking.
@MainActor public enum Yabbi {
    /// An ad in a part of the app's screen.
    public static let BANNER = YabbiAdType.banner
    /// A full-screen ad.
    public static let INTERSTITIAL = YabbiAdType.interstitial
    /// A full-screen video after which the user gets a reward.
    public static let REWARDED = YabbiAdType.rewarded

    /// The SDK's version.
    public static var sdkVersion: String { SDKIdentity.version }

    private static var runtime: YabbiRuntime { .shared }

    /// Sets the address of the ad server, in place of `YabbiServerURL`. Call it before `initialize`.
    public static func setServer(_ address: URL) { runtime.server = address }

    /// Initializes the SDK for a publisher.
    ///
    /// - Parameters:
    ///   - publisherID: The UUID of the publisher.
    ///   - completion: Called once on the main thread, with an error when the initialization failed.
    public static func initialize(
        publisherID: String, completion: (@MainActor @Sendable (AdException?) -> Void)? = nil
    ) {
        runtime.isAsked = runtime.isAsked || UUID(uuidString: publisherID) != nil
        runtime.add { runtime in
            do {
                try await runtime.initialize(publisherID)
                completion?(nil)
            } catch {
                completion?(AdException(error as? AdError ?? .network("\(error)")))
            }
        }
    }

    /// Whether a load would start: the publisher is known, and no ad of this placement is loading, loaded or shown.
    public static func canLoadAd(_ adType: YabbiAdType, _ placementName: String) -> Bool {
        guard runtime.isAsked else { return false }
        switch runtime.adPlacement(adType, placementName)?.state {
        case .loading, .ready, .showing, .shown: return false
        case .initial, .closed, .failed, .expired, nil: return true
        }
    }

    /// Loads an ad; the delegate of the type gets the result.
    public static func loadAd(_ adType: YabbiAdType, _ placementName: String) {
        runtime.add { runtime in
            do {
                let placement = try await runtime.openPlacement(adType, placementName)
                placement.adPlacement.refreshInterval = adType == .banner ? runtime.refreshInterval : nil
                placement.adPlacement.showsCloseButton = adType != .banner || runtime.banner.showsCloseButton
                placement.load()
            } catch {
                runtime.failedToLoad(
                    adType, AdPayload(placementName: placementName),
                    error as? AdError ?? .network("\(error)"))
            }
        }
    }

    /// Whether an ad is loaded and not shown yet.
    public static func isAdLoaded(_ adType: YabbiAdType, _ placementName: String) -> Bool {
        runtime.adPlacement(adType, placementName)?.state == .ready
    }

    /// Returns the surface of a placement, for the host of the app's surfaces. All loads of a placement have the same
    /// surface; `nil` before the first load.
    ///
    /// - Throws: When the SDK's resources are missing from the app.
    public static func surface(_ adType: YabbiAdType, _ placementName: String) throws -> AdSurface? {
        try runtime.placement(adType, placementName)?.surface()
    }

    /// Shows the loaded ad; the delegate gets the result.
    ///
    /// - Parameter rootViewController: Kept for compatibility; the host of the placement's surface decides where the ad
    ///   is shown.
    public static func showAd(
        adType: YabbiAdType, placementName: String, rootViewController: UIViewController
    ) {
        guard let placement = runtime.placement(adType, placementName) else {
            return runtime.failedToShow(adType, AdPayload(placementName: placementName), .notLoaded)
        }
        placement.show()
    }

    /// Discards the ad of a placement, for which another ad can be loaded.
    public static func destroyAd(_ adType: YabbiAdType, _ placementName: String) {
        discardAds(adType, placementName)
    }

    /// Discards the ads of all placements of a type.
    public static func destroyAd(_ adType: YabbiAdType) { discardAds(adType, nil) }

    /// Discards the existing ads at once, and those of loads that are still queued after they have run.
    private static func discardAds(_ adType: YabbiAdType, _ placementName: String?) {
        runtime.destroy(adType, placementName)
        runtime.add { $0.destroy(adType, placementName) }
    }

    /// Sets the delegate for interstitials; not retained.
    public static func setInterstitialDelegate(_ delegate: (any InterstitialDelegate)?) {
        runtime.interstitialDelegate = delegate
    }

    /// Sets the delegate for rewarded videos; not retained.
    public static func setRewardedDelegate(_ delegate: (any RewardedDelegate)?) {
        runtime.rewardedDelegate = delegate
    }

    /// Sets the delegate for banners; not retained.
    public static func setBannerDelegate(_ delegate: (any BannerDelegate)?) {
        runtime.bannerDelegate = delegate
    }

    /// Changes the settings of all banners that are loaded from now on.
    public static func setBannerCustomSettings(_ change: (BannerSettings) -> Void) { change(runtime.banner) }

    /// Sets whether the user has consented to personalized ads. After a refusal, requests contain neither an
    /// advertising id nor a location.
    public static func setUserConsent(_ hasConsent: Bool) { runtime.consent.set(hasConsent) }

    /// Stores a value by name. `appStoreAppID` is the app's id in its store. Ids of other ad networks have no effect,
    /// because there are no adapters for these networks.
    public static func setCustomParams(_ key: String, _ value: String) { runtime.customParams[key] = value }

    /// Enables or disables the debug log, also that of the open session.
    public static func enableDebug(_ isOn: Bool) { runtime.setDebug(isOn) }
}
