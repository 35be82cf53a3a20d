import InlayServerCore

/// The outcome of one attempt to send a notice.
enum AdNoticeOutcome: Hashable, Sendable {
    /// A 2xx.
    case acknowledged(Int)
    /// Another status.
    case rejected(Int)
    /// No usable response; the text is for operators.
    case unanswered(String)
    /// The call was not made: the host's addresses may not be called, or too many calls were under way. Both are tried
    /// again, because a resolver may answer otherwise later.
    case notCalled(String)
    /// The URL can never be called.
    case impossible(String)

    var text: String {
        switch self {
        case .acknowledged(let status), .rejected(let status): "\(status)"
        case .unanswered(let text), .notCalled(let text), .impossible(let text): text
        }
    }

    /// Whether the call got no usable response; it may have taken the whole time limit.
    var isUnanswered: Bool {
        if case .unanswered = self { true } else { false }
    }

    /// Returns the pause after a failed attempt: ten seconds in the first minute, as billing notices require, then from
    /// one minute, doubled each time, to an hour.
    static func pause(afterTry tries: Int) -> Duration {
        tries <= 6 ? .seconds(10) : .seconds(min(3_600, 60 << min(tries - 7, 10)))
    }
}
