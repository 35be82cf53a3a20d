public import Foundation
public import InlayPlatform

/// A delegate that supplies the advertiser id for reporting.
public protocol ZBiMAdvertiserIdDelegate: AnyObject, Sendable {
    /// Returns the id to report; `nil` when there is none.
    func advertiserId() -> String?
}

/// A receiver of the log messages that pass both levels.
public protocol ZBiMLoggingDelegate: AnyObject, Sendable {
    /// Receives a message of the log.
    func log(_ message: String, severityLevel: ZBiMSeverityLevel, verbosityLevel: ZBiMVerbosityLevel)
}

/// The interface by which an app controls a nested hub.
@MainActor public protocol ZBiMContentHubDelegate: AnyObject {
    /// Goes one page back, if there is one.
    func goBack()
    /// Whether there is a page to go back to.
    func canGoBack() -> Bool
    /// Goes one page forward, if there is one.
    func goForward()
    /// Whether there is a page to go forward to.
    func canGoForward() -> Bool
    /// Removes the hub from the screen; throws when it is not on screen.
    func dismiss() throws
    /// Sets the receiver of the scroll events of the hub's page; not retained.
    func setScrollDelegate(_ delegate: (any UIScrollViewDelegate)?)
    /// Sets the color behind pages that have no background of their own.
    func setBackgroundColor(_ color: UIColor)
}

/// A delegate that the view controller around a nested hub implements.
@MainActor public protocol ZBiMContentHubContainerDelegate: AnyObject {
    /// A page has requested to close the hub; the container decides how.
    func closeContentHub()
}

/// A delegate that supplies the app's own views for the hub's status while there is no page. With `nil`, no view is
/// added.
@MainActor public protocol ZBiMContentHubStatusUIDelegate: AnyObject {
    /// Returns the view for an error.
    func getErrorView(_ optionalMessage: String?) -> UIView?
    /// Returns the view that is shown while the hub checks for new content.
    func getCheckingForContentView(_ optionalMessage: String?) -> UIView?
    /// Returns the view that is shown while content is downloaded; `percentCompleted` runs from 0.0 to 1.0.
    func getDownloadProgressView(_ optionalMessage: String?, percentCompleted: CGFloat) -> UIView?
}
