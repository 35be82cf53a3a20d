public import Foundation
public import InlayPlatform

/// Supplies the advertiser id for reporting.
public protocol ZBiMAdvertiserIdDelegate: AnyObject, Sendable {
    /// The id to report; `nil` is none.
    func advertiserId() -> String?
}

/// Receives what is logged, once it passed both levels.
public protocol ZBiMLoggingDelegate: AnyObject, Sendable {
    /// One line of the log.
    func log(_ message: String, severityLevel: ZBiMSeverityLevel, verbosityLevel: ZBiMVerbosityLevel)
}

/// A nested hub, as its host works with it.
@MainActor public protocol ZBiMContentHubDelegate: AnyObject {
    /// Goes one page back, if there is one.
    func goBack()
    /// Whether there is a page to go back to.
    func canGoBack() -> Bool
    /// Goes one page on, if there is one.
    func goForward()
    /// Whether there is a page to go on to.
    func canGoForward() -> Bool
    /// Takes the hub off screen; throws when it is not on it.
    func dismiss() throws
    /// Sets who hears of the scrolling of the hub's page.
    func setScrollDelegate(_ delegate: (any UIScrollViewDelegate)?)
    /// Sets what shows where a page has no background of its own.
    func setBackgroundColor(_ color: UIColor)
}

/// Implemented by the view controller around a nested hub.
@MainActor public protocol ZBiMContentHubContainerDelegate: AnyObject {
    /// The hub wants to be closed; how, its container decides.
    func closeContentHub()
}

/// Supplies the app's own views for what the hub shows while it has no page.
@MainActor public protocol ZBiMContentHubStatusUIDelegate: AnyObject {
    /// The view for an error.
    func getErrorView(_ optionalMessage: String?) -> UIView?
    /// The view while the hub looks for new content.
    func getCheckingForContentView(_ optionalMessage: String?) -> UIView?
    /// The view while content is fetched; `percentCompleted` runs from 0.0 to 1.0.
    func getDownloadProgressView(_ optionalMessage: String?, percentCompleted: CGFloat) -> UIView?
}
