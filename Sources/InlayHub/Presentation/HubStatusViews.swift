@_spi(Inlay) public import InlayWire

/// The app's own views for what a hub shows while it has no page.
///
/// Asked again whenever the status changes, so that a view can follow a download.
public protocol HubStatusViews: Sendable {
    /// Returns the view while the hub looks for new content; `nil` keeps the built-in view.
    func checking(message: String?) -> HubStatus.View?
    /// Returns the view while content is downloaded; `completed` runs from 0 to 1.
    func downloading(message: String?, completed: Double) -> HubStatus.View?
    /// Returns the view when there is no content to show.
    func failed(message: String?) -> HubStatus.View?
}

extension HubStatus {
    /// An app's replacement for a built-in status view.
    public struct View: Hashable, Sendable {
        /// The title; plain text.
        public var title: String
        /// The text below the title; plain text.
        public var message: String?
        /// The progress bar from 0 to 1; `nil` shows none.
        public var progress: Double?

        /// A status view.
        public init(title: String, message: String? = nil, progress: Double? = nil) {
            self.title = title
            self.message = message
            self.progress = progress
        }
    }
}

extension HubStatusViews {
    /// Returns the app's view for a status; `nil` for content, and when the app leaves it to the built-in view.
    public func view(for status: HubStatus) -> HubStatus.View? {
        switch status {
        case .checking: checking(message: status.message)
        case .downloading(let percent): downloading(message: status.message, completed: percent / 100)
        case .failed: failed(message: status.message)
        case .content: nil
        }
    }
}

extension HubStatus {
    /// The default message for the reader; `nil` when there is none.
    public var message: String? {
        switch self {
        case .checking: nil
        case .downloading: "Waiting for new content to be downloaded"
        case .content: nil
        case .failed(let error): error.readerMessage
        }
    }
}

/// The status of a presented hub.
public enum HubStatus: Equatable, Sendable {
    /// The hub looks for new content.
    case checking
    /// The hub waits for content that is being fetched; from 0 to 100.
    case downloading(percent: Double)
    /// The hub shows a page.
    case content(HubReference)
    /// The hub has nothing to show, for this reason.
    case failed(HubError)
}

extension HubPresentation {
    /// A presented hub at a moment.
    public struct State: Equatable, Sendable {
        /// The status on screen.
        public var status = HubStatus.checking
        /// Whether there is a page before this one.
        public var canGoBack = false
        /// Whether there is a page after this one.
        public var canGoForward = false
        /// Whether the hub is on screen.
        public var isDisplayed = true
    }
}
