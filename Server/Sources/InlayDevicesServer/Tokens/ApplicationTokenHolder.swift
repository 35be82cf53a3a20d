import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The holder of an application token, as returned to an environment's backend.
struct ApplicationTokenHolder: Codable, Hashable, Sendable {
    let account: DeviceAccount
    let applicationID: ApplicationID
    /// The id of the account's user in the environment.
    let userID: UserID
}

extension AccountTokenStore {
    /// Returns the holder of an application token, or `nil` when token or application is unknown or has ended.
    func holder(ofApplicationToken token: String, _ environmentID: EnvironmentID) async throws
        -> ApplicationTokenHolder?
    {
        guard OpaqueToken.isWellFormed(token, OpaqueToken.application) else { return nil }
        let moment = now()
        return try await database.read { connection in
            let row = try connection.row(
                """
                SELECT a.id, a.email, a.proven_at, s.application_id FROM device_tokens t
                JOIN device_sessions s ON s.environment_id = t.environment_id AND s.id = t.session_id
                JOIN device_accounts a ON a.environment_id = s.environment_id AND a.id = s.account_id
                JOIN device_applications p ON p.environment_id = s.environment_id AND p.id = s.application_id
                WHERE t.token_hash = ? AND t.kind = 'application' AND t.environment_id = ?
                    AND t.expires_at > ? AND p.revoked_at IS NULL
                """, [.text(Secret.hash(token)), .id(environmentID), .moment(moment)])
            guard let row else { return nil }
            let account = DeviceAccount(
                id: try row.text("id"), email: try row.text("email"),
                proven: try row.optionalMoment("proven_at") != nil)
            return ApplicationTokenHolder(
                account: account, applicationID: try row.id("application_id"),
                userID: UserID(account.userID))
        }
    }
}
