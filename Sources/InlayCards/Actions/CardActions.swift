import InlayCore
import InlayWire

/// Takes the user's actions: shows their effect at once, stores them, and learns what became of them.
actor CardActions {
    typealias Outcome = Result<Void, CardActionError>

    static let lane = OutboxLane(name: "card-actions", path: InlayPath.cardActions, batchSize: 50)
    // Tickets that are asked after the answer came; what was accepted before these is forgotten, no refusal is.
    private static let longestMemory = 256

    private let outbox: Outbox
    private let board: CardBoard
    private let work: SessionWork
    private let ready: Task<Void, Never>
    private let refused: @Sendable (CardMark, Problem?) async -> Void
    private var outcomes: [String: Outcome] = [:]
    private var order: [String] = []
    private var waiters: [String: [CheckedContinuation<Outcome, Never>]] = [:]
    private var underWay: [String: CardMark] = [:]
    /// Actions that could not be sent so far.
    private var stalled: [String: Outcome] = [:]

    /// Actions that tell `refused` of every one that the server did not take.
    init(
        outbox: Outbox, board: CardBoard, work: SessionWork, ready: Task<Void, Never>,
        refused: @escaping @Sendable (CardMark, Problem?) async -> Void
    ) {
        self.outbox = outbox
        self.board = board
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
        let mark = CardMark(action)
        do { try await board.loadMarks() } catch { throw CardActionError(storing: error) }
        if let earlier = await board.mark(mark) {
            guard earlier.status == mark.status else { throw .alreadyClosed(earlier.status) }
            if earlier.state == .settled { note(earlier.actionID, .success(())) } else { send(earlier) }
            return (ticket(earlier.actionID), false)
        }
        // Before the outbox has it: its answer may come before this call goes on.
        underWay[mark.actionID] = mark
        do {
            try await outbox.enqueue(action, lane: Self.lane.name) { try CardStore.insert(mark, in: $0) }
        } catch {
            underWay[mark.actionID] = nil
            await board.unmark(mark.actionID)
            let failure = CardActionError(storing: error)
            // Whoever asked for the same action meanwhile waits for this one.
            note(mark.actionID, .failure(failure))
            throw failure
        }
        send(mark)
        return (ticket(mark.actionID), true)
    }

    /// Learns what becomes of actions, those of earlier runs included, until the session ends.
    func follow(_ stream: AsyncStream<OutboxOutcome>) async {
        for await outcome in stream { await learn(outcome) }
        for id in Set(waiters.keys).union(underWay.keys) { note(id, .failure(.loggedOut)) }
    }

    private func learn(_ outcome: OutboxOutcome) async {
        let mark = underWay[outcome.id]
        defer { underWay[outcome.id] = nil }
        if outcome.leavesCardClosed {
            await board.settle(outcome.id)
        } else {
            await board.unmark(outcome.id)
        }
        switch outcome {
        case .accepted(let id): note(id, .success(()))
        case .refused(let id, let problem):
            note(id, .failure(.refused(problem)))
            if let mark { await refused(mark, problem) }
        case .dropped(let id, _):
            note(id, .failure(.notSent(.network(.unreachable("given up")))))
            if let mark { await refused(mark, nil) }
        }
    }

    private func send(_ mark: CardMark) {
        underWay[mark.actionID] = mark
        // Ends when the lane is empty or sending failed; log-out cancels it.
        work.start { [weak self, outbox] in
            guard case .stopped(let error) = await outbox.flush(lane: Self.lane.name) else { return }
            // The lane may have stopped after this action was through; its answer is on its way then.
            let left = try? await outbox.pending(lane: Self.lane.name)
            guard left?.contains(where: { $0.id == mark.actionID }) ?? true else { return }
            await self?.stopped(mark.actionID, error)
        }
    }

    /// Sending failed. The action stays in the outbox; whoever waits now hears that it is not there yet.
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
        if order.count > Self.longestMemory { outcomes[order.removeFirst()] = nil }
        waiters.removeValue(forKey: id)?.forEach { $0.resume(returning: outcome) }
    }
}
