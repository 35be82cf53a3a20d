/// An account that an app's end user has at the server.
public struct DeviceAccount: Codable, Hashable, Sendable {
    /// Names the account for ever; as a user of the session it is `account:<id>`.
    public var id: String
    /// The mail address, as `MailAddress` writes it. One account per address and environment.
    public var email: String
    /// Whether the user proved that mail to the address reaches them.
    public var proven: Bool

    /// An account.
    public init(id: String, email: String, proven: Bool) {
        self.id = id
        self.email = email
        self.proven = proven
    }

    /// The account as a user among an environment's users.
    public var userID: String { Self.userID(of: id) }

    /// The user that an account's id stands for.
    public static func userID(of id: String) -> String { "account:\(id)" }
}

/// The tokens of a logged-in app. Both are secret and are never logged.
@_spi(Inlay) public struct AccountSession: Codable, Hashable, Sendable {
    /// The prefix of an access token.
    public static let accessPrefix = "ina_"
    /// The prefix of a refresh token.
    public static let refreshPrefix = "inr_"

    /// Sent as a bearer token; lives half an hour.
    public var accessToken: String
    /// Good for one other `AccountSession`. Used twice, it ends all that came from the same log-in.
    public var refreshToken: String
    /// The expiry time of the access token, by the server's clock.
    public var expiresAt: Timestamp

    /// The tokens of a log-in.
    public init(accessToken: String, refreshToken: String, expiresAt: Timestamp) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresAt = expiresAt
    }
}

/// The answer to everything that logs in: creating at once, proving, logging in, refreshing.
@_spi(Inlay) public struct AccountOpening: Codable, Hashable, Sendable {
    /// The new tokens.
    public var session: AccountSession
    /// The account that the tokens belong to.
    public var account: DeviceAccount

    /// Tokens with their account.
    public init(session: AccountSession, account: DeviceAccount) {
        self.session = session
        self.account = account
    }
}

/// The answer to a request for an account that opens none: a mail with a code is on its way, or was
/// sent to report the attempt. The same for known and unknown addresses.
@_spi(Inlay) public struct AccountNext: Codable, Hashable, Sendable {
    /// The next step of signing in.
    public struct Step: RawRepresentable, Codable, Hashable, Sendable {
        public let rawValue: String
        /// A step by its name on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Prove the address with the code from the mail, or log in.
        public static let proof = Self(rawValue: "proof")
    }

    /// The next step.
    public var next: Step
    /// Names this request; goes back with the proof. Secret, and worth nothing without the code.
    public var request: String?

    /// An answer that names the next step.
    public init(next: Step = .proof, request: String? = nil) {
        self.next = next
        self.request = request
    }
}

/// A token by which another server of the app's makers identifies the user and the app.
@_spi(Inlay) public struct ApplicationToken: Codable, Hashable, Sendable {
    /// Opaque; dies with the user's log-out and with the application.
    public var token: String

    /// A token.
    public init(token: String) { self.token = token }
}
