package import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The sessions of accounts and their opaque tokens.
///
/// A session is a log-in; it has one valid refresh token, and access tokens of half an hour. A refresh token is used
/// once: when it is used again later, another client has a copy, and the whole session ends.
package struct AccountTokenStore: AccountTokens, Sendable {
    /// An access token's life.
    package static let accessTokenLifetime: Duration = .seconds(30 * 60)
    /// The time after which an unused session ends.
    package static let idleTimeout: Duration = .seconds(90 * 24 * 3600)
    /// The time after which a session ends in any case.
    package static let maximumLifetime: Duration = .seconds(365 * 24 * 3600)
    /// The time in which the same refresh token may be used again, because a response was lost.
    static let retryGrace: Duration = .seconds(60)
    /// The maximum number of lost responses.
    static let maximumRetries = 3
    /// The maximum number of sessions of an account. A further one ends the session that was used longest ago.
    static let maximumSessions = 50

    /// The channel that notifies every node of an account whose sessions ended.
    static let sessionEndChannel = "inlay_account_ends"

    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp
    let cache = MinuteCache<String, AccountIdentity>()

    package init(database: any SQLDatabase, now: @escaping @Sendable () -> Timestamp) {
        self.database = database
        self.now = now
    }

    package func identity(of token: String) async throws -> AccountIdentity? {
        guard OpaqueToken.isWellFormed(token, OpaqueToken.access) else { return nil }
        let moment = now(), hash = Secret.hash(token)
        if let known = cache.value(hash, at: moment) { return known }
        let generation = cache.generation
        let found = try await database.read { connection in
            try connection.row(
                """
                SELECT s.environment_id, s.account_id, s.application_id, s.id, t.expires_at FROM device_tokens t
                JOIN device_sessions s ON s.environment_id = t.environment_id AND s.id = t.session_id
                JOIN device_applications p ON p.environment_id = s.environment_id AND p.id = s.application_id
                WHERE t.token_hash = ? AND t.kind = 'access' AND t.expires_at > ? AND p.revoked_at IS NULL
                """, [.text(hash), .moment(moment)]
            ).map(AccountIdentity.init)
        }
        guard let found else { return nil }
        cache.keep(
            found, hash, of: found.environmentID, at: moment, until: found.expiresAt, ifStill: generation)
        return found
    }

    /// Returns new tokens for a refresh token; `nil` when it is unknown, ended, or was used before.
    func refresh(
        _ token: String, environmentID: EnvironmentID, applicationID: ApplicationID
    ) async throws -> (session: AccountSession, accountID: AccountID)? {
        guard OpaqueToken.isWellFormed(token, OpaqueToken.refresh) else { return nil }
        let moment = now(), hash = Secret.hash(token)
        let refreshed = try await database.write { connection in
            try SessionRefresh(hash, environmentID, applicationID, at: moment, in: connection).settle()
        }
        switch refreshed {
        case .unknown: return nil
        case .reused(let accountID):
            try await ended(environmentID, accountID)
            return nil
        case .tokens(let session, let accountID): return (session, accountID)
        }
    }

    /// Creates a token by which the environment's backend finds the user and the app of a call. A session has one: a
    /// new token replaces the last.
    func applicationToken(_ identity: AccountIdentity) async throws -> String {
        let token = OpaqueToken.make(OpaqueToken.application)
        let moment = now()
        _ = try await database.write { connection in
            try connection.execute(
                "DELETE FROM device_tokens WHERE environment_id = ? AND session_id = ? AND kind = 'application'",
                [.id(identity.environmentID), .id(identity.sessionID)])
            try Self.insert(
                token, "application", identity.environmentID, identity.sessionID, parent: nil,
                until: moment + Self.maximumLifetime, in: connection)
        }
        return token
    }

    /// Ends the session of an identity.
    func end(_ identity: AccountIdentity) async throws {
        _ = try await database.write {
            try Self.end(identity.environmentID, session: identity.sessionID, in: $0)
        }
        try await ended(identity.environmentID, identity.accountID)
    }

    /// Ends every session of an account.
    package func endAll(_ environmentID: EnvironmentID, account accountID: AccountID) async throws {
        _ = try await database.write { try Self.endAll(environmentID, account: accountID, in: $0) }
        try await ended(environmentID, accountID)
    }

    /// Forgets the cached tokens of the environment and closes the account's sockets, on every node, after sessions
    /// ended.
    func ended(_ environmentID: EnvironmentID, _ accountID: AccountID) async throws {
        try await forget(environmentID)
        try await database.notify(Self.sessionEndChannel, "\(environmentID)\n\(accountID)")
    }

    /// Forgets the cached tokens of an environment, here and on the other nodes.
    func forget(_ environmentID: EnvironmentID) async throws {
        cache.forget(environmentID)
        try await database.notify(ApplicationStore.changeChannel, environmentID.rawValue)
    }

    /// Removes tokens and sessions that have ended.
    func purgeExpired() async throws {
        let moment = now()
        // Every refresh leaves a token for ninety days: 20,000 phones leave about a million a day.
        try await database.delete(
            from: "device_tokens", key: "token_hash", where: "expires_at <= ?", [.moment(moment)])
        try await database.delete(
            from: "device_sessions", key: "environment_id, id", where: "expires_at <= ? OR used_at <= ?",
            [.moment(moment), .moment(moment - Self.idleTimeout)])
    }
}

extension AccountIdentity {
    fileprivate init(row: SQLRow) throws {
        self.init(
            environmentID: try row.id("environment_id"), accountID: try row.id("account_id"),
            applicationID: try row.id("application_id"), sessionID: try row.id("id"),
            expiresAt: try row.moment("expires_at"))
    }
}
