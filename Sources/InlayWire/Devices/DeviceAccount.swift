/// The account of an app's end user at the server.
public struct DeviceAccount: Codable, Hashable, Sendable {
    /// The id of the account, which never changes; as a user of a session it is `account:<id>`.
    public var id: String
    /// The mail address in the spelling of `MailAddress`. An environment has one account per address.
    public var email: String
    /// Whether the user proved to receive mail at the address.
    public var proven: Bool

    /// Creates an account.
    public init(id: String, email: String, proven: Bool) {
        self.id = id
        self.email = email
        self.proven = proven
    }

    /// The id of the account among an environment's users.
    public var userID: String { Self.userID(of: id) }

    /// Returns the user id of an account's id.
    public static func userID(of id: String) -> String { "account:\(id)" }
}

/// The tokens of a logged-in app. Both are secret and are never logged.
@_spi(Inlay) public struct AccountSession: Codable, Hashable, Sendable {
    /// The prefix of an access token.
    public static let accessPrefix = "ina_"
    /// The prefix of a refresh token.
    public static let refreshPrefix = "inr_"

    /// The bearer token of requests; valid for half an hour.
    public var accessToken: String
    /// A token for one new `AccountSession`. Using it twice ends all sessions from the same log-in.
    public var refreshToken: String
    /// The expiry time of the access token, by the server's clock.
    public var expiresAt: Timestamp

    /// Creates a session.
    public init(accessToken: String, refreshToken: String, expiresAt: Timestamp) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresAt = expiresAt
    }
}

/// The response to every request that logs in: an account that opens at once, a proof, a log-in or a refresh.
@_spi(Inlay) public struct AccountOpening: Codable, Hashable, Sendable {
    /// The new tokens.
    public var session: AccountSession
    /// The account that the tokens belong to.
    public var account: DeviceAccount

    /// Creates a response.
    public init(session: AccountSession, account: DeviceAccount) {
        self.session = session
        self.account = account
    }
}

/// The response to a request for an account that opens none. A mail is sent, with a code or with a report of the
/// attempt. The response is the same for known and unknown addresses.
@_spi(Inlay) public struct AccountNext: Codable, Hashable, Sendable {
    /// The next step of signing in.
    public struct Step: RawRepresentable, Codable, Hashable, Sendable {
        public let rawValue: String
        /// A step by its name on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The app proves the address with the code from the mail, or logs in.
        public static let proof = Self(rawValue: "proof")
    }

    /// The next step.
    public var next: Step
    /// The id of this request, which the app sends with the proof. Secret, and useless without the code.
    public var request: String?

    /// Creates a response.
    public init(next: Step = .proof, request: String? = nil) {
        self.next = next
        self.request = request
    }
}

/// A token with which another server of the app's maker identifies the user and the app.
@_spi(Inlay) public struct ApplicationToken: Codable, Hashable, Sendable {
    /// The opaque token; valid until the user logs out or the application is revoked.
    public var token: String

    /// Creates a token.
    public init(token: String) { self.token = token }
}
