public import InlayPlatform

/// A full-screen HTML ad.
public final class InterstitialAdContainer: AdContainer {
    /// Creates a container for an ad unit. The controller is kept for compatibility: a host draws the ad.
    public init(publisherId: String, unitId: String, controller: UIViewController? = nil) {
        super.init(.interstitial, publisherId: publisherId, unitId: unitId, controller: controller)
    }
}

/// A full-screen video ad. The ad unit's settings on the server decide whether the video is rewarded.
public final class VideoAdContainer: AdContainer {
    /// Creates a container for an ad unit. The controller is kept for compatibility: a host draws the ad.
    public init(publisherId: String, unitId: String, controller: UIViewController? = nil) {
        super.init(.rewarded, publisherId: publisherId, unitId: unitId, controller: controller)
    }
}
