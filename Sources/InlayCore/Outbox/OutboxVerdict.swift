package import InlayWire

/// What a failed batch means for its items.
package enum OutboxVerdict: Hashable, Sendable {
    /// Keep all and try again, no sooner than the server asked.
    case wait(retryAfter: Duration?)
    /// The request was too large, or something in it was refused: a smaller one finds out.
    case split(Problem)
    /// One try of every item is spent; those that had their last are given up.
    case spend(Problem, retryAfter: Duration?)

    /// Only a word of our own server gives an item up: a proxy or a captive portal also answers 404.
    package init(_ error: APIError) {
        guard case .refused(let problem) = error.kind else {
            self = .wait(retryAfter: error.retryAfter)
            return
        }
        switch problem.status {
        case 413: self = .split(problem)
        case 400, 404, 405, 409, 410, 415, 422:
            let isOurs = problem.code != .foreignAnswer && problem.code != .unknownKey
            self = isOurs ? .split(problem) : .wait(retryAfter: error.retryAfter)
        // 401 and 403 mean the session, not the item; 408, 425, 429 and 5xx pass.
        default: self = .wait(retryAfter: error.retryAfter)
        }
    }
}
