/// The texts of a hub's own interface; an app may set others.
public enum HubString: String, Codable, Hashable, Sendable, CaseIterable {
    case back, forward, close, tryAgain, cancel
    /// The title while there is no page.
    case hubTitle
    case checking, downloading
    case errorTitle, errorMessage, offlineTitle, offlineMessage
    case disabledTitle, disabledMessage
    case emptyTitle, emptyMessage, emptyChannel
    /// The text in place of a hub that was closed, and the button that opens it again.
    case closed, openAgain
    /// The title of an article that cannot be shown, and why.
    case missingTitle, missingMessage
    /// The notice above expired content; `{{date}}` is the day of its expiry.
    case stale
    /// The link to a channel's own page; `{{channel}}` is its title, for screen readers.
    case seeAll, seeAllOf
    /// The question before leaving; `{{address}}` is where the link leads.
    case leaveTitle, leaveMessage, leaveConfirm
    /// The labels for screen readers of the frame of an article and of the player of a video.
    case article, video
    /// The button that leaves a video.
    case closeVideo

    /// The built-in text.
    public var text: String {
        switch self {
        case .back: "Back"
        case .forward: "Forward"
        case .close: "Close"
        case .tryAgain: "Try again"
        case .cancel: "Cancel"
        case .hubTitle: "Hub"
        case .checking: "Checking for new content"
        case .downloading: "Waiting for new content to be downloaded"
        case .errorTitle: "This could not be loaded"
        case .errorMessage: "Something went wrong on the way. Try again in a moment."
        case .offlineTitle: "You are offline"
        case .offlineMessage:
            "There is nothing to read on this device yet. Connect to the internet and try again."
        case .disabledTitle: "Not available right now"
        case .disabledMessage: "The publisher has switched this content off for the time being."
        case .emptyTitle: "Nothing to read yet"
        case .emptyMessage: "New articles appear here as soon as they are published."
        case .emptyChannel: "No articles in this channel yet."
        case .closed: "Closed."
        case .openAgain: "Open again"
        case .missingTitle: "This page is gone"
        case .missingMessage: "It was taken back or moved by its publisher."
        case .stale: "This content may be out of date. It was last confirmed on {{date}}."
        case .seeAll: "See all"
        case .seeAllOf: "See all of {{channel}}"
        case .leaveTitle: "Leave the app?"
        case .leaveMessage: "This link opens in your browser:"
        case .leaveConfirm: "Open in browser"
        case .article: "Article"
        case .video: "Video"
        case .closeVideo: "Close video"
        }
    }
}
