import Foundation
import InlayBehaviors
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayWire

/// The outbox's access to `POST /XMLAPI`: a document in the form field `xml`, its id in a header, and a document as
/// response.
///
/// Used by one lane with batches of one, so that at most one request is in progress.
struct XMLAPIWire: OutboxWire {
    private let waiters: XMLAPIWaiters
    private let network: any NetworkStatus
    private let current = Locked("")

    init(waiters: XMLAPIWaiters, network: any NetworkStatus) {
        self.waiters = waiters
        self.network = network
    }

    func call(for items: [OutboxItem]) async throws -> APICall {
        guard network.isReachable else {
            // Nothing was attempted, so no waiting caller receives the error.
            current.withLock { $0 = "" }
            throw APIError(.network(.unreachable("no network")))
        }
        let item = items[0]
        current.withLock { $0 = item.id }
        var call = APICall(
            "POST", InlayPath.xmlAPI, body: Data("xml=".utf8) + FormEncoding.escaped(item.body),
            contentType: "application/x-www-form-urlencoded")
        // The same at every attempt, also after a restart: the server recognizes a copy when the first response was
        // lost.
        call.headers[InlayHeader.requestID] = item.id
        return call
    }

    func replies(
        to items: [OutboxItem], by response: APIResponse
    ) throws(APIError) -> [OutboxReply] {
        // The login page of a network (a captive portal) is no response, whatever its status.
        do throws(XMLError) { _ = try XMLAPIResponse(reading: response.body) } catch {
            throw APIError(.invalidAnswer(error.description))
        }
        return items.map { OutboxReply(id: $0.id, response: response.body) }
    }

    /// Returns the verdict. A failure that a caller receives ends the request: the caller may post it again.
    func verdict(on error: APIError, items: Int) -> OutboxVerdict {
        let id = current.withLock { $0 }
        if waiters.fail(id, XMLAPIError(error)) { return .split(error.asProblem) }
        guard case .refused(let problem) = error.kind else { return .wait(retryAfter: error.retryAfter) }
        switch problem.status {
        case 413: return .split(problem)
        case 401, 408, 429: return .wait(retryAfter: error.retryAfter)
        case 503 where error.retryAfter != nil: return .wait(retryAfter: error.retryAfter)
        case 400..<600: return .spend(problem, retryAfter: error.retryAfter)
        default: return .wait(retryAfter: error.retryAfter)
        }
    }
}

extension APIError {
    /// The problem that the outbox stores for a failure that a caller already received.
    fileprivate var asProblem: Problem {
        if case .refused(let problem) = kind { return problem }
        return Problem(.foreignAnswer, status: 0, title: "no answer", detail: String(describing: kind))
    }
}

extension XMLAPIError {
    init(_ error: APIError) {
        switch error.kind {
        case .network(let error): self = .network(error)
        case .noToken(let error): self = .noToken(error)
        case .refused(let problem): self = .status(problem.status)
        case .invalidAnswer(let text): self = .unreadable(text)
        case .loggedOut: self = .loggedOut
        }
    }
}
