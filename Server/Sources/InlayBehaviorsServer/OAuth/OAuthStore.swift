package import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The store of each environment's OAuth clients and their access tokens.
///
/// Secrets, refresh tokens and access tokens have 256 random bits each, so that plain SHA-256 protects them. They are
/// never stored or logged in plain text.
package struct OAuthStore: Sendable {
    /// The lifetime of an access token: four hours.
    package static let tokenLifetime: Duration = .seconds(4 * 3600)
    /// The maximum number of valid access tokens of one client; a further one revokes the oldest.
    static let maximumTokens = 1_000
    /// The channel that notifies other nodes of the environment whose tokens changed.
    static let changeChannel = "inlay_oauth"
    /// The prefix of every access token; it distinguishes one from a JWT.
    static let prefix = "oat_"

    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp
    /// The owners of access tokens, by the tokens' hashes.
    let cache = MinuteCache<String, OAuthIdentity>()

    /// Creates a store on a migrated database.
    package init(database: any SQLDatabase, now: @escaping @Sendable () -> Timestamp) {
        self.database = database
        self.now = now
    }

    /// Creates a client and returns it with its credentials, which are not stored in plain text.
    ///
    /// Throws `not-found` for an unknown environment.
    package func addClient(
        _ environmentID: EnvironmentID, id: OAuthClientID = OAuthClient.newID(), name: String
    ) async throws -> (client: OAuthClient, credentials: OAuthCredentials) {
        let client = OAuthClient(
            id: id, environmentID: environmentID, name: try Limits.name(name), createdAt: now(),
            usedAt: nil, revokedAt: nil)
        let credentials = OAuthCredentials(
            clientID: client.id, clientSecret: "ocs_" + Secret.random(bytes: 32),
            refreshToken: "ort_" + Secret.random(bytes: 32))
        do {
            _ = try await database.write {
                try $0.execute(
                    """
                    INSERT INTO oauth_clients (id, environment_id, name, secret_hash, refresh_hash, created_at)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                    [
                        .id(client.id), .id(environmentID), .text(client.name),
                        .text(Secret.hash(credentials.clientSecret)),
                        .text(Secret.hash(credentials.refreshToken)), .moment(client.createdAt),
                    ])
            }
        } catch let error as SQLError where error.kind == .foreignKeyViolation {
            throw Problem.notFound("environment", named: environmentID.rawValue)
        }
        return (client, credentials)
    }

    /// Returns the clients of an environment, including revoked ones, newest first.
    package func clients(_ environmentID: EnvironmentID) async throws -> [OAuthClient] {
        try await database.read {
            try $0.rows(
                "SELECT * FROM oauth_clients WHERE environment_id = ? ORDER BY created_at DESC, id",
                [.id(environmentID)]
            ).map(OAuthClient.init)
        }
    }

    /// Revokes a client and its tokens: on this node at once, on others within a minute. Throws `not-found`.
    package func revokeClient(_ environmentID: EnvironmentID, _ id: OAuthClientID) async throws {
        let moment = now()
        try await database.write { connection in
            let changed = try connection.execute(
                "UPDATE oauth_clients SET revoked_at = ? WHERE environment_id = ? AND id = ? AND revoked_at IS NULL",
                [.moment(moment), .id(environmentID), .id(id)])
            guard changed == 1 else { throw Problem.notFound("client") }
            try connection.execute("DELETE FROM oauth_tokens WHERE client_id = ?", [.id(id)])
        }
        cache.forget(environmentID)
        try await database.notify(Self.changeChannel, environmentID.rawValue)
    }

    /// Returns a new access token; throws for wrong credentials.
    package func grant(_ credentials: OAuthCredentials) async throws -> OAuthGrant {
        try await grant(
            clientID: credentials.clientID, secret: credentials.clientSecret,
            refreshToken: credentials.refreshToken)
    }

    /// Returns a new access token; throws ``OAuthError`` for wrong credentials.
    func grant(clientID: OAuthClientID, secret: String, refreshToken: String) async throws -> OAuthGrant {
        let row = try await database.read {
            try $0.row(
                "SELECT * FROM oauth_clients WHERE id = ? AND revoked_at IS NULL", [.id(clientID)])
        }
        // An unknown client costs the same comparison as a known one.
        let secretHash = try row?.text("secret_hash") ?? Secret.hash("")
        guard Secret.equal(secretHash, Secret.hash(secret)), let row else { throw OAuthError.invalidClient }
        guard Secret.equal(try row.text("refresh_hash"), Secret.hash(refreshToken)) else {
            throw OAuthError.invalidGrant
        }
        let token = Self.prefix + Secret.random(bytes: 32)
        try await insert(token, clientID, try row.id("environment_id"))
        return OAuthGrant(accessToken: token, life: Self.tokenLifetime)
    }

    /// Returns the client of a token, or `nil` when it is unknown, revoked or has expired.
    func identity(of token: String) async throws -> OAuthIdentity? {
        guard token.hasPrefix(Self.prefix), token.utf8.count <= 128 else { return nil }
        let moment = now()
        let hash = Secret.hash(token)
        if let known = cache.value(hash, at: moment) { return known }
        let generation = cache.generation
        let row = try await database.read {
            try $0.row(
                "SELECT * FROM oauth_tokens WHERE token_hash = ? AND expires_at > ?",
                [.text(hash), .moment(moment)])
        }
        guard let row else { return nil }
        let identity = OAuthIdentity(
            environmentID: try row.id("environment_id"), clientID: try row.id("client_id"),
            expiresAt: try row.moment("expires_at"))
        cache.keep(
            identity, hash, of: identity.environmentID, at: moment, until: identity.expiresAt,
            ifStill: generation)
        return identity
    }

    /// Removes expired tokens.
    func purgeExpired() async throws {
        try await database.delete(
            from: "oauth_tokens", key: "token_hash", where: "expires_at <= ?", [.moment(now())])
    }

    private func insert(
        _ token: String, _ clientID: OAuthClientID, _ environmentID: EnvironmentID
    ) async throws {
        let moment = now()
        _ = try await database.write { connection in
            // Checked again in this transaction: the client may have been revoked since its secret was compared.
            let validClients = try connection.execute(
                "UPDATE oauth_clients SET used_at = ? WHERE id = ? AND revoked_at IS NULL",
                [.moment(moment), .id(clientID)])
            guard validClients == 1 else { throw OAuthError.invalidClient }
            try connection.execute(
                "INSERT INTO oauth_tokens (token_hash, environment_id, client_id, expires_at) VALUES (?, ?, ?, ?)",
                [
                    .text(Secret.hash(token)), .id(environmentID), .id(clientID),
                    .moment(moment + Self.tokenLifetime),
                ])
            try connection.execute(
                """
                DELETE FROM oauth_tokens WHERE client_id = ? AND expires_at < (
                    SELECT MIN(expires_at) FROM (SELECT expires_at FROM oauth_tokens WHERE client_id = ?
                        ORDER BY expires_at DESC LIMIT ?) AS newest)
                """, [.id(clientID), .id(clientID), .int(Self.maximumTokens)])
        }
    }
}

extension OAuthClient {
    fileprivate init(row: SQLRow) throws {
        self.init(
            id: try row.id("id"), environmentID: try row.id("environment_id"), name: try row.text("name"),
            createdAt: try row.moment("created_at"), usedAt: try row.optionalMoment("used_at"),
            revokedAt: try row.optionalMoment("revoked_at"))
    }
}
