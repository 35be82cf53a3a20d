@_spi(Inlay) public import InlayWire
import InlayCore

extension HubPresentation {
    /// Opens a page of the content version on screen.
    public func open(_ page: HubReference) throws(HubError) {
        guard let content else { throw .noContent }
        try source.check(page, in: content)
        let isNew = change { inner in
            guard inner.state.isDisplayed else { return false }
            let before = inner.history.current
            inner.history.visit(page)
            inner.state.status = .content(page)
            // The reader opened a page since the last move, so the next move is no accidental second tap.
            if before != page { inner.lastMove = nil }
            return before != page
        }
        if isNew { arrived(page, in: content, by: "link") }
    }

    /// Goes one page back. Returns false, and does nothing, when there is no page before or the last move was less
    /// than ``moveInterval`` ago.
    @discardableResult
    public func goBack() -> Bool { move(by: "back") { $0.goBack() } }

    /// Goes one page forward. Returns false, and does nothing, when there is no page after or the last move was less
    /// than ``moveInterval`` ago.
    @discardableResult
    public func goForward() -> Bool { move(by: "forward") { $0.goForward() } }

    /// Follows a link of a page, and returns what was decided about it.
    ///
    /// A link to a page of the hub opens that page. A link with one of the app's own schemes is sent to the app as
    /// ``HubEvent/appLink(_:)``. For `ask` nothing happens yet: ask the reader, then call ``leave(for:)``.
    @discardableResult
    public func follow(_ link: String) -> HubPresentation.LinkDecision {
        let decision = access.decision(for: link)
        switch decision {
        case .content(let page): if (try? open(page)) == nil { return .refuse }
        case .app(let address):
            source.metrics.record("hub-link", ["link": .string(address), "target": "app"])
            source.stateObservers.publish(.appLink(address))
        case .ask, .refuse: break
        }
        return decision
    }

    /// Sends ``HubEvent/openExternal(_:)`` to the app. Call it after ``follow(_:)`` returned `ask` and the reader
    /// agreed.
    public func leave(for address: String) {
        guard case .ask(let address) = access.decision(for: address) else { return }
        source.metrics.record("hub-link", ["link": .string(address), "target": "external"])
        source.stateObservers.publish(.openExternal(address))
    }

    /// Takes the hub off screen.
    ///
    /// - Throws: `notDisplayed` when the hub is not on screen.
    public func dismiss() throws(HubError) {
        guard source.leave(self) else { throw .notDisplayed }
    }

    /// Closes the hub at the reader's request, from a page or from the hub's chrome.
    ///
    /// A modal hub closes. A nested one sends ``HubEvent/closeRequested(_:)`` to the app and stays: only the
    /// app knows how to close its container.
    public func requestClose() {
        guard form == .nested else {
            // A hub that is off screen already needs no closing.
            try? dismiss()
            return
        }
        source.stateObservers.publish(.closeRequested(self))
    }

    private func move(by name: String, _ step: (inout HubHistory) -> Bool) -> Bool {
        let now = source.session.clock.now()
        let page: HubReference? = change { inner in
            guard inner.state.isDisplayed, case .content = inner.state.status else { return nil }
            // Without `now >= last`, a clock that was set back would block all moves.
            if let last = inner.lastMove, now >= last, now - last < Self.moveInterval { return nil }
            guard step(&inner.history), let page = inner.history.current else { return nil }
            inner.lastMove = now
            inner.state.status = .content(page)
            return page
        }
        guard let page, let content else { return false }
        arrived(page, in: content, by: name)
        return true
    }
}
