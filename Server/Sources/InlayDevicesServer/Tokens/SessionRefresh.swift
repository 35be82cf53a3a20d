import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// One use of a refresh token, within a transaction.
///
/// A client may send a token again within a minute, because the response with the next token was lost. Each
/// of these responses has a different token; the first one that is used makes the others void.
struct SessionRefresh {
    enum Outcome: Sendable {
        case tokens(AccountSession, accountID: AccountID)
        case unknown
        /// The token was used before, so another client has a copy of it. The session was ended.
        case reused(accountID: AccountID)
    }

    private let hash: String
    private let environmentID: EnvironmentID
    private let applicationID: ApplicationID
    private let moment: Timestamp
    private let connection: any SQLConnection

    init(
        _ hash: String, _ environmentID: EnvironmentID, _ applicationID: ApplicationID, at moment: Timestamp,
        in connection: any SQLConnection
    ) {
        self.hash = hash
        self.environmentID = environmentID
        self.applicationID = applicationID
        self.moment = moment
        self.connection = connection
    }

    func settle() throws -> Outcome {
        // The token is marked as used first and in one statement: of two simultaneous requests, only one
        // finds it unused.
        let isFirst =
            try connection.execute(
                """
                UPDATE device_tokens SET used_at = ? WHERE token_hash = ? AND environment_id = ?
                    AND kind = 'refresh' AND used_at IS NULL AND expires_at > ? AND session_id IN (
                        SELECT id FROM device_sessions WHERE environment_id = ? AND application_id = ?)
                """,
                [
                    .moment(moment), .text(hash), .id(environmentID), .moment(moment), .id(environmentID),
                    .id(applicationID),
                ]) == 1
        guard let row = try storedToken() else { return .unknown }
        let sessionID: SessionID = try row.id("session_id")
        if !isFirst, try !isRetry(row) {
            try AccountTokenStore.end(environmentID, session: sessionID, in: connection)
            return .reused(accountID: try row.id("account_id"))
        }
        if isFirst { try voidSiblings(row) }
        return .tokens(try next(sessionID), accountID: try row.id("account_id"))
    }

    private func storedToken() throws -> SQLRow? {
        try connection.row(
            """
            SELECT t.session_id, t.parent, t.used_at, t.is_void, s.account_id FROM device_tokens t
            JOIN device_sessions s ON s.environment_id = t.environment_id AND s.id = t.session_id
            WHERE t.token_hash = ? AND t.environment_id = ? AND t.kind = 'refresh' AND t.expires_at > ?
                AND s.application_id = ? AND s.expires_at > ? AND s.used_at > ?
            """,
            [
                .text(hash), .id(environmentID), .moment(moment), .id(applicationID), .moment(moment),
                .moment(moment - AccountTokenStore.idleTimeout),
            ])
    }

    /// Whether the request is a retry after a lost response.
    private func isRetry(_ row: SQLRow) throws -> Bool {
        guard try !row.bool("is_void"), let usedAt = try row.optionalMoment("used_at"),
            moment - usedAt <= AccountTokenStore.retryGrace
        else { return false }
        let children = try connection.rows(
            "SELECT used_at FROM device_tokens WHERE environment_id = ? AND parent = ?",
            [.id(environmentID), .text(hash)])
        let areUnused = try children.allSatisfy { try $0.optionalMoment("used_at") == nil }
        return areUnused && children.count <= AccountTokenStore.maximumRetries
    }

    private func voidSiblings(_ row: SQLRow) throws {
        guard let parent = try row.optionalText("parent") else { return }
        try connection.execute(
            """
            UPDATE device_tokens SET used_at = COALESCE(used_at, ?), is_void = 1
            WHERE environment_id = ? AND parent = ? AND token_hash <> ?
            """, [.moment(moment), .id(environmentID), .text(parent), .text(hash)])
    }

    private func next(_ sessionID: SessionID) throws -> AccountSession {
        try connection.execute(
            "UPDATE device_sessions SET used_at = ? WHERE environment_id = ? AND id = ?",
            [.moment(moment), .id(environmentID), .id(sessionID)])
        return try AccountTokenStore.tokens(
            environmentID, sessionID, parent: hash, at: moment, in: connection)
    }
}
