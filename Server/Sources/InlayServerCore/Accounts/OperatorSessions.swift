import Crypto
import Foundation
import InlaySQL
@_spi(Inlay) package import InlayWire

/// Sign-ins of operators: a random token in a cookie, its hash in the database.
package struct OperatorSessions: Sendable {
    /// The time after which an unused sign-in ends.
    package static let idleTimeout: Duration = .seconds(12 * 3600)
    /// The time after which a sign-in ends in any case.
    package static let maximumLifetime: Duration = .seconds(7 * 24 * 3600)

    let database: any SQLDatabase
    let operators: OperatorStore
    let audit: AuditLog
    let now: @Sendable () -> Timestamp
    /// Counts wrong passwords by network.
    let networks: CallerLimiter

    init(
        _ database: any SQLDatabase, _ operators: OperatorStore, _ audit: AuditLog,
        networks: CallerLimiter, now: @escaping @Sendable () -> Timestamp
    ) {
        self.database = database
        self.operators = operators
        self.audit = audit
        self.networks = networks
        self.now = now
    }

    /// A sign-in that is in force.
    package struct Session: Hashable, Sendable {
        /// The operator who signed in, with the current role.
        package let `operator`: Operator
        /// The token that each form has in a hidden field and must send back.
        package let csrfToken: String
    }

    /// Signs in and returns the token for the cookie. `replacing` is the cookie's previous token, which ends: a token
    /// known before the sign-in is worth nothing after it.
    ///
    /// Throws as ``authenticate(login:password:address:isSignedIn:)`` does.
    package func signIn(
        login: String, password: String, address: CallerAddress, replacing old: String? = nil
    ) async throws -> (token: String, session: Session) {
        let (`operator`, passwordHash) = try await authenticate(
            login: login, password: password, address: address)
        let (token, session) = try await begin(`operator`, passwordHash: passwordHash, replacing: old)
        try await audit.record("signed in", subject: `operator`.login, by: `operator`.login)
        return (token, session)
    }

    /// Starts a sign-in of an operator who was authenticated, with the stored hash of the password.
    ///
    /// Throws `forbidden` when the password was changed or the operator disabled since then.
    package func begin(
        _ `operator`: Operator, passwordHash: String, replacing old: String? = nil
    ) async throws -> (token: String, session: Session) {
        let token = Secret.random(bytes: 32)
        let moment = now()
        _ = try await database.write { connection in
            // This locks the operator: another change of the password waits, and then ends this sign-in.
            let current = try connection.execute(
                """
                UPDATE operators SET password_hash = password_hash
                WHERE id = ? AND password_hash = ? AND disabled_at IS NULL
                """, [.text(`operator`.id), .text(passwordHash)])
            guard current == 1 else { throw Problem.signInRefused }
            if let old {
                try connection.execute(
                    "DELETE FROM operator_sessions WHERE token_hash = ?", [.text(Secret.hash(old))])
            }
            try connection.execute(
                """
                INSERT INTO operator_sessions (token_hash, operator_id, created_at, used_at, expires_at)
                VALUES (?, ?, ?, ?, ?)
                """,
                [
                    .text(Secret.hash(token)), .text(`operator`.id), .integer(moment.microseconds),
                    .integer(moment.microseconds), .integer((moment + Self.maximumLifetime).microseconds),
                ])
        }
        return (token, Session(operator: `operator`, csrfToken: Self.csrfToken(for: token)))
    }

    /// Returns the sign-in of a cookie's token, or `nil` when it has ended or never existed.
    package func session(token: String) async throws -> Session? {
        guard token.utf8.count <= 128 else { return nil }
        let moment = now(), hash = Secret.hash(token)
        let idleSince = moment - Self.idleTimeout
        let row = try await database.read {
            try $0.row(
                """
                SELECT o.*, s.used_at AS used_at FROM operator_sessions s JOIN operators o ON o.id = s.operator_id
                WHERE s.token_hash = ? AND s.expires_at > ? AND s.used_at > ? AND o.disabled_at IS NULL
                """,
                [.text(hash), .integer(moment.microseconds), .integer(idleSince.microseconds)])
        }
        guard let row else { return nil }
        // Once in five minutes is exact enough for twelve hours, and spares a write for every page.
        if moment - Timestamp(microseconds: try row.int64("used_at")) > .seconds(300) {
            _ = try await database.write {
                try $0.execute(
                    "UPDATE operator_sessions SET used_at = ? WHERE token_hash = ?",
                    [.integer(moment.microseconds), .text(hash)])
            }
        }
        return Session(operator: try Operator(row: row), csrfToken: Self.csrfToken(for: token))
    }

    /// Ends a sign-in.
    package func signOut(token: String) async throws {
        _ = try await database.write {
            try $0.execute("DELETE FROM operator_sessions WHERE token_hash = ?", [.text(Secret.hash(token))])
        }
    }

    /// Whether a form came from our own page: its hidden field has the token that only pages of this sign-in contain.
    package static func isValidCSRFToken(_ csrfToken: String?, for token: String) -> Bool {
        guard let csrfToken else { return false }
        return Secret.equal(csrfToken, Self.csrfToken(for: token))
    }

    /// Removes sign-ins that ended.
    func purgeExpired() async throws {
        let moment = now()
        _ = try await database.write {
            try $0.execute(
                "DELETE FROM operator_sessions WHERE expires_at <= ? OR used_at <= ?",
                [.integer(moment.microseconds), .integer((moment - Self.idleTimeout).microseconds)])
        }
        try await LogInAttempts.purgeExpired(.operators, at: moment, from: database)
    }

    /// Returns the CSRF token of a sign-in. It is derived, not stored: a reader of the database cannot make it, because
    /// the database has only the hash of the sign-in's token.
    package static func csrfToken(for token: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("csrf".utf8), using: SymmetricKey(data: Data(token.utf8)))
        return Secret.base64URL(Data(code))
    }
}

extension Timestamp {
    /// The moment `duration` earlier.
    package static func - (moment: Self, duration: Duration) -> Self { moment + (.zero - duration) }
}
