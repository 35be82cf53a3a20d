/// One place where an account is logged in.
public struct AccountSessionSummary: Codable, Hashable, Sendable {
    /// Names the session, for ending it; worth nothing else.
    public var id: String
    /// The name that the application gave itself.
    public var application: String
    /// The time of the log-in.
    public var openedAt: Timestamp
    /// The last use, to half an hour.
    public var usedAt: Timestamp
    /// Whether it is the one that asks.
    public var isCurrent: Bool

    private enum CodingKeys: String, CodingKey {
        case id, application, openedAt, usedAt
        case isCurrent = "current"
    }

    /// A session.
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

    /// A list.
    public init(sessions: [AccountSessionSummary]) { self.sessions = LossyArray(sessions) }
}

/// Ends a session whose tokens the app has forgotten already.
@_spi(Inlay) public struct AccountSessionEnd: Codable, Hashable, Sendable {
    /// The SHA-256 of the session's refresh token, in 64 lower-case hexadecimal digits. It ends the session and
    /// opens nothing, so an app may keep it where it would keep no token.
    public var refreshTokenHash: String

    /// The end of a session.
    public init(refreshTokenHash: String) { self.refreshTokenHash = refreshTokenHash }
}

/// Deletes the account that is logged in: its sessions, its mails, and the credentials of its devices, which are
/// nobody's then. Either of the two has to be there.
@_spi(Inlay) public struct AccountDeletion: Codable, Hashable, Sendable {
    /// The password.
    public var password: String?
    /// A code from the mail that was asked for.
    public var code: String?

    /// A deletion that is proved by the password or by a code.
    public init(password: String? = nil, code: String? = nil) {
        self.password = password
        self.code = code
    }
}
