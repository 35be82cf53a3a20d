import InlayServerCore

/// The outcome of one attempt to send a notice.
enum AdNoticeOutcome: Hashable, Sendable {
    /// A 2xx.
    case acknowledged(Int)
    /// Another status.
    case later(Int)
    /// No answer; the words are for people.
    case silent(String)
    /// Its host's addresses may not be called now. A resolver may answer otherwise later: one wrong answer is no
    /// reason to lose a bill.
    case refused(String)
    /// It is no address that can ever be called.
    case impossible(String)

    var words: String {
        switch self {
        case .acknowledged(let status), .later(let status): "\(status)"
        case .silent(let words), .refused(let words), .impossible(let words): words
        }
    }

    /// Whether the call took as long as it liked.
    var isSilent: Bool {
        if case .silent = self { true } else { false }
    }

    /// Every ten seconds in the first minute, as billing notices want it; then longer and longer.
    static func pause(afterTry tries: Int) -> Duration {
        tries <= 6 ? .seconds(10) : .seconds(min(3_600, 60 << min(tries - 7, 10)))
    }
}
