import Foundation
import HTTPTypes
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// The operators who may sign in to the Workbench, and for how long.
@Suite(.timeLimit(.minutes(5))) struct OperatorTests {
    private static let password = "four ferries before noon"

    private func signIn(
        _ app: TestApp, _ password: String = OperatorTests.password, replacing old: String? = nil
    ) async throws -> String {
        try await app.services.sessions.signIn(
            login: " Ada ", password: password, address: "192.0.2.1", replacing: old
        ).token
    }

    @Test(arguments: SQLEngine.allCases)
    func `the first start makes one admin, and only the first`(_ engine: SQLEngine) async throws {
        try await TestApp.run(engine) { app in
            let operators = app.services.operators
            let password = try #require(try await operators.createFirst())
            #expect(password.count >= 16)
            #expect(try await operators.createFirst() == nil)
            #expect(try await operators.operators().map(\.role) == [.admin])
            let session = try await app.services.sessions.signIn(
                login: "admin", password: password, address: "a"
            ).session
            #expect(session.operator.login == "admin")
        }
    }

    @Test func `a password is kept as argon2id and a session's token as its hash`() async throws {
        let cost = InlayServerConfiguration().passwordCost
        try await TestApp.run(configure: { $0.passwordCost = cost }) { app in
            _ = try await app.services.operators.create(login: "ada", password: Self.password, role: .editor)
            let token = try await signIn(app)
            let kept = try await app.services.database.read { connection in
                let password = try connection.row("SELECT password_hash FROM operators")?.text(
                    "password_hash")
                let session = try connection.row("SELECT token_hash FROM operator_sessions")?.text(
                    "token_hash")
                return [password ?? "", session ?? ""]
            }
            #expect(kept[0].hasPrefix("$argon2id$v=19$m=65536,t=2,"))
            #expect(kept[1] == Secret.hash(token))
            #expect(!kept.joined().contains(token))
        }
    }

    @Test
    func `a session has the operator's current role, and ends by sign-out, disabling and a new password`()
        async throws
    {
        try await TestApp.run { app in
            let sessions = app.services.sessions, operators = app.services.operators
            let ada = try await operators.create(login: "ADA", password: Self.password, role: .analyst)
            let token = try await signIn(app)
            #expect(try await sessions.session(token: token)?.operator.role == .analyst)
            try await operators.setRole(ada.id, .admin)
            #expect(try await sessions.session(token: token)?.operator.role == .admin)
            #expect(try await sessions.session(token: Secret.hash(token)) == nil)
            try await sessions.signOut(token: token)
            #expect(try await sessions.session(token: token) == nil)
            let second = try await signIn(app)
            try await operators.setPassword(ada.id, "another one entirely")
            #expect(try await sessions.session(token: second) == nil)
            let third = try await signIn(app, "another one entirely")
            try await operators.setDisabled(ada.id, true)
            #expect(try await sessions.session(token: third) == nil)
            await #expect(throws: Problem.self) { try await signIn(app, "another one entirely") }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a password that is replaced while it is compared signs nobody in, and is not replaced again`(
        _ engine: SQLEngine
    ) async throws {
        try await TestApp.run(engine) { app in
            let services = app.services
            let ada = try await services.operators.create(
                login: "ada", password: Self.password, role: .editor)
            let compared = try await services.sessions.authenticate(
                login: "ada", password: Self.password, address: "192.0.2.1"
            ).passwordHash
            let database = OvertakenDatabase(services.database) {
                try await services.operators.setPassword(ada.id, "another one entirely")
            }
            let sessions = OperatorSessions(
                services.database,
                OperatorStore(database: database, now: services.now, passwords: services.passwords),
                services.audit, networks: CallerLimiter(maximumNames: 500, now: services.now),
                now: services.now)
            await #expect(throws: Problem.signInRefused) {
                try await sessions.signIn(login: "ada", password: Self.password, address: "192.0.2.1")
            }
            let begun = try await services.database.read {
                try $0.rows("SELECT token_hash FROM operator_sessions").count
            }
            #expect(begun == 0)
            await #expect(throws: Problem.signInRefused) {
                try await services.operators.setPassword(
                    ada.id, "a third one entirely", replacingHash: compared)
            }
            #expect(try await services.operators.hasPassword(ada.id, "another one entirely"))
        }
    }

    @Test func `signing in gives another token and ends the one before`() async throws {
        try await TestApp.run { app in
            _ = try await app.services.operators.create(login: "ada", password: Self.password, role: .editor)
            let first = try await signIn(app)
            let second = try await signIn(app, replacing: first)
            #expect(first != second)
            #expect(try await app.services.sessions.session(token: first) == nil)
            #expect(try await app.services.sessions.session(token: second) != nil)
        }
    }

    @Test func `a sign-in ends after twelve idle hours, and after a week of use`() async throws {
        try await TestApp.run { app in
            let sessions = app.services.sessions
            _ = try await app.services.operators.create(login: "ada", password: Self.password, role: .editor)
            let idle = try await signIn(app)
            app.clock.advance(by: OperatorSessions.idleTimeout)
            #expect(try await sessions.session(token: idle) == nil)
            let busy = try await signIn(app)
            for _ in 0..<15 {
                app.clock.advance(by: .seconds(11 * 3600))
                #expect(try await sessions.session(token: busy) != nil)
            }
            app.clock.advance(by: .seconds(11 * 3600))
            #expect(try await sessions.session(token: busy) == nil)
            try await sessions.purgeExpired()
            let left = try await app.services.database.read {
                try $0.rows("SELECT token_hash FROM operator_sessions").count
            }
            #expect(left == 0)
        }
    }

    @Test func `a wrong password and an unknown login are refused in the same words`() async throws {
        try await TestApp.run { app in
            _ = try await app.services.operators.create(login: "ada", password: Self.password, role: .editor)
            let sessions = app.services.sessions
            let wrong = await #expect(throws: Problem.self) { try await signIn(app, "wrong wrong wrong") }
            let unknown = await #expect(throws: Problem.self) {
                try await sessions.signIn(login: "nobody", password: Self.password, address: "192.0.2.2")
            }
            #expect(wrong == unknown)
            #expect(wrong?.code == .forbidden)
            let log = try await app.services.audit.entries(nil)
            #expect(log.map(\.action) == ["sign-in refused", "sign-in refused"])
        }
    }

    @Test
    func `the sixth wrong password waits, also for the right one, until half a minute has passed`()
        async throws
    {
        try await TestApp.run { app in
            _ = try await app.services.operators.create(login: "ada", password: Self.password, role: .editor)
            for _ in 0..<5 {
                await #expect(throws: Problem.self) { try await signIn(app, "wrong wrong wrong") }
            }
            let refusal = await #expect(throws: Refusal.self) { try await signIn(app) }
            #expect(refusal?.problem.status == 429)
            #expect(refusal?.headers[.retryAfter] == "30")
            app.clock.advance(by: .seconds(30))
            _ = try await signIn(app)
        }
    }

    @Test func `a form is accepted only with the CSRF token of its session`() async throws {
        try await TestApp.run { app in
            _ = try await app.services.operators.create(login: "ada", password: Self.password, role: .editor)
            let token = try await signIn(app), other = try await signIn(app)
            let form = try #require(try await app.services.sessions.session(token: token)).csrfToken
            #expect(OperatorSessions.isValidCSRFToken(form, for: token))
            #expect(!OperatorSessions.isValidCSRFToken(form, for: other))
            #expect(!OperatorSessions.isValidCSRFToken(nil, for: token))
            #expect(!OperatorSessions.isValidCSRFToken("", for: token))
        }
    }

    @Test func `a short password, a login with spaces and a taken login are refused`() async throws {
        try await TestApp.run { app in
            let operators = app.services.operators
            _ = try await operators.create(login: "ada", password: Self.password, role: .editor)
            for (login, password) in [
                ("bob", "short"), ("b b", Self.password), ("", Self.password), ("Ada", Self.password),
            ] {
                await #expect(throws: Problem.self) {
                    try await operators.create(login: login, password: password, role: .editor)
                }
            }
        }
    }
}
