@_spi(Inlay) public import InlayWire
import InlayCore

extension HubPresentation {
    /// Goes to a page of this version.
    public func open(_ page: HubReference) throws(HubError) {
        guard let content else { throw .noContent }
        try source.check(page, in: content)
        let isNew = change { inner in
            guard inner.state.isDisplayed else { return false }
            let before = inner.history.current
            inner.history.visit(page)
            inner.state.status = .content(page)
            // The reader opened a page after the last move, so the next move is meant.
            if before != page { inner.lastMove = nil }
            return before != page
        }
        if isNew { arrived(page, in: content, by: "link") }
    }

    /// Goes one page back; false, and nothing happens, when there is none or it was asked for just before.
    @discardableResult
    public func goBack() -> Bool { move(by: "back") { $0.goBack() } }

    /// Goes one page on; false, and nothing happens, when there is none or it was asked for just before.
    @discardableResult
    public func goForward() -> Bool { move(by: "forward") { $0.goForward() } }

    /// Follows a link of a page, and says where it led.
    ///
    /// A link into the hub opens, one of the app's own schemes is handed to the app as
    /// ``HubEvent/appLink(_:)``. For `ask` nothing happens yet: ask the reader, then call
    /// ``leave(for:)``.
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

    /// The reader agreed to leave for an address that ``follow(_:)`` asked about.
    public func leave(for address: String) {
        guard case .ask(let address) = access.decision(for: address) else { return }
        source.metrics.record("hub-link", ["link": .string(address), "target": "external"])
        source.stateObservers.publish(.openExternal(address))
    }

    /// Takes the hub off screen.
    ///
    /// - Throws: `notDisplayed` when it is not on it.
    public func dismiss() throws(HubError) {
        guard source.leave(self) else { throw .notDisplayed }
    }

    /// The reader wants the hub closed, from inside a page or its chrome.
    ///
    /// A modal hub closes. A nested one tells the app by ``HubEvent/closeRequested(_:)`` and stays: only the
    /// app knows how its container goes.
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
            // A clock that was set back must not lock the reader in.
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
