public import InlayCore
public import InlayWire

/// Why something about accounts or devices did not happen.
public enum AccountError: Error, Hashable, Sendable {
    /// The text is no mail address; nothing was sent.
    case invalidAddress
    /// The mail address has letters that no account's address may have: anything beyond ASCII. Before the @
    /// nothing helps but another address; a domain can be written in its form that begins with `xn--`.
    case unsupportedAddress
    /// Address and password do not belong together, or the account does not exist: nobody is told which.
    case refused
    /// The code from the mail is wrong, used up or too old.
    case codeRefused
    /// The password is too short or too common; the text says which, for people.
    case unfitPassword(String?)
    /// The server does not let this application in: its id or secret is missing, wrong or revoked.
    case applicationRefused
    /// Nobody is logged in, or the log-in ended at the server.
    case notLoggedIn
    /// Too many tries; wait this long, or a while when it is `nil`.
    case tooMany(retryAfter: Duration?)
    /// No answer came.
    case network(TransportError)
    /// The server refused for another reason, or its answer could not be read.
    case server(Problem)
    /// This device could not keep or read what it must; the text says what.
    case storage(String)

    init(_ problem: Problem, retryAfter: Duration?) {
        switch (problem.code, problem.status) {
        case (.applicationRefused, _): self = .applicationRefused
        case (.logInRefused, _): self = .refused
        case (.mailCodeRefused, _): self = .codeRefused
        case (.mailAddressInvalid, _): self = .invalidAddress
        case (.mailAddressUnsupported, _): self = .unsupportedAddress
        case (.passwordUnfit, _): self = .unfitPassword(problem.detail ?? problem.title)
        case (.accountSessionEnded, _), (.tokenExpired, _), (.tokenMissing, _): self = .notLoggedIn
        case (.rateLimited, _), (_, 429): self = .tooMany(retryAfter: retryAfter)
        default: self = .server(problem)
        }
    }

    init(_ error: APIError) {
        switch error.kind {
        case .network(let reason): self = .network(reason)
        case .noToken, .loggedOut: self = .notLoggedIn
        case .refused(let problem): self.init(problem, retryAfter: error.retryAfter)
        case .invalidAnswer(let text): self = .unreadable(text)
        }
    }

    static func unreadable(_ text: String) -> AccountError {
        .server(Problem(.foreignAnswer, status: 200, title: "An answer could not be read", detail: text))
    }
}
