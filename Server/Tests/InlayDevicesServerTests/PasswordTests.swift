import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayDevicesServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// Passwords of end users: the rules for new ones, waits after wrong ones, changes and hashes.
@Suite(.timeLimit(.minutes(5))) struct PasswordTests {
    private func unfit(_ password: String, minimumLength: Int = 15) throws -> String? {
        let application = DeviceApplication(
            id: "app_x", environmentID: "e", name: "Lighthouse", opensAtOnce: true, pairsUnproven: false,
            minimumPasswordLength: minimumLength, hasLogo: false, createdAt: Timestamp(microseconds: 0),
            revokedAt: nil)
        let address = try #require(MailAddress("marigold@seafarers.example"))
        do {
            _ = try PasswordRules(application, address).checked(password)
            return nil
        } catch let problem as Problem {
            #expect(problem.code == .passwordUnfit)
            return problem.detail
        }
    }

    @Test func `length is counted in code points, from fifteen to far beyond sixty-four`() throws {
        #expect(try unfit("four good words") == nil)
        #expect(try unfit("fourteen chars")?.contains("15") == true)
        #expect(try unfit("fourteen chars", minimumLength: 8) == nil)
        #expect(try unfit(String((0..<64).map { Character(UnicodeScalar(UInt8(33 + $0))) })) == nil)
        #expect(try unfit(String(repeating: "ab cd ef gh ", count: 30))?.contains("256") == true)
        // Fifteen code points of four bytes each.
        #expect(try unfit("🐟🦀🐙🦑🐚🐬🐳🐋🦈🐡🐠🦐🦞🐢🐊") == nil)
    }

    @Test func `one password typed on two keyboards is one password`() {
        let composed = "caf\u{E9} and cr\u{E8}me br\u{FB}l\u{E9}e"
        let decomposed = "cafe\u{301} and cre\u{300}me bru\u{302}le\u{301}e"
        #expect(PasswordRules.normalised(composed) == PasswordRules.normalised(decomposed))
        let bytes = [composed, decomposed].map { Array(PasswordRules.normalised($0).utf8) }
        #expect(bytes[0] == bytes[1])
        #expect(PasswordRules.normalised("ﬁsh") == "fish")
    }

    @Test func `a password of any number of combining marks is too long, and is not normalized whole`() throws
    {
        let marks = String(repeating: "\u{301}\u{323}", count: 50_000)
        #expect(PasswordRules.normalised(marks).unicodeScalars.count == 8 * PasswordRules.maximumLength)
        for typed in [marks, "four good words" + marks] {
            #expect(try unfit(typed)?.contains("256") == true)
            #expect(PasswordRules.normalised(typed).utf8.count > PasswordRules.maximumBytes)
        }
    }

    @Test(arguments: [
        "passwordpassword", "Passw0rdPassw0rd", "password1234567890", "!!!iloveyou!!!2026",
        "aaaaaaaaaaaaaaaa",
        "abcabcabcabcabcabc", "123456123456123456", "123456789012345678901234567890",
        "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz", "1234567890123456",
        "qwertyuiopasdfgh", "0987654321098765",
        "correct horse battery staple", "marigoldmarigold1", "Lighthouse-2026-2026", "seafarers1234567",
    ])
    func `passwords that are tried first are refused with the reason`(_ password: String) throws {
        #expect(try unfit(password)?.isEmpty == false)
    }

    @Test(arguments: [
        "my dog reads the news", "Kelp, salt and 3 gulls", "hello there, old friend",
        "password of the old pier",
        "Tr0ub4dor&3-and-a-half",
    ])
    func `passwords that only share a word with those are taken`(_ password: String) throws {
        #expect(try unfit(password) == nil)
    }

    @Test func `an unfit password is refused alike for known and unknown addresses`() async throws {
        try await DeviceSite.run { site in
            _ = try await site.proven("ada@example.com")
            let answers = [
                try await site.create("ada@example.com", "short"),
                try await site.create("new@example.com", "short"),
            ]
            #expect(try answers.map(\.status) == [422, 422] && answers[0].problem == answers[1].problem)
            #expect(try answers[0].code == "account.password-unfit")
            #expect(try await site.feature.accounts.counts(DeviceSite.environmentID).all == 1)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `after wrong passwords the wait grows, for unknown addresses too`(_ engine: SQLEngine) async throws {
        try await DeviceSite.run(engine) { site in
            _ = try await site.proven("ada@example.com")
            for email in ["ada@example.com", "nobody@example.com"] {
                for _ in 0..<5 { #expect(try await site.logIn(email, "wrong").status == 401) }
                let held = try await site.logIn(email, "wrong")
                #expect(held.status == 429 && held.headers["retry-after"] == "30")
            }
            // The right password has to wait too.
            #expect(try await site.logIn("ada@example.com").status == 429)
            site.app.clock.advance(by: .seconds(31))
            #expect(try await site.logIn("ada@example.com", "wrong").status == 401)
            #expect(try await site.logIn("ada@example.com").headers["retry-after"] == "60")
            site.app.clock.advance(by: .seconds(61))
            #expect(try await site.logIn("ada@example.com").status == 200)
            // A right password resets the count.
            for _ in 0..<5 { #expect(try await site.logIn("ada@example.com", "wrong").status == 401) }
        }
    }

    @Test func `waits double to an hour and after a hundred only a mail helps`() async throws {
        #expect(LogInAttempts.wait(after: 4) == .zero)
        #expect(LogInAttempts.wait(after: 6) == .seconds(60))
        #expect(LogInAttempts.wait(after: 99) == .seconds(3600))
        try await DeviceSite.run { site in
            _ = try await site.proven("ada@example.com")
            let address = try #require(MailAddress("ada@example.com"))
            let attempts = LogInAttempts(
                environmentID: DeviceSite.environmentID, address: address, caller: "127.0.0.1")
            for _ in 0..<100 {
                let moment = site.app.clock.now
                let verdict = try await site.app.services.database.write {
                    try attempts.begin(at: moment, in: $0)
                }
                #expect(verdict == .allowed)
                site.app.clock.advance(by: .seconds(3601))
            }
            let locked = try await site.logIn("ada@example.com")
            #expect(locked.status == 429)
            #expect(try locked.problem.detail?.contains("mail") == true)
            try await site.reset("ada@example.com", "another good long one")
            #expect(try await site.logIn("ada@example.com", "another good long one").status == 200)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a password set by mail ends every session and logs nobody in`(_ engine: SQLEngine) async throws {
        try await DeviceSite.run(engine) { site in
            let opening = try await site.proven("ada@example.com")
            site.app.clock.advance(by: .seconds(1))
            let answer = try await site.reset("ada@example.com", "another good long one")
            #expect(answer.status == 204 && answer.body.isEmpty)
            #expect(
                try await site.send("GET", "/v1/devices", token: opening.session.accessToken).status == 401)
            #expect(try await site.refresh(opening.session.refreshToken).status == 401)
            #expect(try await site.logIn("ada@example.com").status == 401)
            #expect(try await site.logIn("ada@example.com", "another good long one").status == 200)
            let mails = try await site.feature.mails.mails(DeviceSite.environmentID)
            #expect(mails.contains { $0.subject.contains("was changed") })
        }
    }

    @Test func `a password is changed with the old one, which ends the other sessions`() async throws {
        try await DeviceSite.run { site in
            let phone = try await site.proven("ada@example.com").session
            let tablet = try await site.logIn("ada@example.com").as(AccountOpening.self).session
            func change(_ old: String, _ new: String) async throws -> Int {
                try await site.send(
                    "POST", "/v1/devices/password/change", token: phone.accessToken,
                    ["oldPassword": old, "newPassword": new]
                ).status
            }
            #expect(try await change("wrong", "another good long one") == 401)
            #expect(try await change(DeviceSite.password, "short") == 422)
            #expect(try await change(DeviceSite.password, "another good long one") == 204)
            #expect(try await site.send("GET", "/v1/devices", token: phone.accessToken).status == 200)
            #expect(try await site.send("GET", "/v1/devices", token: tablet.accessToken).status == 401)
            #expect(try await site.logIn("ada@example.com", "another good long one").status == 200)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a password that is reset while it is compared logs nobody in, and changes and deletes nothing`(
        _ engine: SQLEngine
    ) async throws {
        try await DeviceSite.run(engine) { site in
            let old = DeviceSite.password
            try await expectRefused(site, "ada@example.com", resetAfterRead: 1) { accounts, _ in
                let logIn = AccountLogIn(email: "ada@example.com", password: old)
                _ = try await accounts.logIn(logIn, for: site.application, from: "192.0.2.1")
            }
            // These two read the account before they read its hash.
            try await expectRefused(site, "eve@example.com", resetAfterRead: 2) { accounts, identity in
                let change = PasswordChange(oldPassword: old, newPassword: "a third one, long enough")
                try await accounts.changePassword(
                    change, identity, for: site.application, from: "192.0.2.1")
            }
            try await expectRefused(site, "bob@example.com", resetAfterRead: 2) { accounts, identity in
                try await accounts.delete(
                    AccountDeletion(password: old), identity, for: site.application, from: "192.0.2.1")
            }
        }
    }

    /// Calls a step with the old password of an account, which is reset once the step has read its hash. Expects that
    /// the step is refused, no session is left, and the new password is valid.
    private func expectRefused(
        _ site: DeviceSite, _ email: String, resetAfterRead number: Int,
        _ step: @escaping @Sendable (AccountStore, AccountIdentity) async throws -> Void
    ) async throws {
        let session = try await site.proven(email).session
        let identity = try #require(try await site.feature.tokens.identity(of: session.accessToken))
        site.app.clock.advance(by: .seconds(1))
        let accounts = AccountStore(
            database: OvertakenDatabase(site.feature.accounts.database, afterRead: number) {
                try await site.reset(email, "another good long one")
            },
            now: site.feature.accounts.now, passwords: site.feature.accounts.passwords)
        await #expect(throws: Problem.logInRefused) { try await step(accounts, identity) }
        let sessions = try await site.app.services.database.read {
            try $0.rows("SELECT id FROM device_sessions WHERE account_id = ?", [.id(identity.accountID)])
        }
        #expect(sessions.isEmpty)
        #expect(try await site.logIn(email, "another good long one").status == 200)
    }

    @Test func `an outdated hash is renewed by the next right log-in, with the default cost`()
        async throws
    {
        let cost = InlayServerConfiguration().passwordCost
        try await DeviceSite.run(configure: { $0.passwordCost = cost }) { site in
            let passwords = site.app.services.passwords
            _ = try await site.proven("ada@example.com")
            // A hash of the same password with one pass over 8 MiB, in libsodium's format.
            let weak =
                "$argon2id$v=19$m=8192,t=1,p=1$OrvZ1qmYEQ2mQFfPN69wnA$0Fw2vwOxLzxj2gHO3mB0yT2UasMPgMThgKsZ2B1dKQ4"
            #expect(passwords.isOutdated(weak))
            try await setHash(site, weak)
            #expect(try await site.logIn("ada@example.com", "wrong").status == 401)
            #expect(try await storedHash(site) == weak)
            #expect(try await site.logIn("ada@example.com").status == 200)
            let strong = try await storedHash(site)
            #expect(strong.hasPrefix("$argon2id$v=19$m=65536,t=2,p=1$") && !passwords.isOutdated(strong))
            #expect(try await site.logIn("ada@example.com").status == 200)
        }
    }

    @Test func `no password or token is stored in plain text, and a code only in a mail that waits`()
        async throws
    {
        try await DeviceSite.run { site in
            let opening = try await site.proven("ada@example.com")
            let pairing = try await site.pairing(opening.session.accessToken)
            let credential = try await site.claim(pairing).as(DeviceCredential.self)
            let token = try await site.send(
                "POST", "/v1/devices/application-token", token: opening.session.accessToken
            ).as(ApplicationToken.self)
            site.app.clock.advance(by: .seconds(1))
            _ = try await site.create("ada@example.com", "another good long one")
            let database = site.app.services.database
            let jobs = try await database.read { "\(try $0.rows("SELECT * FROM jobs"))" }
            let stored = try await site.storedText() + jobs
            let mails = try await database.read { "\(try $0.rows("SELECT * FROM device_mails"))" }
            let secrets = [
                DeviceSite.password, "another good long one", site.secret, opening.session.accessToken,
                opening.session.refreshToken, pairing.token, credential.credential, token.token,
            ]
            for secret in secrets { #expect(!stored.contains(secret) && !mails.contains(secret)) }
            let code = try await site.code("ada@example.com")
            #expect(mails.contains(code))
            for text in [code, MailCode.plain(code)] { #expect(!stored.contains(text)) }
        }
    }

    private func storedHash(_ site: DeviceSite) async throws -> String {
        try await site.app.services.database.read {
            try $0.row("SELECT password_hash FROM device_accounts")?.text("password_hash") ?? ""
        }
    }

    private func setHash(_ site: DeviceSite, _ hash: String) async throws {
        _ = try await site.app.services.database.write {
            try $0.execute("UPDATE device_accounts SET password_hash = ?", [.text(hash)])
        }
    }
}
