import InlayCore
@_spi(Inlay) import InlayWire

/// Takes the user's actions: shows their effect at once, stores them, and learns what became of them.
actor CardActions {
    typealias Outcome = Result<Void, CardActionError>

    static let lane = OutboxLane(name: "card-actions", path: InlayPath.cardActions, batchSize: 50)
    // Tickets that are asked after the answer came; what was accepted before these is forgotten, no refusal is.
    private static let maximumRemembered = 256

    private let outbox: Outbox
    private let feeds: CardFeeds
    private let work: SessionWork
    private let ready: Task<Void, Never>
    private let refused: @Sendable (PendingCardAction, Problem?) async -> Void
    private var outcomes: [String: Outcome] = [:]
    private var order: [String] = []
    private var waiters: [String: [CheckedContinuation<Outcome, Never>]] = [:]
    private var underWay: [String: PendingCardAction] = [:]
    /// Actions that could not be sent so far.
    private var stalled: [String: Outcome] = [:]

    /// Creates the actions; `refused` receives each one that the server did not accept.
    init(
        outbox: Outbox, feeds: CardFeeds, work: SessionWork, ready: Task<Void, Never>,
        refused: @escaping @Sendable (PendingCardAction, Problem?) async -> Void
    ) {
        self.outbox = outbox
        self.feeds = feeds
        self.work = work
        self.ready = ready
        self.refused = refused
    }

    /// Hides the card, stores the action, and starts to send it.
    ///
    /// The same closing action a second time is no second action: its ticket is the first one's.
    func perform(_ action: CardAction) async throws(CardActionError) -> (
        ticket: CardActionTicket, isNew: Bool
    ) {
        await ready.value
        let pending = PendingCardAction(action)
        do { try await feeds.loadMarks() } catch { throw CardActionError(storing: error) }
        if let earlier = await feeds.pending(pending) {
            guard earlier.status == pending.status else { throw .alreadyClosed(earlier.status) }
            if earlier.state == .settled { note(earlier.actionID, .success(())) } else { send(earlier) }
            return (ticket(earlier.actionID), false)
        }
        // Before the outbox has it: its answer may come before this call goes on.
        underWay[pending.actionID] = pending
        do {
            try await outbox.enqueue(action, lane: Self.lane.name) { try CardStore.insert(pending, in: $0) }
        } catch {
            underWay[pending.actionID] = nil
            await feeds.unmark(pending.actionID)
            let failure = CardActionError(storing: error)
            // Callers that asked for the same action meanwhile wait for this one.
            note(pending.actionID, .failure(failure))
            throw failure
        }
        send(pending)
        return (ticket(pending.actionID), true)
    }

    /// Learns what becomes of actions, those of earlier runs included, until the session ends.
    func follow(_ stream: AsyncStream<OutboxOutcome>) async {
        for await outcome in stream { await learn(outcome) }
        for id in Set(waiters.keys).union(underWay.keys) { note(id, .failure(.loggedOut)) }
    }

    private func learn(_ outcome: OutboxOutcome) async {
        let pending = underWay[outcome.id]
        defer { underWay[outcome.id] = nil }
        if outcome.leavesCardClosed {
            await feeds.settle(outcome.id)
        } else {
            await feeds.unmark(outcome.id)
        }
        switch outcome {
        case .accepted(let id): note(id, .success(()))
        case .refused(let id, let problem):
            note(id, .failure(.refused(problem)))
            if let pending { await refused(pending, problem) }
        case .dropped(let id, _):
            note(id, .failure(.notSent(.network(.unreachable("given up")))))
            if let pending { await refused(pending, nil) }
        }
    }

    private func send(_ pending: PendingCardAction) {
        underWay[pending.actionID] = pending
        // Ends when the lane is empty or sending failed; log-out cancels it.
        work.start { [weak self, outbox] in
            guard case .stopped(let error) = await outbox.flush(lane: Self.lane.name) else { return }
            // The lane may have stopped after this action was through; its answer is on its way then.
            let left = try? await outbox.pending(lane: Self.lane.name)
            guard left?.contains(where: { $0.id == pending.actionID }) ?? true else { return }
            await self?.stopped(pending.actionID, error)
        }
    }

    /// Handles a failed attempt. The action stays in the outbox; waiting callers get the error that it is not sent yet.
    private func stopped(_ id: String, _ error: any Error) {
        let outcome: Outcome = .failure(.notSent(CardConnectionError(sending: error)))
        waiters.removeValue(forKey: id)?.forEach { $0.resume(returning: outcome) }
        if underWay[id] != nil { stalled[id] = outcome }
    }

    private func ticket(_ id: String) -> CardActionTicket {
        CardActionTicket(id: id) { [weak self] in await self?.outcome(of: id) ?? .failure(.loggedOut) }
    }

    private func outcome(of id: String) async -> Outcome {
        if let known = outcomes[id] ?? stalled[id] { return known }
        guard underWay[id] != nil else { return .success(()) }
        return await withCheckedContinuation { waiters[id, default: []].append($0) }
    }

    private func note(_ id: String, _ outcome: Outcome) {
        stalled[id] = nil
        if outcomes.updateValue(outcome, forKey: id) == nil, case .success = outcome { order.append(id) }
        if order.count > Self.maximumRemembered { outcomes[order.removeFirst()] = nil }
        waiters.removeValue(forKey: id)?.forEach { $0.resume(returning: outcome) }
    }
}
