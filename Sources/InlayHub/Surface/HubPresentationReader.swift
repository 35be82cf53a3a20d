import Foundation
import InlayCore
@_spi(Inlay) import InlayHubView
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWire

/// A presentation of a session's hub, as its surface reads it.
final class HubPresentationReader: HubReader {
    let appearance: HubAppearance
    private let presentation: HubPresentation
    private let statusViews: (any HubStatusViews)?
    private let places = Locked(HubPageHistory())

    init(_ presentation: HubPresentation, appearance: HubAppearance?) {
        self.presentation = presentation
        statusViews = presentation.source.settings.statusViews
        self.appearance = appearance ?? HubAppearance(presentation)
    }

    var access: HubAccess { presentation.access }
    var index: HubIndex? { presentation.content?.index }

    func watch(_ changed: @escaping @Sendable (HubScreen) async -> Void) async {
        let presentation = presentation
        await withTaskGroup { group in
            group.addTask { for await _ in presentation.states { await changed(self.screen) } }
            // The freshness of the content changes without the presentation.
            group.addTask {
                for await _ in presentation.source.stateObservers.observeStates() {
                    await changed(self.screen)
                }
            }
        }
    }

    func file(_ path: String) async throws -> Data { Data(try presentation.file(path)) }
    func goBack() async { presentation.goBack() }
    func goForward() async { presentation.goForward() }
    func close() async { presentation.requestClose() }

    func retry() async {
        guard !presentation.state.isDisplayed else { return presentation.retry() }
        // Another hub may be on screen by now; then this one stays closed.
        try? presentation.source.enter(presentation)
    }

    func follow(_ link: String) async -> HubPresentation.LinkDecision { presentation.follow(link) }
    func leave(for address: String) async { presentation.leave(for: address) }
    func scrolled(to top: Double) async { presentation.scrolled(to: top) }

    private var screen: HubScreen {
        let state = presentation.state
        var screen = HubScreen(
            state.isDisplayed ? body(state.status) : .closed, canGoBack: state.canGoBack,
            canGoForward: state.canGoForward, version: index?.version)
        if case .content(let page) = state.status {
            screen.place = places.withLock { $0.number(of: page, canGoForward: state.canGoForward) }
        }
        if case .stale(let since) = presentation.source.stateObservers.current.freshness {
            screen.staleSince = since
        }
        return screen
    }

    private func body(_ status: HubStatus) -> HubScreen.Body {
        if let own = statusViews?.view(for: status) {
            return .custom(
                title: own.title, message: own.message, fraction: own.progress, canRetry: status.isFailed)
        }
        switch status {
        case .checking: return .checking(message: nil)
        case .downloading(let percent): return .downloading(fraction: percent / 100, message: status.message)
        case .failed(let error): return body(error)
        case .content(let page):
            guard let index else { return .failed(.missing, message: nil) }
            return index.body(page, articles: presentation.articles) ?? .failed(.missing, message: nil)
        }
    }

    private func body(_ error: HubError) -> HubScreen.Body {
        switch error.code {
        case .disabled: .disabled(reason: error.explanation)
        case .network: .failed(.offline, message: nil)
        case .noHub: .empty
        case .recalled, .unknownAddress, .unknownFile: .failed(.missing, message: error.readerMessage)
        default: .failed(.other, message: error.readerMessage)
        }
    }
}

extension HubStatus {
    fileprivate var isFailed: Bool {
        if case .failed = self { return true }
        return false
    }
}

extension HubAppearance {
    /// The appearance that a presentation was made with.
    init(_ presentation: HubPresentation) {
        self.init(
            presentation: presentation.form == .nested ? .nested : .modal,
            colorScheme: presentation.colorScheme == .dark ? .dark : .light,
            showsMark: presentation.showsLogo)
    }
}
