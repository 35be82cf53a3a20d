import InlayCore
@_spi(Inlay) import InlayCardsView
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWire

extension CardListSurface {
    /// Handles an event of a page. An event about a card or screen that is not shown does nothing.
    func act(on event: CardListEvent, from id: SurfaceViewID) async {
        switch event {
        case .refresh: startRefresh()
        // Ends with the response.
        case .retry: cards.engine.session.work.start { [weak self] in await self?.retry() }
        case .headerButton: await report(.headerButton)
        case .toastDone(let toast): list.toasts.removeAll { $0.id == toast }
        case .displayed(let card): await displayed(card, in: id)
        case .dismiss(let card): await dismiss(card)
        case .snooze(let card, let button): await snooze(card, button)
        case .openSnooze(let card): await openSnooze(card)
        case .snoozeUntil(let card, let moment): await snooze(card, until: moment)
        case .cancelSnooze(let card): await cancelSnooze(card)
        case .submit(let card, let button, let entered): await submit(card, button, entered, in: id)
        case .link(let card, let element): await follow(card, element, in: id)
        case .textLink(let card, let address):
            if self.card(card) != nil { await follow(card, address: address, .textLink, in: id) }
        case .openSubview(let card, let subview): await openSubview(card, subview)
        case .closeSubview(let card): await closeSubview(of: card)
        case .voteUseful, .voteNotUseful, .chooseReason, .sendFeedback, .cancelFeedback: await vote(event)
        }
    }

    /// Starts a refresh without waiting for it, so that a slow network does not delay the next event.
    private func startRefresh() {
        guard !list.isRefreshing else { return }
        list.isRefreshing = true
        // Ends with the response.
        cards.engine.session.work.start { [weak self] in await self?.finishRefresh() }
    }

    private func finishRefresh() async {
        await refresh()
        list.isRefreshing = false
        redraw()
    }

    /// Counts a card once per view and appearance of the view. The page reports a card when half of it was on screen
    /// for one second; a card higher than the view, when it filled half of the view for one second.
    private func displayed(_ card: String, in id: SurfaceViewID) async {
        guard let view = views[id], shown.contains(where: { $0.id == card }) else { return }
        guard !view.state.displayed.contains(card) else { return }
        views.changeState(of: id) { $0.displayed.insert(card) }
        await cards.displayed(card, in: containerID)
    }

    func card(_ id: String) -> Card? { shown.first { $0.id == id } }

    func record(
        _ name: SessionEvent.Name, card: String? = nil, properties: [String: JSONValue] = [:]
    ) async {
        await cards.engine.analytics.record(
            SessionEvent(
                name, time: cards.engine.session.serverClock.now(), properties: properties,
                containerID: containerID, itemID: card))
    }

    func toast(_ kind: CardToast.Kind) {
        let id = UUIDv7.make(at: cards.engine.session.serverClock.now())
        list.toasts.append(CardToast(id: id, kind: kind))
        redraw()
    }
}

// MARK: - Votes

extension CardListSurface {
    private func vote(_ event: CardListEvent) async {
        switch event {
        case .voteUseful(let card):
            guard self.card(card) != nil, configuration.votingOptions.contains(.useful) else { return }
            await record(.cardVotedUp, card: card, properties: ["source": "overflow"])
            toast(.feedback)
            await report(.votedUseful(card: card))
        case .voteNotUseful(let card):
            guard self.card(card) != nil, configuration.votingOptions.contains(.notUseful) else { return }
            list.overlay = .feedback(card: card)
        case .chooseReason(let card, let reason):
            guard case .feedback(card, _)? = list.overlay else { return }
            list.overlay = .feedback(card: card, reason: reason)
        case .sendFeedback(let card, let reason, let text): await sendFeedback(card, reason, text)
        case .cancelFeedback(let card):
            if case .feedback(card, _)? = list.overlay { list.overlay = nil }
        default: break
        }
    }

    private func sendFeedback(_ card: String, _ reason: CardListConfiguration.FeedbackReason, _ text: String?)
        async
    {
        guard case .feedback(card, _)? = list.overlay else { return }
        list.overlay = nil
        var properties: [String: JSONValue] = ["source": "overflow", "reason": .string(reason.rawValue)]
        properties["message"] = text.map { .string($0) }
        await record(.cardVotedDown, card: card, properties: properties)
        toast(.feedback)
        await report(.votedNotUseful(card: card, reason: reason.rawValue, text: text))
    }
}
