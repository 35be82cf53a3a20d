import InlayCore
@_spi(Inlay) import InlayWire

/// The user's actions on cards: applies their effect at once, stores them, and keeps the server's responses.
actor CardActions {
    typealias Outcome = Result<Void, CardActionError>

    static let lane = OutboxLane(name: "card-actions", path: InlayPath.cardActions, batchSize: 50)
    /// The maximum number of accepted actions whose outcome is kept for their tickets. All refusals are kept.
    private static let maximumAcceptedOutcomes = 256

    private let outbox: Outbox
    private let feeds: CardFeeds
    private let work: SessionWork
    private let ready: Task<Void, Never>
    private let refused: @Sendable (PendingCardAction, Problem?) async -> Void
    private var outcomes: [String: Outcome] = [:]
    /// The ids of the accepted actions in `outcomes`, the oldest first.
    private var acceptedIDs: [String] = []
    private var waiters: [String: [CheckedContinuation<Outcome, Never>]] = [:]
    /// The actions that the server has not answered.
    private var unanswered: [String: PendingCardAction] = [:]
    /// The errors of the actions that could not be sent so far.
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
    /// When an action of the same kind has already closed the card, returns the ticket of that action.
    func perform(_ action: CardAction) async throws(CardActionError) -> (
        ticket: CardActionTicket, isNew: Bool
    ) {
        await ready.value
        let pending = PendingCardAction(action)
        do { try await feeds.loadPendingActions() } catch { throw CardActionError(storing: error) }
        if let earlier = await feeds.pending(pending) {
            guard earlier.status == pending.status else { throw .alreadyClosed(earlier.status) }
            if earlier.state == .settled { note(earlier.actionID, .success(())) } else { send(earlier) }
            return (ticket(earlier.actionID), false)
        }
        // Before the action is enqueued, because its response may arrive before this call continues.
        unanswered[pending.actionID] = pending
        do {
            try await outbox.enqueue(action, lane: Self.lane.name) { try CardStore.insert(pending, in: $0) }
        } catch {
            unanswered[pending.actionID] = nil
            await feeds.removePendingAction(pending.actionID)
            let failure = CardActionError(storing: error)
            // Callers that repeated the action meanwhile wait for its outcome.
            note(pending.actionID, .failure(failure))
            throw failure
        }
        send(pending)
        return (ticket(pending.actionID), true)
    }

    /// Handles the outcomes of all actions, including those of earlier runs, until the session ends.
    func follow(_ stream: AsyncStream<OutboxOutcome>) async {
        for await outcome in stream { await handle(outcome) }
        for id in Set(waiters.keys).union(unanswered.keys) { note(id, .failure(.loggedOut)) }
    }

    private func handle(_ outcome: OutboxOutcome) async {
        let pending = unanswered[outcome.id]
        defer { unanswered[outcome.id] = nil }
        if outcome.leavesCardClosed {
            await feeds.settle(outcome.id)
        } else {
            await feeds.removePendingAction(outcome.id)
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
        unanswered[pending.actionID] = pending
        // Ends when the lane is empty or sending failed; log-out cancels it.
        work.start { [weak self, outbox] in
            guard case .stopped(let error) = await outbox.flush(lane: Self.lane.name) else { return }
            // When the lane stopped after this action was sent, its outcome arrives through the stream.
            let left = try? await outbox.pending(lane: Self.lane.name)
            guard left?.contains(where: { $0.id == pending.actionID }) ?? true else { return }
            await self?.stopped(pending.actionID, error)
        }
    }

    /// Handles a failed attempt. The action stays in the outbox; waiting callers get the error that it is not sent yet.
    private func stopped(_ id: String, _ error: any Error) {
        let outcome: Outcome = .failure(.notSent(CardConnectionError(sending: error)))
        waiters.removeValue(forKey: id)?.forEach { $0.resume(returning: outcome) }
        if unanswered[id] != nil { stalled[id] = outcome }
    }

    private func ticket(_ id: String) -> CardActionTicket {
        CardActionTicket(id: id) { [weak self] in await self?.outcome(of: id) ?? .failure(.loggedOut) }
    }

    private func outcome(of id: String) async -> Outcome {
        if let known = outcomes[id] ?? stalled[id] { return known }
        guard unanswered[id] != nil else { return .success(()) }
        return await withCheckedContinuation { waiters[id, default: []].append($0) }
    }

    private func note(_ id: String, _ outcome: Outcome) {
        stalled[id] = nil
        if outcomes.updateValue(outcome, forKey: id) == nil, case .success = outcome {
            acceptedIDs.append(id)
        }
        if acceptedIDs.count > Self.maximumAcceptedOutcomes { outcomes[acceptedIDs.removeFirst()] = nil }
        waiters.removeValue(forKey: id)?.forEach { $0.resume(returning: outcome) }
    }
}
