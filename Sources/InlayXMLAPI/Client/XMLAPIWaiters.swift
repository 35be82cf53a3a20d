import InlayCore

/// The callers that wait for responses in this run of the app.
final class XMLAPIWaiters: Sendable {
    typealias Outcome = Result<XMLAPIResponse, XMLAPIError>

    private struct Entry {
        /// The number of callers that wait or have waited.
        var count = 0
        /// Whether one of them receives the failure of an attempt.
        var reportsFailure = false
        /// The reason why the last attempt failed. Callers receive it after the outbox has removed the request, so that
        /// the request is no longer pending for them.
        var failure: XMLAPIError?
        var outcome: Outcome?
        var waiting: [Int: CheckedContinuation<Outcome, Never>] = [:]
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var nextNumber = 0
        var isEnded = false
    }

    private let state = Locked(State())

    /// Registers a caller that will wait for a response.
    func expect(_ id: String, reportsFailure: Bool) {
        state.withLock { state in
            state.entries[id, default: Entry()].count += 1
            if reportsFailure { state.entries[id]?.reportsFailure = true }
        }
    }

    /// Removes one registration.
    func forget(_ id: String) {
        state.withLock { state in
            state.entries[id]?.count -= 1
            if let entry = state.entries[id], entry.count <= 0 { state.entries[id] = nil }
        }
    }

    /// Waits for the response of a registered request.
    func response(to id: String) async throws(XMLAPIError) -> XMLAPIResponse {
        defer { forget(id) }
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { enter($0, number, id) }
        } onCancel: {
            leave(number, id)?.resume(returning: .failure(.cancelled))
        }
        return try outcome.get()
    }

    /// Records why an attempt failed; returns false when no caller receives the failure.
    func fail(_ id: String, _ error: XMLAPIError) -> Bool {
        state.withLock { state in
            guard state.entries[id]?.reportsFailure == true else { return false }
            state.entries[id]?.failure = error
            return true
        }
    }

    /// Passes the outcome of a request that the outbox has removed to its callers.
    func settle(_ id: String, _ store: Store) async {
        guard let entry = state.withLock({ $0.entries[id] }) else { return }
        if let failure = entry.failure { return deliver(.failure(failure), to: id) }
        do throws(XMLAPIError) {
            deliver(try await XMLAPIResponses.outcome(of: id, in: store) ?? .failure(.unknownRequest), to: id)
        } catch {
            deliver(.failure(error), to: id)
        }
    }

    /// Ends all waiting with `loggedOut`.
    func end() {
        let ids = state.withLock { state in
            state.isEnded = true
            return Array(state.entries.keys)
        }
        for id in ids { deliver(.failure(.loggedOut), to: id) }
    }

    private func enter(_ continuation: CheckedContinuation<Outcome, Never>, _ number: Int, _ id: String) {
        let ready = state.withLock { state -> Outcome? in
            if let outcome = state.entries[id]?.outcome { return outcome }
            guard !state.isEnded, state.entries[id] != nil else { return .failure(.loggedOut) }
            state.entries[id]?.waiting[number] = continuation
            return nil
        }
        if let ready { return continuation.resume(returning: ready) }
        // The task may have been cancelled before the caller was entered, when the handler found no caller.
        if Task.isCancelled { leave(number, id)?.resume(returning: .failure(.cancelled)) }
    }

    private func leave(_ number: Int, _ id: String) -> CheckedContinuation<Outcome, Never>? {
        state.withLock { $0.entries[id]?.waiting.removeValue(forKey: number) }
    }

    private func deliver(_ outcome: Outcome, to id: String) {
        let waiting = state.withLock { state in
            state.entries[id]?.outcome = outcome
            defer { state.entries[id]?.waiting = [:] }
            return state.entries[id]?.waiting ?? [:]
        }
        waiting.values.forEach { $0.resume(returning: outcome) }
    }
}
