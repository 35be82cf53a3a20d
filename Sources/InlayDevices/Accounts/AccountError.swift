public import InlayCore
@_spi(Inlay) public import InlayWire

/// An error of an operation on accounts or devices.
public struct AccountError: Error, Hashable, Sendable {
    /// The kind of an error. The set grows: an app handles the codes that it knows and treats all others alike.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        /// A code by its name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The kind of the error.
    public let code: Code
    /// The explanation: with `unfitPassword` a text for the user, with `storage` one for developers.
    public let explanation: String?
    /// The delay that the server requests, with `tooMany`; `nil` when the server states none.
    public let retryAfter: Duration?
    /// The failure of the connection, with `network`.
    public let transportError: TransportError?
    /// The reply of the server, with `server`.
    public let problem: Problem?

    private init(
        _ code: Code, explanation: String? = nil, retryAfter: Duration? = nil,
        transportError: TransportError? = nil, problem: Problem? = nil
    ) {
        self.code = code
        self.explanation = explanation
        self.retryAfter = retryAfter
        self.transportError = transportError
        self.problem = problem
    }
}

extension AccountError.Code {
    /// The text is not a mail address; nothing was sent.
    public static let invalidAddress = Self(rawValue: "invalidAddress")
    /// The mail address has characters beyond ASCII, which addresses of accounts must not have. A domain can be
    /// entered in its ASCII form, which begins with `xn--`; for the part before the @ there is no such form.
    public static let unsupportedAddress = Self(rawValue: "unsupportedAddress")
    /// The password is wrong, or there is no account with the address. The server does not say which.
    public static let refused = Self(rawValue: "refused")
    /// The code from the mail is wrong, was used already, or has expired.
    public static let codeRefused = Self(rawValue: "codeRefused")
    /// The password is too short or too common; `explanation` says which in a text for the user.
    public static let unfitPassword = Self(rawValue: "unfitPassword")
    /// The server refuses this application: its id or secret is missing, wrong or revoked.
    public static let applicationRefused = Self(rawValue: "applicationRefused")
    /// No user is logged in, or the server ended the log-in.
    public static let notLoggedIn = Self(rawValue: "notLoggedIn")
    /// There were too many attempts. Wait for `retryAfter` before the next; if it is `nil`, for a time of your choice.
    public static let tooMany = Self(rawValue: "tooMany")
    /// There was no response; `transportError` has the failure.
    public static let network = Self(rawValue: "network")
    /// The server refused for another reason, or its response could not be read; `problem` has the details.
    public static let server = Self(rawValue: "server")
    /// This device could not store or read data that the operation needs; `explanation` has the details.
    public static let storage = Self(rawValue: "storage")
}

extension AccountError {
    package static let invalidAddress = Self(.invalidAddress)
    package static let unsupportedAddress = Self(.unsupportedAddress)
    package static let refused = Self(.refused)
    package static let codeRefused = Self(.codeRefused)
    package static let applicationRefused = Self(.applicationRefused)
    package static let notLoggedIn = Self(.notLoggedIn)

    package static func unfitPassword(_ explanation: String?) -> Self {
        Self(.unfitPassword, explanation: explanation)
    }
    package static func tooMany(retryAfter: Duration?) -> Self { Self(.tooMany, retryAfter: retryAfter) }
    package static func network(_ error: TransportError) -> Self { Self(.network, transportError: error) }
    package static func server(_ problem: Problem) -> Self { Self(.server, problem: problem) }
    package static func storage(_ explanation: String) -> Self { Self(.storage, explanation: explanation) }

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

extension AccountError: CustomStringConvertible {
    /// The code and the known details, for logs.
    public var description: String {
        ([code.rawValue]
            + [
                explanation, retryAfter.map { "\($0)" }, transportError.map { "\($0)" },
                problem.map { "\($0)" },
            ].compactMap(\.self)).joined(separator: ": ")
    }
}
