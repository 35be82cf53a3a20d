import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// Changes within a transaction of the caller, so that a session is opened in the transaction that checks its proof.
extension AccountTokenStore {
    /// Opens a session of an account and returns its first tokens. Ends the oldest sessions beyond ``maximumSessions``.
    static func open(
        _ environmentID: EnvironmentID, account accountID: AccountID,
        application applicationID: ApplicationID,
        at moment: Timestamp, in connection: any SQLConnection
    ) throws -> AccountSession {
        let id = SessionID(Secret.id("ses_"))
        try connection.execute(
            """
            INSERT INTO device_sessions (environment_id, id, account_id, application_id, created_at, used_at,
                expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .id(environmentID), .id(id), .id(accountID), .id(applicationID), .moment(moment),
                .moment(moment), .moment(moment + maximumLifetime),
            ])
        try connection.execute(
            "UPDATE device_accounts SET used_at = ? WHERE environment_id = ? AND id = ?",
            [.moment(moment), .id(environmentID), .id(accountID)])
        try endOldest(environmentID, accountID, in: connection)
        return try tokens(environmentID, id, parent: nil, at: moment, in: connection)
    }

    /// Inserts and returns an access and a refresh token of a session.
    static func tokens(
        _ environmentID: EnvironmentID, _ sessionID: SessionID, parent: String?, at moment: Timestamp,
        in connection: any SQLConnection
    ) throws -> AccountSession {
        let session = AccountSession(
            accessToken: OpaqueToken.make(OpaqueToken.access),
            refreshToken: OpaqueToken.make(OpaqueToken.refresh), expiresAt: moment + accessTokenLifetime)
        try insert(
            session.accessToken, "access", environmentID, sessionID, parent: nil, until: session.expiresAt,
            in: connection)
        try insert(
            session.refreshToken, "refresh", environmentID, sessionID, parent: parent,
            until: moment + idleTimeout, in: connection)
        return session
    }

    static func insert(
        _ token: String, _ kind: String, _ environmentID: EnvironmentID, _ sessionID: SessionID,
        parent: String?,
        until end: Timestamp, in connection: any SQLConnection
    ) throws {
        try connection.execute(
            """
            INSERT INTO device_tokens (token_hash, environment_id, session_id, kind, parent, expires_at, is_void)
            VALUES (?, ?, ?, ?, ?, ?, 0)
            """,
            [
                .text(Secret.hash(token)), .id(environmentID), .id(sessionID), .text(kind),
                SQLValue(parent), .moment(end),
            ])
    }

    static func end(
        _ environmentID: EnvironmentID, session id: SessionID, in connection: any SQLConnection
    ) throws {
        for sql in [
            "DELETE FROM device_tokens WHERE environment_id = ? AND session_id = ?",
            "DELETE FROM device_sessions WHERE environment_id = ? AND id = ?",
        ] {
            try connection.execute(sql, [.id(environmentID), .id(id)])
        }
    }

    /// Ends an account's sessions, all or all but one.
    static func endAll(
        _ environmentID: EnvironmentID, account accountID: AccountID, but kept: SessionID? = nil,
        in connection: any SQLConnection
    ) throws {
        let values: [SQLValue] = [.id(environmentID), .id(accountID), .text(kept?.rawValue ?? "")]
        try connection.execute(
            """
            DELETE FROM device_tokens WHERE environment_id = ? AND session_id IN (
                SELECT id FROM device_sessions WHERE environment_id = ? AND account_id = ? AND id <> ?)
            """, [.id(environmentID)] + values)
        try connection.execute(
            "DELETE FROM device_sessions WHERE environment_id = ? AND account_id = ? AND id <> ?", values)
    }

    private static func endOldest(
        _ environmentID: EnvironmentID, _ accountID: AccountID, in connection: any SQLConnection
    ) throws {
        let beyond = try connection.rows(
            """
            SELECT id FROM device_sessions WHERE environment_id = ? AND account_id = ?
            ORDER BY used_at DESC, id LIMIT 100 OFFSET ?
            """, [.id(environmentID), .id(accountID), .int(maximumSessions)])
        for row in beyond { try end(environmentID, session: try row.id("id"), in: connection) }
    }
}
