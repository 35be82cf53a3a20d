@_spi(Inlay) import InlayWire

/// The app's function that returns a token; `nil` when there is none, which fails the waiting requests.
package typealias TokenProvider = @Sendable () async -> String?

/// A cache of the app's token, which requests a new one when the token expires.
///
/// At most one call of the provider runs at a time, however many requests wait for it. The first token fixes the user;
/// a token of another user is never used in the same session.
package actor TokenCache {
    /// The settings of a token cache; negative intervals become 0.
    package struct Rules: Sendable {
        var expiryInterval: Duration
        var retryInterval: Duration
        var userClaim: String
        var environmentID: String
        var opaque: OpaqueTokens?
        /// The maximum time for the provider to return.
        static let limit = Duration.seconds(5)

        init(_ configuration: SessionConfiguration) {
            expiryInterval = max(.zero, configuration.tokenExpiryInterval)
            retryInterval = max(.zero, configuration.tokenRetryInterval)
            userClaim = configuration.userClaim
            environmentID = configuration.environmentID
            opaque = configuration.opaqueTokens
        }
    }

    private let rules: Rules
    private let provider: TokenProvider
    private let clock: any SessionClock
    private let serverClock: ServerClock
    private let work: SessionWork
    private let notify: @Sendable (TokenChange) -> Void
    private var current: AppToken?
    private var request: Task<Result<AppToken, TokenError>, Never>?
    private var retryAfter: Timestamp?
    private var user: UserIdentity?
    private var subject: String?
    private var hadToken = false
    private var isEnded = false

    package init(
        rules: Rules, provider: @escaping TokenProvider, clock: any SessionClock, serverClock: ServerClock,
        work: SessionWork, notify: @escaping @Sendable (TokenChange) -> Void
    ) {
        self.rules = rules
        self.provider = provider
        self.clock = clock
        self.serverClock = serverClock
        self.work = work
        self.notify = notify
        subject = rules.opaque?.subject
        user = subject.map { UserIdentity(environmentID: rules.environmentID, subject: $0) }
    }

    /// Returns a token from memory, if it outlasts the expiry interval, or from the provider.
    package func token() async throws(TokenError) -> AppToken {
        guard !isEnded else { throw .loggedOut }
        if let current, current.isFresh(at: serverClock.now(), interval: rules.expiryInterval) {
            return current
        }
        return try await ask()
    }

    /// The cached token, if it can be used now without a call of the provider.
    package var cachedToken: AppToken? {
        guard let current, !isEnded, current.isFresh(at: serverClock.now(), interval: rules.expiryInterval)
        else { return nil }
        return current
    }

    /// Returns another token in place of one that the server refused.
    package func replacement(for refused: AppToken) async throws(TokenError) -> AppToken {
        if current == refused { current = nil }
        return try await token()
    }

    /// Returns the user of this session; requests a token when there was none yet.
    ///
    /// An expired token still identifies the user, so that the store opens offline with it.
    package func identity() async throws(TokenError) -> UserIdentity {
        if let user, !isEnded { return user }
        do {
            _ = try await token()
        } catch {
            guard user != nil, !isEnded else { throw error }
        }
        guard let user else { throw .none }
        return user
    }

    /// Forgets everything; waiting callers get `loggedOut`.
    package func end() {
        isEnded = true
        current = nil
        subject = nil
    }

    private func ask() async throws(TokenError) -> AppToken {
        if let request { return try await request.value.get() }
        if let retryAfter, isAhead(retryAfter) { throw .waiting(until: retryAfter) }
        let (provider, clock, work) = (provider, clock, work)
        let started = work.start { [weak self] () -> Result<AppToken, TokenError> in
            let answer = await TimeLimit.run(Rules.limit, clock: clock, work: work) { await provider() }
            let result: Result<String?, TokenError> =
                if let answer { .success(answer) } else { .failure(work.isEnded ? .loggedOut : .timedOut) }
            return await self?.received(result) ?? .failure(.loggedOut)
        }
        request = started
        return try await started.value.get()
    }

    // A device clock that was set back must not silence the session for longer than the interval.
    private func isAhead(_ moment: Timestamp) -> Bool {
        let wait = moment - clock.now()
        return wait > .zero && wait <= rules.retryInterval
    }

    private func received(_ answer: Result<String?, TokenError>) -> Result<AppToken, TokenError> {
        request = nil
        do {
            let token = try accepted(answer.get())
            retryAfter = nil
            let isFirst = !hadToken
            hadToken = true
            current = token
            notify(isFirst ? .first : .refreshed)
            return .success(token)
        } catch {
            if !isEnded { retryAfter = clock.now() + rules.retryInterval }
            notify(.failed(error))
            return .failure(error)
        }
    }

    private func accepted(_ text: String?) throws(TokenError) -> AppToken {
        guard !isEnded else { throw .loggedOut }
        guard let text else { throw .none }
        let token = try read(text)
        guard subject == nil || subject == token.subject else { throw .otherUser }
        if subject == nil {
            subject = token.subject
            user = UserIdentity(environmentID: rules.environmentID, subject: token.subject)
        }
        // The waiting requests accept a token with less life than the expiry interval: another call would only bring
        // another such token. The next request calls the provider again.
        guard token.isFresh(at: serverClock.now(), interval: .zero) else { throw .expired }
        return token
    }

    private func read(_ text: String) throws(TokenError) -> AppToken {
        guard let opaque = rules.opaque else { return try AppToken(text, userClaim: rules.userClaim) }
        let expires = opaque.lifetime(text).map { serverClock.now() + $0 }
        return try AppToken(opaque: text, subject: opaque.subject, expires: expires)
    }
}

/// A change of the session's token.
package enum TokenChange: Sendable {
    /// The first token came; the user is known now.
    case first
    /// A new token took the place of an older one.
    case refreshed
    /// There is no token.
    case failed(TokenError)
}
