import Foundation
import InlayCore
@_spi(Inlay) import InlayWire

/// The requests of the outbox to `POST /rest/events/submission`, which sends events and returns receipts.
struct BehaviorWire: OutboxWire {
    let store: BehaviorStore
    let network: any NetworkStatus
    let serverClock: ServerClock
    /// Whether the server has answered a batch. After that, the offset of the device's clock is known.
    let isClockOffsetKnown: Locked<Bool>
    private let loadedFacts = Locked<[Int64: SharedFacts]>([:])

    init(
        store: BehaviorStore, network: any NetworkStatus, serverClock: ServerClock,
        isClockOffsetKnown: Locked<Bool>
    ) {
        (self.store, self.network, self.serverClock, self.isClockOffsetKnown) = (
            store, network, serverClock, isClockOffsetKnown
        )
    }

    func call(for items: [OutboxItem]) async throws -> APICall {
        guard network.isReachable else { throw APIError(.network(.unreachable("no network"))) }
        let stored = try items.map { try OutboxBehavior(id: $0.id, time: $0.time, body: $0.body) }
        let facts = try await facts(Set(stored.map(\.facts)))
        let offset = serverClock.currentOffset
        var text = JSONText(capacity: items.count * 1024)
        text.raw(#"{"events":["#)
        for (index, event) in stored.enumerated() {
            if index > 0 { text.raw(",") }
            text.event(event.event(facts[event.facts], offset: offset))
        }
        text.raw("]}")
        return APICall("POST", InlayPath.eventSubmission, body: text.data)
    }

    /// Reads the receipts of a response.
    ///
    /// A server of another make answers 2xx with any body, which accepts the whole batch. An HTML page is the
    /// log-in page of a network (a captive portal) and throws `invalidAnswer`.
    func replies(
        to items: [OutboxItem], by response: APIResponse
    ) throws(APIError) -> [OutboxReply] {
        isClockOffsetKnown.withLock { $0 = true }
        if let receipt = try? response.decoded(BatchReceipt.self) {
            return receipt.receipts.map { OutboxReply(id: $0.id, refusal: $0.refusal) }
        }
        let first = response.body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard first != UInt8(ascii: "<") else {
            throw APIError(.invalidAnswer("a page instead of an answer"))
        }
        return items.map { OutboxReply(id: $0.id) }
    }

    /// Spends an attempt when the server refused the events themselves.
    ///
    /// A 4xx for several events may be caused by one of them. The batch is split to find that event, and only an event
    /// that was sent alone spends an attempt.
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
        let missing = ids.subtracting(loadedFacts.withLock { Set($0.keys) })
        if !missing.isEmpty {
            let loaded = try await store.facts(missing)
            loadedFacts.withLock { $0.merge(loaded) { $1 } }
        }
        return loadedFacts.withLock { $0 }
    }
}
