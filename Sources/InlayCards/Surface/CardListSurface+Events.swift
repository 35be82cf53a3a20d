import InlayCore
import InlaySurface
import InlayWire

extension CardListSurface {
    /// Acts on what a page says. A message that is no event, or names what is not on screen, does nothing.
    func received(_ message: SurfaceMessage, from id: Int) async {
        switch message.kind {
        case SurfaceMessage.Kind.ready:
            // A page that was loaded again shows nothing, whatever was sent to the one before.
            changeView(id) { $0.frame = nil }
            setEnvironment(message, id)
        case SurfaceMessage.Kind.environment: setEnvironment(message, id)
        default:
            guard let event = CardListEvent(message) else { return }
            await act(on: event, from: id)
        }
        redraw()
    }

    private func setEnvironment(_ message: SurfaceMessage, _ id: Int) {
        changeView(id) { $0.environment = SurfaceEnvironment(payload: message.payload) }
    }

    private func act(on event: CardListEvent, from id: Int) async {
        switch event {
        case .refresh: pulled()
        // Ends with the server's answer.
        case .retry: cards.engine.session.work.start { [weak self] in await self?.retry() }
        case .headerButton: await tell(.headerButton)
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
        case .closeSubview: await closeSubview()
        case .voteUseful, .voteNotUseful, .chooseReason, .sendFeedback, .cancelFeedback: await vote(event)
        }
    }

    /// Not awaited: what the user does next must not wait for a slow network.
    private func pulled() {
        guard !list.isRefreshing else { return }
        list.isRefreshing = true
        // Ends with the server's answer.
        cards.engine.session.work.start { [weak self] in await self?.finishPull() }
    }

    private func finishPull() async {
        await refresh()
        list.isRefreshing = false
        redraw()
    }

    /// Counts a card once per view and appearance; the page reports a card when half of it, or of the
    /// view where the card is higher, was on screen for one second.
    private func displayed(_ card: String, in id: Int) async {
        guard let view = view(id), shown.contains(where: { $0.id == card }) else { return }
        guard !view.displayed.contains(card) else { return }
        changeView(id) { $0.displayed.insert(card) }
        await cards.displayed(card, in: containerID)
    }

    func card(_ id: String) -> Card? { shown.first { $0.id == id } }

    func record(
        _ name: SessionEvent.Name, card: String? = nil, properties: [String: JSONValue] = [:]
    ) async {
        await cards.engine.analytics.record(
            SessionEvent(
                name, time: cards.engine.session.serverClock.now(), properties: properties,
                containerID: containerID, cardID: card))
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
            await tell(.votedUseful(card: card))
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

    private func sendFeedback(_ card: String, _ reason: CardFeedbackReason, _ text: String?) async {
        guard case .feedback(card, _)? = list.overlay else { return }
        list.overlay = nil
        var properties: [String: JSONValue] = ["source": "overflow", "reason": .string(reason.rawValue)]
        properties["message"] = text.map { .string($0) }
        await record(.cardVotedDown, card: card, properties: properties)
        toast(.feedback)
        await tell(.votedNotUseful(card: card, reason: reason.rawValue, text: text))
    }
}
