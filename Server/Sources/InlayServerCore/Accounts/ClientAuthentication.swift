import Foundation
@_spi(Inlay) import InlayWire

/// The authentication of apps' requests, over HTTP and over sockets: it verifies the credentials and finds the user.
package struct ClientAuthentication: Sendable {
    let environments: EnvironmentStore
    let users: UserStore
    /// Resolves tokens that are not the app's own JWT.
    let accounts: any AccountTokens
    let now: @Sendable () -> Timestamp
    private let verifier = TokenVerifier()
    private let tokenCache = VerifiedTokens()

    init(
        environments: EnvironmentStore, users: UserStore, accounts: any AccountTokens,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.environments = environments
        self.users = users
        self.accounts = accounts
        self.now = now
    }

    /// The credentials that an app sends with a request.
    package struct Credentials: Sendable {
        let environmentID: String?
        let apiKeyID: String?
        package let authorization: String?
        let clientVersion: String?

        package init(
            environmentID: String?, apiKeyID: String?, authorization: String?, clientVersion: String?
        ) {
            self.environmentID = environmentID
            self.apiKeyID = apiKeyID
            self.authorization = authorization
            self.clientVersion = clientVersion
        }
    }

    /// Returns the identity behind credentials, or throws a ``Problem`` that says why they are refused.
    package func identity(_ credentials: Credentials) async throws -> ClientIdentity {
        guard let name = credentials.environmentID, let apiKeyID = credentials.apiKeyID,
            name.utf8.count <= 64, apiKeyID.utf8.count <= 64,
            case let environmentID = EnvironmentID(verified: name),
            let keys = try await environments.verificationKeys(environmentID, apiKeyID)
        else { throw Problem.unknownKey }
        guard let token = Self.bearer(credentials.authorization) else { throw Problem.tokenMissing }
        let (userID, expiresAt) = try await user(of: token, environmentID, apiKeyID, keys)
        try await users.noteSeen(environmentID, userID)
        return ClientIdentity(
            environmentID: environmentID, apiKeyID: apiKeyID, userID: userID,
            clientVersion: credentials.clientVersion ?? "unknown", expiresAt: expiresAt)
    }

    /// Returns the user of a token and the time at which the token expires. An account's token has a prefix and a JWT
    /// has dots, so neither is ever verified as the other.
    private func user(
        of token: String, _ environmentID: EnvironmentID, _ apiKeyID: String, _ keys: VerificationKeys
    ) async throws -> (id: UserID, expiresAt: Timestamp) {
        if token.hasPrefix(AccountSession.accessPrefix) {
            guard let identity = try await accounts.identity(of: token),
                identity.environmentID == environmentID
            else { throw Problem.accountSessionEnded }
            return (identity.userID, identity.expiresAt)
        }
        let moment = now()
        let verified = try tokenCache.verified(
            token, environmentID: environmentID, apiKeyID: apiKeyID, keys: keys, at: moment
        ) { try verifier.verify(token, with: keys, at: moment) }
        return (verified.userID, verified.expiresAt)
    }

    /// Returns the token of `Authorization: Bearer …`; the scheme is not case-sensitive.
    package static func bearer(_ header: String?) -> String? {
        guard let header, let space = header.firstIndex(of: " "),
            header[..<space].lowercased() == "bearer"
        else { return nil }
        let token = header[space...].trimmingCharacters(in: .whitespaces)
        return token.isEmpty ? nil : token
    }
}
