@_spi(Inlay) import InlayWire

extension Hub {
    /// Whether an announcement with this id is the hub's to handle.
    public func owns(notificationID id: String) -> Bool { id.hasPrefix(HubScheduledNotification.idPrefix) }

    /// Performs the action of a shown announcement: presents its page, or passes its address to the app.
    ///
    /// - Parameter ask: asks the reader first, when given; nothing happens when the answer is no. Leave it
    ///   out when the reader has just tapped the announcement.
    /// - Returns: false, and nothing was asked or done, for announcements that are not the hub's.
    @discardableResult
    public func handle(
        notificationID id: String, ask: (@Sendable (HubScheduledNotification) async -> Bool)? = nil
    ) async throws(HubError) -> Bool {
        guard owns(notificationID: id) else { return false }
        let source = try engine.source
        // An old announcement may have been dropped from the stored list.
        guard let notification = await source.announcer.notification(id) else { return false }
        if let ask, await !ask(notification) { return true }
        source.metrics.record("hub-notification-opened", ["notification": .string(id)])
        try source.perform(notification.action)
        return true
    }
}

extension HubSource {
    /// Performs an announcement's action; `nil` opens the hub.
    func perform(_ action: String?) throws(HubError) {
        switch action.map({ access.decision(for: $0) }) {
        case nil: try show(.user)
        case .content(let page)?: try show(.uri(page.uri))
        case .app(let address)?: stateObservers.publish(.appLink(address))
        // The reader agreed by tapping the announcement.
        case .ask(let address)?: stateObservers.publish(.openExternal(address))
        case .refuse?: throw .unknownAddress(action ?? "")
        }
    }

    private func show(_ request: HubRequest) throws(HubError) {
        guard let shown = presentationSlot.current else {
            _ = try present(request, form: .modal)
            return
        }
        // A hub that is on screen goes to the page.
        if case .uri(let uri) = request, let page = HubReference(uri: uri) { try shown.open(page) }
    }
}
