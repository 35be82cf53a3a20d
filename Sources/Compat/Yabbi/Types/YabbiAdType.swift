internal import InlayWire

/// The type of an ad placement, for example `Yabbi.BANNER`.
public enum YabbiAdType: String, CaseIterable, Hashable, Sendable {
    /// An ad in a part of the app's screen.
    case banner
    /// A full-screen ad: HTML or a video, depending on the ad unit's settings.
    case interstitial
    /// A full-screen video after which the user gets a reward.
    case rewarded

    var format: AdFormat {
        switch self {
        case .banner: .banner
        case .interstitial: .interstitial
        case .rewarded: .rewarded
        }
    }
}
