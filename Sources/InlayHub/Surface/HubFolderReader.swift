import Foundation
import InlayCore
@_spi(Inlay) import InlayHubView
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWire

/// A reader for one content version in a folder, with which an author previews content before it is signed. Nothing is
/// verified, counted or stored.
final class HubFolderReader: HubReader {
    private struct Inner {
        var history = HubHistory()
        var places = HubPageHistory()
        var isOpen = true
    }

    let appearance: HubAppearance
    let access: HubAccess
    let index: HubIndex?
    /// The status that is shown in place of any page, to preview its look.
    private let status: HubScreen.Body?
    private let folder: URL
    private let publish: @Sendable (HubPresentation.LinkDecision) -> Void
    private let inner = Locked(Inner())
    private let changes = Observers<Void>(.bufferingNewest(1))

    init(
        _ folder: URL, appearance: HubAppearance, access: HubAccess, status: HubScreen.Body?,
        publish: @escaping @Sendable (HubPresentation.LinkDecision) -> Void
    ) throws {
        self.folder = folder.resolvingSymlinksInPath()
        self.appearance = appearance
        self.access = access
        self.publish = publish
        self.status = status
        let data = try Data(contentsOf: folder.appendingPathComponent(HubIndex.target))
        let index = try JSONDecoder().decode(HubIndex.self, from: data)
        self.index = index
        if let hub = index.hubs.elements.first {
            inner.withLock { $0.history.visit(HubReference(.hub, hub.id)) }
        }
    }

    func watch(_ changed: @escaping @Sendable (HubScreen) async -> Void) async {
        for await _ in changes.stream(first: ()) { await changed(screen) }
    }

    func file(_ path: String) async throws -> Data {
        let file = folder.appendingPathComponent(path).resolvingSymlinksInPath()
        guard file.path.hasPrefix(folder.path + "/"), let data = try? Data(contentsOf: file) else {
            throw HubError.unknownFile(path)
        }
        return data
    }

    func goBack() async { change { _ = $0.history.goBack() } }
    func goForward() async { change { _ = $0.history.goForward() } }
    func close() async { change { $0.isOpen = false } }
    func retry() async { change { $0.isOpen = true } }

    func follow(_ link: String) async -> HubPresentation.LinkDecision {
        let decision = access.decision(for: link)
        switch decision {
        case .content(let page): change { $0.history.visit(page) }
        case .app: publish(decision)
        case .ask, .refuse: break
        }
        return decision
    }

    func leave(for address: String) async { publish(.ask(address)) }
    // An author's preview has no bars around it.
    func scrolled(to top: Double) async {}

    private func change(_ body: (inout Inner) -> Void) {
        inner.withLock(body)
        changes.yield(())
    }

    private var screen: HubScreen {
        inner.withLock { inner in
            guard inner.isOpen else { return HubScreen(.closed) }
            if let status { return HubScreen(status) }
            guard let page = inner.history.current, let index else { return HubScreen(.empty) }
            let canGoForward = !inner.history.ahead.isEmpty
            return HubScreen(
                index.body(page, articles: index.articles) ?? .failed(.missing, message: nil),
                place: inner.places.number(of: page, canGoForward: canGoForward),
                canGoBack: !inner.history.behind.isEmpty, canGoForward: canGoForward)
        }
    }
}
