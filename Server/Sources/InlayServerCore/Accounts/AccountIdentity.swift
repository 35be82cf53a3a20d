@_spi(Inlay) package import InlayWire

/// The owner of the access token that came with a request.
package struct AccountIdentity: Hashable, Sendable {
    package let environmentID: EnvironmentID
    package let accountID: AccountID
    /// The application that the token was issued to.
    package let applicationID: ApplicationID
    /// The log-in that the token belongs to.
    package let sessionID: SessionID
    /// The time at which the token expires.
    package let expiresAt: Timestamp

    /// Creates the identity of a token's owner.
    package init(
        environmentID: EnvironmentID, accountID: AccountID, applicationID: ApplicationID,
        sessionID: SessionID,
        expiresAt: Timestamp
    ) {
        self.environmentID = environmentID
        self.accountID = accountID
        self.applicationID = applicationID
        self.sessionID = sessionID
        self.expiresAt = expiresAt
    }

    /// The account as one of the environment's users.
    package var userID: UserID { UserID(account: accountID) }
}

/// The access tokens of accounts, which every client route accepts in place of an app's JWT.
///
/// Features do not depend on each other; the server passes the implementation of one feature to the others.
package protocol AccountTokens: Sendable {
    /// Returns the identity of a token's owner, or `nil` for a token that is unknown or no longer valid.
    func identity(of token: String) async throws -> AccountIdentity?
}

/// The id of an application that end users log in to; unique in all environments.
package struct ApplicationID: RecordID {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }
}

/// The id of a log-in of a device account; unique within an environment.
package struct SessionID: RecordID {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }
}
