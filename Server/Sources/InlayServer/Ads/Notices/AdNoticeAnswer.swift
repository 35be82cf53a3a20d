/// What came of one try to tell.
enum AdNoticeAnswer: Hashable, Sendable {
    /// A 2xx.
    case acknowledged(Int)
    /// Another status.
    case later(Int)
    /// No answer; the words are for people.
    case silent(String)
    /// The address may not be called.
    case impossible(String)

    var words: String {
        switch self {
        case .acknowledged(let status), .later(let status): "\(status)"
        case .silent(let words), .impossible(let words): words
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
