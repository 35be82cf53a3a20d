import InlaySQL
import InlayWire

/// One use of a refresh token, within a transaction.
///
/// A token may come again within a minute, because the answer that held the next one was lost. Then each
/// copy of the answer holds a token of its own; the first of them that is used makes the others void.
struct SessionRefresh {
    enum Outcome: Sendable {
        case tokens(AccountSession, accountID: String)
        case unknown
        /// Somebody has a copy: the session has ended.
        case reused(accountID: String)
    }

    private let hash: String
    private let environmentID: String
    private let applicationID: String
    private let moment: Timestamp
    private let connection: any SQLConnection

    init(
        _ hash: String, _ environmentID: String, _ applicationID: String, at moment: Timestamp,
        in connection: any SQLConnection
    ) {
        self.hash = hash
        self.environmentID = environmentID
        self.applicationID = applicationID
        self.moment = moment
        self.connection = connection
    }

    func settle() throws -> Outcome {
        // Taken first and in one statement: of two that come at once, one finds it unused.
        let isFirst =
            try connection.execute(
                """
                UPDATE device_tokens SET used_at = ? WHERE token_hash = ? AND environment_id = ?
                    AND kind = 'refresh' AND used_at IS NULL AND expires_at > ? AND session_id IN (
                        SELECT id FROM device_sessions WHERE environment_id = ? AND application_id = ?)
                """,
                [
                    .moment(moment), .text(hash), .text(environmentID), .moment(moment), .text(environmentID),
                    .text(applicationID),
                ]) == 1
        guard let row = try found() else { return .unknown }
        let sessionID = try row.text("session_id")
        if !isFirst, try !isRetry(row) {
            try AccountTokenStore.end(environmentID, session: sessionID, in: connection)
            return .reused(accountID: try row.text("account_id"))
        }
        if isFirst { try voidSiblings(row) }
        return .tokens(try next(sessionID), accountID: try row.text("account_id"))
    }

    private func found() throws -> SQLRow? {
        try connection.row(
            """
            SELECT t.session_id, t.parent, t.used_at, t.is_void, s.account_id FROM device_tokens t
            JOIN device_sessions s ON s.environment_id = t.environment_id AND s.id = t.session_id
            WHERE t.token_hash = ? AND t.environment_id = ? AND t.kind = 'refresh' AND t.expires_at > ?
                AND s.application_id = ? AND s.expires_at > ? AND s.used_at > ?
            """,
            [
                .text(hash), .text(environmentID), .moment(moment), .text(applicationID), .moment(moment),
                .moment(moment - AccountTokenStore.idleLife),
            ])
    }

    /// Whether this is the same question again because its answer never came.
    private func isRetry(_ row: SQLRow) throws -> Bool {
        guard try !row.bool("is_void"), let usedAt = try row.optionalMoment("used_at"),
            moment - usedAt <= AccountTokenStore.retryGrace
        else { return false }
        let children = try connection.rows(
            "SELECT used_at FROM device_tokens WHERE environment_id = ? AND parent = ?",
            [.text(environmentID), .text(hash)])
        let areUnused = try children.allSatisfy { try $0.optionalMoment("used_at") == nil }
        return areUnused && children.count <= AccountTokenStore.mostRetries
    }

    private func voidSiblings(_ row: SQLRow) throws {
        guard let parent = try row.optionalText("parent") else { return }
        try connection.execute(
            """
            UPDATE device_tokens SET used_at = COALESCE(used_at, ?), is_void = 1
            WHERE environment_id = ? AND parent = ? AND token_hash <> ?
            """, [.moment(moment), .text(environmentID), .text(parent), .text(hash)])
    }

    private func next(_ sessionID: String) throws -> AccountSession {
        try connection.execute(
            "UPDATE device_sessions SET used_at = ? WHERE environment_id = ? AND id = ?",
            [.moment(moment), .text(environmentID), .text(sessionID)])
        return try AccountTokenStore.tokens(
            environmentID, sessionID, parent: hash, at: moment, in: connection)
    }
}
