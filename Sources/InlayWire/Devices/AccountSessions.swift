/// A log-in of an account with one application.
public struct AccountSessionSummary: Codable, Hashable, Sendable {
    /// The id of the session, with which the user can end it; it permits nothing else.
    public var id: String
    /// The name that the application gave itself.
    public var application: String
    /// The time of the log-in.
    public var openedAt: Timestamp
    /// The time of the last use, to within half an hour.
    public var usedAt: Timestamp
    /// Whether this is the session of the request.
    public var isCurrent: Bool

    private enum CodingKeys: String, CodingKey {
        case id, application, openedAt, usedAt
        case isCurrent = "current"
    }

    /// Creates a summary.
    public init(
        id: String, application: String, openedAt: Timestamp, usedAt: Timestamp, isCurrent: Bool
    ) {
        self.id = id
        self.application = application
        self.openedAt = openedAt
        self.usedAt = usedAt
        self.isCurrent = isCurrent
    }
}

/// The sessions of an account, the most recently used first.
@_spi(Inlay) public struct AccountSessionList: Codable, Hashable, Sendable {
    /// The sessions; one that cannot be read is left out.
    public var sessions: LossyArray<AccountSessionSummary>

    /// Creates a list.
    public init(sessions: [AccountSessionSummary]) { self.sessions = LossyArray(sessions) }
}

/// The body of a request that ends a session whose tokens the app has deleted already.
@_spi(Inlay) public struct AccountSessionEnd: Codable, Hashable, Sendable {
    /// The SHA-256 of the session's refresh token, in 64 lower-case hexadecimal digits. It can only end the session, so
    /// an app may store it where it would not store a token.
    public var refreshTokenHash: String

    /// Creates a request.
    public init(refreshTokenHash: String) { self.refreshTokenHash = refreshTokenHash }
}

/// The body of a request that deletes the account that is logged in: its sessions, its mails, and the credentials of
/// its devices, which then have no owner. The password or the code is required.
@_spi(Inlay) public struct AccountDeletion: Codable, Hashable, Sendable {
    /// The password.
    public var password: String?
    /// A code from the mail that was requested for the deletion.
    public var code: String?

    /// Creates a deletion that is proved by the password or by a code.
    public init(password: String? = nil, code: String? = nil) {
        self.password = password
        self.code = code
    }
}
