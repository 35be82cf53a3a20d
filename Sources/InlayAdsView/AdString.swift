/// The texts of the controls around an ad, which an app may replace.
public enum AdString: String, Codable, Hashable, Sendable, CaseIterable {
    /// The label of the ad for screen readers, and the mark on a video.
    case ad, mark
    /// The button that closes the ad, and the button that makes an enlarged ad small again.
    case close, collapse
    /// The announcement of screen readers when the close button appears.
    case canClose
    case play, sound, learnMore
    case skip
    /// The texts while the video plays. `{{seconds}}` stands for the remaining seconds.
    case skipIn, rewardIn
    case rewarded
    /// The label for screen readers of the icon over a video.
    case about
    /// The label for screen readers of a landing page, and the button that closes the page.
    case landing, closeLanding

    /// Inlay's own text.
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
