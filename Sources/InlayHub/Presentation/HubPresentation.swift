public import Foundation
@_spi(Inlay) public import InlayWire
import InlayCore

/// A hub that is or was on screen: what it shows, where the reader is, and how to move.
///
/// A dismissed presentation that is still held can be presented again, and continues where the reader was.
/// Everything can be called from any thread.
public final class HubPresentation: Sendable, Identifiable {
    /// The form of the hub on screen.
    public enum Form: Hashable, Sendable {
        /// Over the whole screen, with back, close and logo of its own.
        case modal
        /// In a view of the app, which brings its own buttons.
        case nested
    }

    /// A second request to go back or forward within this time, with no page opened in between, is ignored as an
    /// accident.
    public static let moveInterval = Duration.milliseconds(300)

    struct Inner {
        var state = HubPresentation.State()
        var history = HubHistory()
        var content: HubContent?
        var tailoring = HubTailoring()
        var lastMove: Timestamp?
    }

    /// Unique within the process.
    public let id: String
    /// The form of the hub on screen.
    public let form: Form
    /// The look of its chrome.
    public let colorScheme: HubSettings.ColorScheme
    /// Whether its chrome shows the logo.
    public let showsLogo: Bool
    let request: HubRequest
    let source: HubSource
    let inner = Locked(Inner())
    private let observers = Observers<HubPresentation.State>(.bufferingNewest(1))
    private let scrolling = Observers<Double>(.bufferingNewest(1))

    init(_ request: HubRequest, form: Form, source: HubSource) {
        let now = source.session.clock.now()
        id = UUIDv7.make(at: now)
        self.request = request
        self.form = form
        self.source = source
        let settings = source.settings
        colorScheme = settings.colorScheme
        showsLogo = settings.showsLogo
    }

    /// The current content and the possible navigation.
    public var state: HubPresentation.State { inner.withLock { $0.state } }

    /// The state now and every change; a slow reader skips some and always gets the newest.
    public var states: AsyncStream<HubPresentation.State> {
        inner.withLock { observers.stream(first: $0.state) }
    }

    /// The scroll offset of a nested hub's page from its top, in points, at every change.
    ///
    /// For an app that hides its own bars while the reader scrolls. A modal hub reports none.
    public var scrollOffsets: AsyncStream<Double> { scrolling.stream() }

    /// Whether there is a page before this one.
    public var canGoBack: Bool { state.canGoBack }

    /// Whether there is a page after this one.
    public var canGoForward: Bool { state.canGoForward }

    /// The page that is shown.
    public var page: HubReference? {
        guard case .content(let page) = state.status else { return nil }
        return page
    }

    /// The version that is shown; it does not change while the hub is on screen.
    public var content: HubContent? { inner.withLock { $0.content } }

    /// The rules for requests of pages and for links, by the current settings and the publisher's policy.
    @_spi(Inlay) public var access: HubAccess { source.access }

    /// Returns the articles of a channel as this reader sees them: best match first, without recalled ones.
    @_spi(Inlay) public func articles(of channel: HubChannel) -> [HubArticle] {
        let (content, tailoring) = inner.withLock { ($0.content, $0.tailoring) }
        guard let content else { return [] }
        let recalled = source.policies.recalled
        return tailoring.ordered(content.articles(of: channel).filter { !recalled.contains($0.id) })
    }

    /// Returns the channels of a hub with their articles, as this reader sees them.
    @_spi(Inlay) public func sections(of hub: HubPage) -> [(channel: HubChannel, articles: [HubArticle])] {
        (content?.channels(of: hub) ?? []).map { ($0, articles(of: $0)) }
    }

    /// Looks for content again after a failure, and shows it.
    public func retry() { source.retry(self) }

    /// Returns the verified bytes of a file of the shown version; files of recalled articles are refused.
    public func file(_ path: String) throws(HubError) -> Data {
        guard let content else { throw .noContent }
        if let article = Self.article(of: path), source.policies.recalled.contains(article) {
            throw .recalled(article)
        }
        return try content.file(path)
    }

    /// Waits until there is a page on screen; throws when it turns out that there will be none.
    public func shown() async throws(HubError) {
        for await state in states {
            switch state.status {
            case .content: return
            case .failed(let error): throw error
            case .checking, .downloading: if !state.isDisplayed { throw .notDisplayed }
            }
        }
        throw .cancelled
    }

    /// Reports how far a view's page is scrolled.
    func scrolled(to top: Double) { if form == .nested, state.isDisplayed { scrolling.yield(top) } }

    /// Changes the state, and notifies observers when it is another one afterwards.
    @discardableResult
    func change<Result>(_ body: (inout Inner) -> Result) -> Result {
        inner.withLock { inner in
            let before = inner.state
            let result = body(&inner)
            inner.state.canGoBack = !inner.history.behind.isEmpty
            inner.state.canGoForward = !inner.history.ahead.isEmpty
            if inner.state != before { observers.yield(inner.state) }
            return result
        }
    }

    private static func article(of path: String) -> String? {
        let parts = path.pathParts
        return parts.count > 2 && parts[0] == "articles" ? String(parts[1]) : nil
    }
}
