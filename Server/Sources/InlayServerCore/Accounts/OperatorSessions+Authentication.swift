import InlaySQL
@_spi(Inlay) import InlayWire

extension OperatorSessions {
    /// Returns the operator with this login and password, and the password's stored hash.
    ///
    /// The attempt is counted before the password is checked, so that concurrent attempts do not evade the limit; a
    /// right password takes its count back.
    ///
    /// Throws `forbidden` for a wrong login or password, without saying which, and 429 with `Retry-After` for too many
    /// wrong ones: by ``LogInAttempts`` of the login, and by ``CallerLimit/operatorSignInFailures``, whatever the
    /// login. An operator who signed in from this network before, or has just got a new password, is counted by the
    /// login alone.
    package func authenticate(
        login: String, password: String, address: CallerAddress, isSignedIn: Bool = false
    ) async throws -> (operator: Operator, passwordHash: String) {
        let attempts = LogInAttempts(login: login, caller: address, isKnown: isSignedIn)
        let isCounted = try await admit(attempts)
        guard let found = try await operators.signingIn(login: login, password: password) else {
            try await audit.record(
                "sign-in refused", subject: login.prefix(scalars: 128), by: address.description)
            throw Problem.signInRefused
        }
        if isCounted { networks.refund(.operatorSignInFailures, from: address) }
        let moment = now()
        try await database.write { try attempts.succeed(at: moment, in: $0) }
        return found
    }

    /// Counts an attempt, or throws 429. Returns whether it was counted for the network.
    private func admit(_ attempts: LogInAttempts) async throws -> Bool {
        var isCounted = true
        do {
            try networks.spend(.operatorSignInFailures, from: attempts.caller)
        } catch let refusal as Refusal {
            guard try await isExempt(attempts) else { throw refusal }
            isCounted = false
        }
        let moment = now()
        switch try await database.write({ try attempts.begin(at: moment, in: $0) }) {
        case .allowed, .locked: return isCounted
        case .wait(let left): throw Refusal.waiting(left)
        }
    }

    /// Whether the attempts of others from this network do not limit this login.
    private func isExempt(_ attempts: LogInAttempts) async throws -> Bool {
        let since = now() - CallerLimit.operatorSignInFailures.period
        return try await database.read { connection in
            if attempts.isKnown { return true }
            if try attempts.isFromKnownNetwork(in: connection) { return true }
            return try connection.row(
                "SELECT id FROM operators WHERE login = ? AND password_set_at > ?",
                [.text(attempts.name), .integer(since.microseconds)]) != nil
        }
    }
}

extension Problem {
    /// The login is unknown or disabled, or the password is wrong.
    static let signInRefused = Problem(
        .forbidden, status: 403, title: "The login or the password is wrong.",
        detail: "After five wrong passwords you have to wait before the next, each time for longer.")
}

extension LogInAttempts {
    /// The attempts to sign in as an operator.
    init(login: String, caller: CallerAddress, isKnown: Bool = false) {
        self.init(
            table: .operators, environmentID: .noEnvironment,
            name: OperatorStore.plain(login).prefix(scalars: 128),
            caller: caller, isKnown: isKnown)
    }
}
