import InlayCore
@_spi(Inlay) import InlayWire

/// The methods that the source calls on a presentation.
extension HubPresentation {
    /// Returns the page that comes first in a version, and the rules of the reader's tags.
    func beginning(in content: HubContent) throws(HubError) -> (page: HubReference, tailoring: HubTailoring) {
        let tailoring = source.tailoring(for: request)
        var history = inner.withLock { $0.history }
        history.keep { (try? source.check($0, in: content)) != nil }
        if let page = history.current { return (page, tailoring) }
        if case .uri(let uri) = request {
            guard let page = HubReference(uri: uri) else { throw .unknownAddress(uri) }
            try source.check(page, in: content)
            return (page, tailoring)
        }
        guard let hub = tailoring.hub(of: content.index.hubs.elements) else { throw .noHub }
        return (HubReference(.hub, hub.id), tailoring)
    }

    /// Shows a version from its first page on, or from where the reader was.
    func show(_ content: HubContent) throws(HubError) {
        let (page, tailoring) = try beginning(in: content)
        let source = source
        let isShown = change { inner in
            guard inner.state.isDisplayed else { return false }
            inner.content = content
            inner.tailoring = tailoring
            inner.history.keep { (try? source.check($0, in: content)) != nil }
            inner.history.visit(page)
            inner.state.status = .content(page)
            return true
        }
        if isShown { arrived(page, in: content, by: "present") }
    }

    /// Sets the status of a hub that waits for content: checking, or downloading with its percentage.
    ///
    /// A hub that failed shows no progress before its retry: nothing would end it if that update failed as well.
    func wait(percent: Double?) {
        change { inner in
            if case .content = inner.state.status { return }
            if percent != nil, case .failed = inner.state.status { return }
            inner.state.status = percent.map { .downloading(percent: $0) } ?? .checking
        }
    }

    /// Sets the error that is shown in place of a page.
    func fail(_ error: HubError) {
        change { inner in
            inner.content = nil
            inner.state.status = .failed(error)
        }
    }

    /// Marks the hub as displayed; it checks for its page in the current version.
    func didEnter() {
        change { inner in
            inner.state.isDisplayed = true
            inner.state.status = .checking
            inner.lastMove = nil
        }
    }

    /// Marks the hub as not displayed; keeps the reader's history, and releases the version.
    func didLeave() {
        change { inner in
            inner.state.isDisplayed = false
            inner.content = nil
        }
    }

    /// Leaves a page that the publisher recalled while it was on screen.
    func dropRecalled() {
        guard let content, page != nil else { return }
        let source = source
        let moved: HubReference? = change { inner in
            let before = inner.history.current
            inner.history.keep { (try? source.check($0, in: content)) != nil }
            guard let page = inner.history.current else {
                inner.state.status = .failed(.recalled(before?.id ?? ""))
                return nil
            }
            inner.state.status = .content(page)
            return page == before ? nil : page
        }
        if let moved { arrived(moved, in: content, by: "recall") }
    }

    /// Reports a page that came on screen: notifies the app, records a metric and counts the page's tags for the
    /// reader.
    func arrived(_ page: HubReference, in content: HubContent, by cause: String) {
        guard let item = content.item(page) else { return }
        source.stateObservers.publish(.contentChanged(item))
        source.metrics.record(
            "hub-content-viewed",
            [
                "kind": .string(page.kind.rawValue), "id": .string(page.id), "uri": .string(page.uri),
                "title": .string(item.title), "by": .string(cause), "version": .integer(content.version),
            ])
        // Going back to an article is not another interest in it.
        guard page.kind == .article, cause == "link" || cause == "present" else { return }
        source.incrementTagCounts(content.tags(of: page))
    }
}
