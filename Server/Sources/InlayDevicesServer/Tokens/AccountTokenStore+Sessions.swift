import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The list of an account's sessions, and their end.
extension AccountTokenStore {
    /// Ends one of an account's sessions; throws `not-found`.
    func end(_ identity: AccountIdentity, session id: SessionID) async throws {
        let isEnded = try await database.write { connection -> Bool in
            let row = try connection.row(
                "SELECT id FROM device_sessions WHERE environment_id = ? AND id = ? AND account_id = ?",
                [.id(identity.environmentID), .id(id), .id(identity.accountID)])
            guard row != nil else { return false }
            try Self.end(identity.environmentID, session: id, in: connection)
            return true
        }
        guard isEnded else { throw Problem.notFound("session") }
        try await ended(identity.environmentID, identity.accountID)
    }

    /// Ends the session of a refresh token, which is found by the token's hash. An app can store the hash for a later
    /// log-out, because no token can be made from it. Does nothing for an unknown hash.
    func end(refreshTokenHash hash: String, environmentID: EnvironmentID, applicationID: ApplicationID)
        async throws
    {
        guard hash.utf8.count == 64, hash.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return }
        let accountID = try await database.write { connection -> AccountID? in
            let row = try connection.row(
                """
                SELECT s.id, s.account_id FROM device_tokens t
                JOIN device_sessions s ON s.environment_id = t.environment_id AND s.id = t.session_id
                WHERE t.token_hash = ? AND t.environment_id = ? AND t.kind = 'refresh' AND s.application_id = ?
                """, [.text(hash), .id(environmentID), .id(applicationID)])
            guard let row else { return nil }
            try Self.end(environmentID, session: try row.id("id"), in: connection)
            return try row.id("account_id")
        }
        if let accountID { try await ended(environmentID, accountID) }
    }

    /// Returns a page of the accounts that may be connected through an application, because one of their access tokens
    /// may still be valid: in the order of their ids, after the given one.
    func accountsInUse(
        _ environmentID: EnvironmentID, application id: ApplicationID, after: AccountID?, limit: Int = 500
    ) async throws -> [AccountID] {
        let moment = now()
        return try await database.read {
            try $0.rows(
                """
                SELECT DISTINCT account_id FROM device_sessions
                WHERE environment_id = ? AND application_id = ? AND used_at > ? AND account_id > ?
                ORDER BY account_id LIMIT ?
                """,
                [
                    .id(environmentID), .id(id), .moment(moment - Self.accessTokenLifetime),
                    .text(after?.rawValue ?? ""),
                    .int(limit),
                ]
            ).map { try $0.id("account_id") }
        }
    }

    /// Returns the sessions of an account, the newest use first.
    func sessions(_ identity: AccountIdentity) async throws -> [AccountSessionSummary] {
        let moment = now()
        return try await database.read {
            try $0.rows(
                """
                SELECT s.id, s.created_at, s.used_at, p.name FROM device_sessions s
                JOIN device_applications p ON p.environment_id = s.environment_id AND p.id = s.application_id
                WHERE s.environment_id = ? AND s.account_id = ? AND s.expires_at > ? AND s.used_at > ?
                    AND p.revoked_at IS NULL ORDER BY s.used_at DESC, s.id LIMIT ?
                """,
                [
                    .id(identity.environmentID), .id(identity.accountID), .moment(moment),
                    .moment(moment - Self.idleTimeout), .int(Self.maximumSessions),
                ]
            ).map { row in
                let id: SessionID = try row.id("id")
                return AccountSessionSummary(
                    id: id.rawValue, application: try row.text("name"),
                    openedAt: try row.moment("created_at"),
                    usedAt: try row.moment("used_at"), isCurrent: id == identity.sessionID)
            }
        }
    }
}
