import Foundation
import InlayCore
import InlayWire

/// `POST /rest/events/submission`: events out, receipts back.
struct BehaviorWire: OutboxWire {
    let store: BehaviorStore
    let network: any NetworkStatus
    let serverClock: ServerClock
    /// Set by the first answer: from then on the clock is as right as it gets.
    let isTimed: Locked<Bool>
    private let known = Locked<[Int64: SharedFacts]>([:])

    init(store: BehaviorStore, network: any NetworkStatus, serverClock: ServerClock, isTimed: Locked<Bool>) {
        (self.store, self.network, self.serverClock, self.isTimed) = (store, network, serverClock, isTimed)
    }

    func call(for items: [OutboxItem]) async throws -> APICall {
        guard network.isReachable else { throw NetworkUnreachable() }
        let kept = try items.map { try KeptBehavior(id: $0.id, time: $0.time, body: $0.body) }
        let facts = try await facts(Set(kept.map(\.facts)))
        let offset = serverClock.currentOffset
        var text = JSONText(capacity: items.count * 1024)
        text.raw(#"{"events":["#)
        for (index, event) in kept.enumerated() {
            if index > 0 { text.raw(",") }
            text.event(event.event(facts[event.facts], offset: offset))
        }
        text.raw("]}")
        return APICall("POST", InlayPath.eventSubmission, body: text.data)
    }

    /// A server that is not ours says 2xx with anything, which takes the whole batch. A page in HTML is
    /// neither: that is a network that wants somebody to log in.
    func replies(
        to items: [OutboxItem], by response: APIResponse
    ) throws(APIError) -> [OutboxReply] {
        isTimed.withLock { $0 = true }
        if let receipt = try? response.decoded(BatchReceipt.self) {
            return receipt.receipts.map { OutboxReply(id: $0.id, refusal: $0.refusal) }
        }
        let first = response.body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard first != UInt8(ascii: "<") else {
            throw APIError(.invalidAnswer("a page instead of an answer"))
        }
        return items.map { OutboxReply(id: $0.id) }
    }

    /// A try is spent when the server's answer is about the events.
    ///
    /// A 4xx on several events may be about one of them: smaller batches find out which, and only an
    /// event that was alone spends a try.
    func verdict(on error: APIError, items: Int) -> OutboxVerdict {
        guard case .refused(let problem) = error.kind else { return .wait(retryAfter: error.retryAfter) }
        switch problem.status {
        case 413: return .split(problem)
        case 401, 408, 429: return .wait(retryAfter: error.retryAfter)
        case 503 where error.retryAfter != nil: return .wait(retryAfter: error.retryAfter)
        case 400..<500 where items > 1: return .split(problem)
        case 400..<600: return .spend(problem, retryAfter: error.retryAfter)
        default: return .wait(retryAfter: error.retryAfter)
        }
    }

    private func facts(_ ids: Set<Int64>) async throws -> [Int64: SharedFacts] {
        let missing = ids.subtracting(known.withLock { Set($0.keys) })
        if !missing.isEmpty {
            let loaded = try await store.facts(missing)
            known.withLock { $0.merge(loaded) { $1 } }
        }
        return known.withLock { $0 }
    }
}
