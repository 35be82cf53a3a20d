public import InlayWire

/// What a presented hub shows.
public enum HubStatus: Equatable, Sendable {
    /// It looks for new content.
    case checking
    /// It waits for content that is being fetched; from 0 to 100.
    case downloading(percent: Double)
    /// It shows a page.
    case content(HubReference)
    /// It has nothing to show, for this reason.
    case failed(HubError)
}

/// A presented hub at a moment.
public struct HubPresentationState: Equatable, Sendable {
    /// What it shows.
    public var status = HubStatus.checking
    /// Whether there is a page before this one.
    public var canGoBack = false
    /// Whether there is a page after this one.
    public var canGoForward = false
    /// Whether it is on screen.
    public var isDisplayed = true
}
