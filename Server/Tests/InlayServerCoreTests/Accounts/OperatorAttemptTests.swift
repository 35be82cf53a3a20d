import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// The effect of strangers' wrong passwords on an operator, and the end of a block.
@Suite(.timeLimit(.minutes(5))) struct OperatorAttemptTests {
    private static let password = "four ferries before noon"
    private static let home: CallerAddress = "192.0.2.1"

    private func signIn(
        _ app: TestApp, _ password: String = Self.password, login: String = "ada",
        from address: CallerAddress,
        in sessions: OperatorSessions? = nil
    ) async throws {
        _ = try await (sessions ?? app.services.sessions).signIn(
            login: login, password: password, address: address)
    }

    private func withAda(
        _ engine: SQLEngine = .sqlite, _ body: @Sendable (TestApp, Operator) async throws -> Void
    ) async throws {
        try await TestApp.run(engine) { app async throws in
            let ada = try await app.services.operators.create(
                login: "ada", password: Self.password, role: .admin)
            // For one period after a new password, a used-up limit of the network does not apply.
            app.clock.advance(by: CallerLimit.operatorSignInFailures.period)
            try await body(app, ada)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `strangers' wrong passwords keep an operator out elsewhere, and not where they signed in before`(
        _ engine: SQLEngine
    ) async throws {
        try await withAda(engine) { app, _ in
            try await signIn(app, from: Self.home)
            for number in 0..<5 {
                await #expect(throws: Problem.self) {
                    try await signIn(app, "wrong wrong wrong", from: "198.51.100.\(number)")
                }
            }
            await #expect(throws: Refusal.self) { try await signIn(app, from: "203.0.113.1") }
            try await signIn(app, from: Self.home)
            // The operator's own wrong passwords count at home.
            for _ in 0..<5 {
                await #expect(throws: Problem.self) { try await signIn(app, "no", from: Self.home) }
            }
            await #expect(throws: Refusal.self) { try await signIn(app, from: Self.home) }
        }
    }

    @Test
    func `a flood of random logins from one network evicts no count and locks nobody out`()
        async throws
    {
        try await withAda { app, _ in
            let services = app.services
            let sessions = OperatorSessions(
                services.database, services.operators, services.audit,
                networks: CallerLimiter(maximumNames: 500, now: services.now), now: services.now)
            try await signIn(app, from: Self.home, in: sessions)
            for _ in 0..<5 {
                await #expect(throws: Problem.self) {
                    try await signIn(app, "wrong wrong wrong", from: "198.51.100.7", in: sessions)
                }
            }
            let hashed = services.operators.passwords.derivations
            var refused = 0
            for number in 0..<600 {
                do {
                    try await signIn(app, login: "random-\(number)", from: Self.home, in: sessions)
                } catch is Refusal {
                    refused += 1
                } catch is Problem {}
            }
            #expect(refused >= 600 - 20)
            #expect(services.operators.passwords.derivations - hashed <= 20)
            // The strangers' count is still there, and the operator can sign in from the flooded network.
            await #expect(throws: Refusal.self) {
                try await signIn(app, from: "198.51.100.8", in: sessions)
            }
            try await signIn(app, from: Self.home, in: sessions)
        }
    }

    @Test func `right passwords do not count towards the limit of a network, wrong ones do`() async throws {
        try await withAda { app, _ in
            for _ in 0..<25 { try await signIn(app, from: Self.home) }
            for number in 0..<20 {
                await #expect(throws: Problem.self) {
                    try await signIn(app, "no", login: "other-\(number)", from: Self.home)
                }
            }
            await #expect(throws: Refusal.self) {
                try await signIn(app, "no", login: "other-20", from: Self.home)
            }
        }
    }

    @Test func `a new password lifts every block of its login`() async throws {
        try await withAda { app, ada in
            try await signIn(app, from: Self.home)
            for address in [Self.home, "203.0.113.1"] {
                for _ in 0..<5 {
                    await #expect(throws: Problem.self) { try await signIn(app, "no", from: address) }
                }
                await #expect(throws: Refusal.self) { try await signIn(app, from: address) }
                for number in 0..<30 {
                    try? await signIn(app, "no", login: "other-\(number)", from: address)
                }
            }
            // As 'inlay user password' does it, in a program of its own.
            let given = "a whole harbour of seals"
            try await OperatorStore(
                database: app.services.database, now: { app.clock.now }, passwords: Passwords(cost: .minimum)
            )
            .setPassword(ada.id, given, isTemporary: true)
            for address in [Self.home, "203.0.113.1"] { try await signIn(app, given, from: address) }
        }
    }

    @Test func `counts of wrong passwords end after a month`() async throws {
        try await withAda { app, _ in
            try await signIn(app, from: Self.home)
            await #expect(throws: Problem.self) {
                try await signIn(app, "no", login: "nobody", from: "198.51.100.7")
            }
            let rows = { @Sendable in
                try await app.services.database.read {
                    try $0.rows("SELECT email_hash FROM operator_attempts").count
                }
            }
            #expect(try await rows() == 2)
            app.clock.advance(by: LogInAttempts.knownNetworkLifetime)
            try await app.services.sessions.purgeExpired()
            #expect(try await rows() == 0)
        }
    }
}
