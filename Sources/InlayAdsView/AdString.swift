/// The words of an ad's own parts; an app may set others.
public enum AdString: String, Codable, Hashable, Sendable, CaseIterable {
    /// The label of the ad for screen readers, and the mark on a video.
    case ad, mark
    /// The button that closes the ad; the one that makes an enlarged one small again.
    case close, collapse
    /// Announced by a screen reader when the button appears.
    case canClose
    case play, sound, learnMore
    case skip
    /// `{{seconds}}` is filled in while the video runs.
    case skipIn, rewardIn
    case rewarded
    /// The label for screen readers of the picture that names who placed the ad.
    case about
    /// The label for screen readers of the page of a click, and of the button that closes it.
    case landing, closeLanding

    /// Inlay's own words.
    public var text: String {
        switch self {
        case .ad: "Advertisement"
        case .mark: "Ad"
        case .close: "Close ad"
        case .collapse: "Make the ad small again"
        case .canClose: "The ad can be closed now."
        case .play: "Play"
        case .sound: "Sound"
        case .learnMore: "Learn more"
        case .skip: "Skip"
        case .skipIn: "Skip in {{seconds}} s"
        case .rewardIn: "Reward in {{seconds}} s"
        case .rewarded: "Reward earned"
        case .about: "About this ad"
        case .landing: "Page of the advertiser"
        case .closeLanding: "Back to the app"
        }
    }
}
