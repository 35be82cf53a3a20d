/// The app's own views for what a hub shows while it has no page.
///
/// Asked again whenever the status changes, so that a view can follow a download.
public protocol HubStatusViews: Sendable {
    /// What to show while the hub looks for new content; `nil` leaves it to the built-in view.
    func checking(message: String?) -> HubStatusView?
    /// What to show while content is fetched; `completed` runs from 0 to 1.
    func downloading(message: String?, completed: Double) -> HubStatusView?
    /// What to show when there is nothing to show.
    func failed(message: String?) -> HubStatusView?
}

/// What an app shows in place of a built-in status view.
public struct HubStatusView: Hashable, Sendable {
    /// The line that is read first; plain text.
    public var title: String
    /// More of it; plain text.
    public var message: String?
    /// A bar from 0 to 1; `nil` shows none.
    public var progress: Double?

    /// A status view.
    public init(title: String, message: String? = nil, progress: Double? = nil) {
        self.title = title
        self.message = message
        self.progress = progress
    }
}

extension HubStatusViews {
    /// The app's view for a status; `nil` for content, and when the app leaves it to the built-in view.
    public func view(for status: HubStatus) -> HubStatusView? {
        switch status {
        case .checking: checking(message: status.message)
        case .downloading(let percent): downloading(message: status.message, completed: percent / 100)
        case .failed: failed(message: status.message)
        case .content: nil
        }
    }
}

extension HubStatus {
    /// What is said to the reader by default; `nil` when there is nothing to say.
    public var message: String? {
        switch self {
        case .checking: nil
        case .downloading: "Waiting for new content to be downloaded"
        case .content: nil
        case .failed(let error): error.readerMessage
        }
    }
}
