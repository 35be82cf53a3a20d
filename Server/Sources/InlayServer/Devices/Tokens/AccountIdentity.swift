import InlayWire

/// Whose access token a request came with.
package struct AccountIdentity: Hashable, Sendable {
    package let environmentID: String
    package let accountID: String
    /// The application that it was given to.
    package let applicationID: String
    /// The log-in that it came from.
    package let sessionID: String
    /// When the token ends.
    package let expiresAt: Timestamp

    /// The account as one of the environment's users.
    package var userID: String { DeviceAccount.userID(of: accountID) }
}

/// Tells whose access token this is; lets an account speak on every client route in place of an app's JWT.
///
/// Rooms do not know each other; the application gives the one to the other.
package protocol AccountTokens: Sendable {
    /// The identity, or `nil` for a token that is unknown or has ended.
    func identity(of token: String) async throws -> AccountIdentity?
}
