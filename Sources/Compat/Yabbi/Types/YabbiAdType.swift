internal import InlayWire

/// The kinds of ad place; `Yabbi.BANNER` and its like.
public enum YabbiAdType: String, CaseIterable, Hashable, Sendable {
    /// A part of the app's page.
    case banner
    /// An ad over the whole page: HTML, or a video, as the ad place is set.
    case interstitial
    /// A video that earns its viewer something.
    case rewarded

    var format: AdFormat {
        switch self {
        case .banner: .banner
        case .interstitial: .interstitial
        case .rewarded: .rewarded
        }
    }
}
