import Foundation
import InlayCore
import InlayWire

/// `POST /rest/events/submission`: events out, receipts back.
struct BehaviorWire: OutboxWire {
    func call(for items: [OutboxItem]) async throws -> APICall {
        APICall("POST", InlayPath.eventSubmission, body: BatchWire.body(#"{"events":["#, items.map(\.body)))
    }

    /// A server that is not ours says 2xx with anything, which takes the whole batch. A page in HTML is
    /// none of both: that is a network that wants somebody to log in.
    func replies(
        to items: [OutboxItem], by response: APIResponse
    ) throws(APIError) -> [OutboxReply] {
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
}
