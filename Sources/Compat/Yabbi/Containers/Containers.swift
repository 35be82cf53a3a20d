public import InlayPlatform

/// An ad over the whole page: HTML.
public final class InterstitialAdContainer: AdContainer {
    /// A container for an ad place; without a controller the top-most one presents.
    public init(publisherId: String, unitId: String, controller: UIViewController? = nil) {
        super.init(.interstitial, publisherId: publisherId, unitId: unitId, controller: controller)
    }
}

/// A video over the whole page. Whether it is a rewarded one, the ad place's settings on the server decide.
public final class VideoAdContainer: AdContainer {
    /// A container for an ad place; without a controller the top-most one presents.
    public init(publisherId: String, unitId: String, controller: UIViewController? = nil) {
        super.init(.rewarded, publisherId: publisherId, unitId: unitId, controller: controller)
    }
}
