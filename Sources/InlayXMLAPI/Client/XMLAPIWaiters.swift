import InlayCore

/// Those who wait for answers in this run.
final class XMLAPIWaiters: Sendable {
    typealias Outcome = Result<XMLAPIResponse, XMLAPIError>

    private struct Entry {
        /// The number of callers that wait or have waited.
        var count = 0
        /// Whether one of them is to get the failure of an attempt.
        var reportsFailure = false
        /// The reason why the last attempt failed. Callers get it once the outbox has removed the request,
        /// so that they find it gone.
        var failure: XMLAPIError?
        var answer: Outcome?
        var waiting: [Int: CheckedContinuation<Outcome, Never>] = [:]
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var nextNumber = 0
        var isEnded = false
    }

    private let state = Locked(State())

    /// Announces that a caller will wait for an answer.
    func expect(_ id: String, reportsFailure: Bool) {
        state.withLock { state in
            state.entries[id, default: Entry()].count += 1
            if reportsFailure { state.entries[id]?.reportsFailure = true }
        }
    }

    /// Takes one announcement back.
    func forget(_ id: String) {
        state.withLock { state in
            state.entries[id]?.count -= 1
            if let entry = state.entries[id], entry.count <= 0 { state.entries[id] = nil }
        }
    }

    /// Waits for an announced answer.
    func answer(_ id: String) async throws(XMLAPIError) -> XMLAPIResponse {
        defer { forget(id) }
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { enter($0, number, id) }
        } onCancel: {
            leave(number, id)?.resume(returning: .failure(.cancelled))
        }
        return try answer.get()
    }

    /// Notes why an attempt failed; false when no caller is to get it.
    func fail(_ id: String, _ error: XMLAPIError) -> Bool {
        state.withLock { state in
            guard state.entries[id]?.reportsFailure == true else { return false }
            state.entries[id]?.failure = error
            return true
        }
    }

    /// Hands out what became of a request that has left the outbox.
    func settle(_ id: String, _ store: Store) async {
        guard let entry = state.withLock({ $0.entries[id] }) else { return }
        if let failure = entry.failure { return hand(.failure(failure), to: id) }
        do throws(XMLAPIError) {
            hand(try await XMLAPIResponses.answer(id, store) ?? .failure(.unknownRequest), to: id)
        } catch {
            hand(.failure(error), to: id)
        }
    }

    /// Ends all waiting.
    func end() {
        let ids = state.withLock { state in
            state.isEnded = true
            return Array(state.entries.keys)
        }
        for id in ids { hand(.failure(.loggedOut), to: id) }
    }

    private func enter(_ continuation: CheckedContinuation<Outcome, Never>, _ number: Int, _ id: String) {
        let ready = state.withLock { state -> Outcome? in
            if let answer = state.entries[id]?.answer { return answer }
            guard !state.isEnded, state.entries[id] != nil else { return .failure(.loggedOut) }
            state.entries[id]?.waiting[number] = continuation
            return nil
        }
        if let ready { return continuation.resume(returning: ready) }
        // Cancelled before it was entered: the handler found nothing.
        if Task.isCancelled { leave(number, id)?.resume(returning: .failure(.cancelled)) }
    }

    private func leave(_ number: Int, _ id: String) -> CheckedContinuation<Outcome, Never>? {
        state.withLock { $0.entries[id]?.waiting.removeValue(forKey: number) }
    }

    private func hand(_ answer: Outcome, to id: String) {
        let waiting = state.withLock { state in
            state.entries[id]?.answer = answer
            defer { state.entries[id]?.waiting = [:] }
            return state.entries[id]?.waiting ?? [:]
        }
        waiting.values.forEach { $0.resume(returning: answer) }
    }
}
