import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerCore
@testable import InlayDevicesServer
@testable import InlayServerTesting

/// Accounts of end users: how they are created, proven and lost, and which mails that sends.
@Suite(.timeLimit(.minutes(5))) struct AccountTests {
    @Test(arguments: SQLEngine.allCases)
    func `a new address gets its session at once, and proves itself with the code from the mail`(
        _ engine: SQLEngine
    ) async throws {
        try await DeviceSite.run(engine) { site in
            let created = try await site.create("Ada@Example.com")
            #expect(created.status == 201)
            let opening = try created.as(AccountOpening.self)
            #expect(opening.account.email == "ada@example.com" && !opening.account.proven)
            #expect(opening.session.accessToken.hasPrefix("ina_"))
            #expect(opening.session.refreshToken.hasPrefix("inr_"))
            #expect(opening.session.expiresAt - site.app.clock.now == .seconds(1800))
            let code = try await site.code("ada@example.com")
            let proof = try await site.prove(
                "ada@example.com", code.lowercased(), token: opening.session.accessToken)
            #expect(proof.status == 200)
            #expect(try proof.as(AccountOpening.self).account.proven)
            // A code is used once.
            #expect(try await site.prove("ada@example.com", code).status == 401)
            // The creator proved it, so the password chosen at first stays.
            #expect(try await site.logIn("ada@example.com").status == 200)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an address names one account, however it is written`(_ engine: SQLEngine) async throws {
        try await DeviceSite.run(engine) { site in
            let first = try await site.create("a@x.example").as(AccountOpening.self)
            #expect(try await site.create(" A@X.example ").status == 202)
            let other = try await site.create("b@x.example").as(AccountOpening.self)
            #expect(first.account.id != other.account.id)
            #expect(try await site.feature.accounts.counts(DeviceSite.environmentID).all == 2)
            let kept = try await site.feature.accounts.account(
                DeviceSite.environmentID, email: "a@x.example")
            #expect(kept?.id.rawValue == first.account.id)
        }
    }

    @Test(arguments: [
        "", "abc", "a@", "@b.example", "a b@c.example", "a@b",
        "a@b.example\r\nBcc: c@d.example",
    ])
    func `an invalid mail address is refused before any account is made`(_ email: String) async throws {
        try await DeviceSite.run { site in
            for path in ["accounts", "sessions", "password/reset"] {
                let answer = try await site.send(
                    "POST", "/v1/devices/\(path)", ["email": email, "password": DeviceSite.password])
                #expect(answer.status == 422)
                #expect(try answer.code == "account.address-invalid")
            }
            #expect(try await site.feature.accounts.counts(DeviceSite.environmentID).all == 0)
            #expect(try await site.feature.mails.mails(DeviceSite.environmentID).isEmpty)
        }
    }

    @Test(arguments: [("jörg@example.com", "Before the @"), ("ada@bücher.example", "xn--")])
    func `an address with other characters than ASCII is refused with advice`(_ email: String, _ hint: String)
        async throws
    {
        try await DeviceSite.run { site in
            for path in ["accounts", "sessions", "password/reset", "accounts/proof"] {
                let answer = try await site.send(
                    "POST", "/v1/devices/\(path)",
                    ["email": email, "password": DeviceSite.password, "code": "ABCD-EFGH"])
                #expect(answer.status == 422)
                #expect(try answer.code == "account.address-unsupported")
                #expect(try answer.problem.detail?.contains(hint) == true)
            }
            #expect(try await site.feature.mails.mails(DeviceSite.environmentID).isEmpty)
            #expect(try await site.create("ada@xn--bcher-kva.example").status == 201)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a new application answers for known and unknown addresses alike until an operator allows otherwise`(
        _ engine: SQLEngine
    ) async throws {
        try await DeviceSite.run(engine) { site in
            _ = try await site.proven("known@example.com")
            let made = try await site.feature.applications.create(DeviceSite.environmentID, name: "New")
            let fresh = DeviceSite(app: site.app, application: made.application, secret: made.secret)
            site.app.clock.advance(by: .seconds(1))
            let answers = try await ["known@example.com", "unknown@example.com"].asyncMap {
                try await fresh.create($0)
            }
            #expect(answers.map(\.status) == [202, 202])
            #expect(Set(answers.map { $0.body.count }).count == 1)
            #expect(try await site.feature.accounts.counts(DeviceSite.environmentID).all == 1)
            var opened = made.application
            opened.opensAtOnce = true
            try await site.feature.applications.save(opened)
            #expect(try await fresh.create("unknown@example.com").status == 201)
            #expect(try await fresh.create("known@example.com").status == 202)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `asking again for a known address changes nothing of its account`(_ engine: SQLEngine) async throws {
        try await DeviceSite.run(engine) { site in
            _ = try await site.proven("ada@example.com")
            let before = try await rows(site)
            #expect(try await site.create("ada@example.com", "another good long one").status == 202)
            #expect(try await site.create("ada@example.com", nil).status == 202)
            #expect(try await site.create("ada@example.com", "").status == 202)
            #expect(try await rows(site) == before)
            #expect(try await site.logIn("ada@example.com", "another good long one").status == 401)
            #expect(try await site.logIn("ada@example.com").status == 200)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a log-in that fails makes no account`(_ engine: SQLEngine) async throws {
        try await DeviceSite.run(engine) { site in
            let refused = try await site.logIn("nobody@example.com")
            #expect(refused.status == 401)
            #expect(try refused.code == "account.log-in-refused")
            #expect(try await site.logIn("nobody@example.com", "").status == 401)
            #expect(try await site.feature.accounts.counts(DeviceSite.environmentID).all == 0)
        }
    }

    @Test func `an account without a password is opened by mail and never by an empty one`() async throws {
        try await DeviceSite.run { site in
            let opening = try await site.create("ada@example.com", nil).as(AccountOpening.self)
            _ = try await site.prove(
                "ada@example.com", try await site.code("ada@example.com"),
                token: opening.session.accessToken)
            #expect(try await site.logIn("ada@example.com", "").status == 401)
            site.app.clock.advance(by: .seconds(1))
            #expect(try await site.create("ada@example.com", nil).status == 202)
            let again = try await site.prove("ada@example.com", try await site.code("ada@example.com"))
            #expect(try again.as(AccountOpening.self).account.id == opening.account.id)
        }
    }

    @Test func `when accounts need a proof first, known and unknown addresses get the same responses`()
        async throws
    {
        try await DeviceSite.run(settings: { $0.opensAtOnce = false }) { site in
            _ = try await known(site)
            let answers = [
                try await site.create("known@example.com"), try await site.create("unknown@example.com"),
            ]
            #expect(answers.map(\.status) == [202, 202])
            let bodies = try answers.map { try $0.as(AccountNext.self) }
            #expect(bodies.allSatisfy { $0.next == .proof && $0.request?.isEmpty == false })
            #expect(Set(answers.map { $0.body.count }).count == 1)
            // Both addresses were sent a mail; the texts differ.
            let mails = try await site.feature.mails.mails(DeviceSite.environmentID)
            #expect(Set(mails.prefix(2).map(\.recipient)) == ["unknown@example.com", "known@example.com"])
            #expect(mails.prefix(2).allSatisfy { $0.code != nil })
            for path in ["sessions", "password/reset"] {
                let pair = try await ["known@example.com", "unknown@example.com"].asyncMap {
                    try await site.send(
                        "POST", "/v1/devices/\(path)", ["email": $0, "password": "a wrong one, surely"])
                }
                #expect(pair[0].status == pair[1].status)
                #expect(pair[0].body.count == pair[1].body.count)
                #expect(try fields(pair[0]) == fields(pair[1]))
            }
        }
    }

    /// A derivation takes tens of milliseconds, which reveals more to a stranger than all the rest. The test counts
    /// derivations: a clock would also measure the tests that run beside this one.
    @Test func `known and unknown addresses cost the same work`() async throws {
        try await DeviceSite.run(settings: { $0.opensAtOnce = false }) { site in
            _ = try await known(site)
            func cost(_ path: String, _ email: String) async throws -> [Int] {
                let before = try await work(site)
                _ = try await site.send(
                    "POST", "/v1/devices/\(path)", ["email": email, "password": "a wrong one, surely"])
                return zip(try await work(site), before).map(-)
            }
            for (path, derivations, mails) in [
                ("sessions", 1, 0), ("accounts", 1, 1), ("password/reset", 0, 1),
            ] {
                let costs = try await ["known@example.com", "unknown@example.com"].asyncMap {
                    try await cost(path, $0)
                }
                #expect(costs == [[derivations, mails], [derivations, mails]], "\(path)")
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a pending address becomes an account with its proof and not before`(_ engine: SQLEngine)
        async throws
    {
        try await DeviceSite.run(engine, settings: { $0.opensAtOnce = false }) { site in
            let next = try await site.create("ada@example.com").as(AccountNext.self)
            #expect(try await site.feature.accounts.counts(DeviceSite.environmentID).all == 0)
            #expect(try await site.logIn("ada@example.com").status == 401)
            let proof = try await site.prove(
                "ada@example.com", try await site.code("ada@example.com"), request: next.request)
            #expect(try proof.as(AccountOpening.self).account.proven)
            #expect(try await site.logIn("ada@example.com").status == 200)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an account made with another user's address is lost when that user proves the address`(
        _ engine: SQLEngine
    ) async throws {
        try await DeviceSite.run(engine, settings: { $0.pairsUnproven = true }) { site in
            let thief = try await site.create("ada@example.com", "the thief's own password")
                .as(AccountOpening.self)
            let token = thief.session.accessToken
            let pairing = try await site.pairing(token)
            let credential = try await site.claim(pairing).as(DeviceCredential.self)
            let open = try await site.pairing(token)
            // Ada requests an account with a password of her own.
            site.app.clock.advance(by: .seconds(1))
            let next = try await site.create("ada@example.com").as(AccountNext.self)
            let proof = try await site.prove(
                "ada@example.com", try await site.code("ada@example.com"), request: next.request)
            let mine = try proof.as(AccountOpening.self)
            // Ada gets a new account; nothing that was done in the thief's account is hers.
            #expect(mine.account.id != thief.account.id)
            #expect(try await site.send("GET", "/v1/devices", token: token).status == 401)
            #expect(try await site.refresh(thief.session.refreshToken).status == 401)
            #expect(try await site.logIn("ada@example.com", "the thief's own password").status == 401)
            #expect(try await site.devices(mine.session.accessToken).isEmpty)
            #expect(try await site.device(credential.credential).status == 401)
            #expect(try await site.claim(open, serial: "SN-2").status == 409)
            #expect(try await site.logIn("ada@example.com").status == 200)
        }
    }

    @Test func `a stranger's request gives the account no password, though the code of its mail is used`()
        async throws
    {
        try await DeviceSite.run(settings: { $0.opensAtOnce = false }) { site in
            let mine = try await site.create("ada@example.com").as(AccountNext.self)
            site.app.clock.advance(by: .seconds(1))
            _ = try await site.create("ada@example.com", "the thief's own password")
            let proof = try await site.prove(
                "ada@example.com", try await site.code("ada@example.com"), request: mine.request)
            #expect(proof.status == 200)
            #expect(try await site.logIn("ada@example.com", "the thief's own password").status == 401)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an unproven account is deleted after a day, with its tokens and devices`(
        _ engine: SQLEngine
    ) async throws {
        try await DeviceSite.run(engine, settings: { $0.pairsUnproven = true }) { site in
            let unproven = try await site.create("ada@example.com").as(AccountOpening.self)
            let pairing = try await site.pairing(unproven.session.accessToken)
            let credential = try await site.claim(pairing).as(DeviceCredential.self)
            _ = try await site.proven("eve@example.com")
            site.app.clock.advance(by: .seconds(86_300))
            try await site.feature.runPeriodicTasks()
            #expect(try await site.device(credential.credential).status == 200)
            site.app.clock.advance(by: .seconds(101))
            try await site.feature.runPeriodicTasks()
            #expect(try await site.refresh(unproven.session.refreshToken).status == 401)
            #expect(try await site.device(credential.credential).status == 401)
            #expect(try await site.logIn("ada@example.com").status == 401)
            #expect(try await site.logIn("eve@example.com").status == 200)
            #expect(try await site.create("ada@example.com").status == 201)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a code allows five tries, lives ten minutes and is used once`(_ engine: SQLEngine) async throws {
        try await DeviceSite.run(engine, settings: { $0.opensAtOnce = false }) { site in
            let asked = try await site.create("ada@example.com").as(AccountNext.self).request
            let first = try await site.code("ada@example.com")
            #expect(first.wholeMatch(of: /[A-Z2-9]{4}-[A-Z2-9]{4}/) != nil)
            for request in [asked, nil] {
                for _ in 0..<5 {
                    #expect(
                        try await site.prove("ada@example.com", "AAAA-AAAA", request: request).status == 401)
                }
                #expect(try await site.prove("ada@example.com", first, request: request).status == 401)
            }
            // A new request has tries of its own. Any unexpired code proves the address; then all are used up.
            site.app.clock.advance(by: .seconds(1))
            let next = try await site.create("ada@example.com").as(AccountNext.self).request
            let second = try await site.code("ada@example.com")
            #expect(try await site.prove("ada@example.com", first, request: next).status == 200)
            for code in [first, second] {
                #expect(try await site.prove("ada@example.com", code, request: next).status == 401)
            }
            site.app.clock.advance(by: .seconds(1000))
            let late = try await site.create("ada@example.com").as(AccountNext.self).request
            let third = try await site.code("ada@example.com")
            site.app.clock.advance(by: .seconds(600))
            #expect(try await site.prove("ada@example.com", third, request: late).status == 401)
            _ = try await site.create("ada@example.com")
            let fourth = try await site.code("ada@example.com")
            // A code is for one purpose.
            let wrong = try await site.send(
                "POST", "/v1/devices/password",
                ["email": "ada@example.com", "code": fourth, "newPassword": "another good long one"])
            #expect(wrong.status == 401)
            #expect(try wrong.code == "account.code-refused")
            #expect(try await site.prove("ada@example.com", fourth).status == 200)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an address gets four mails at once and then one in five minutes`(_ engine: SQLEngine) async throws {
        try await DeviceSite.run(engine, settings: { $0.opensAtOnce = false }) { site in
            func mails() async throws -> Int {
                try await site.feature.mails.mails(DeviceSite.environmentID).count
            }
            for _ in 0..<6 { #expect(try await site.create("ada@example.com").status == 202) }
            #expect(try await mails() == 4)
            // An hour with two requests every five minutes.
            for _ in 0..<24 {
                site.app.clock.advance(by: .seconds(150))
                _ = try await site.create("ada@example.com")
            }
            #expect(try await mails() == 16)
            site.app.clock.advance(by: .seconds(3600))
            try await site.feature.runPeriodicTasks()
            for _ in 0..<6 { _ = try await site.create("ada@example.com") }
            #expect(try await mails() == 20)
        }
    }

    /// Returns the fields of a body, which have no order in JSON, without `request`, which is random.
    private func fields(_ answer: TestAppResponse) throws -> NSDictionary? {
        let object = try JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
        return object?.filter { $0.key != "request" } as NSDictionary?
    }

    private func known(_ site: DeviceSite) async throws -> AccountOpening {
        let next = try await site.create("known@example.com").as(AccountNext.self)
        let opening = try await site.prove(
            "known@example.com", try await site.code("known@example.com"), request: next.request
        ).as(AccountOpening.self)
        site.app.clock.advance(by: .seconds(1))
        return opening
    }

    /// Returns the number of password derivations and of mails so far. A mail that is never sent has a row too.
    private func work(_ site: DeviceSite) async throws -> [Int] {
        let mails = try await site.app.services.database.read { try $0.rows("SELECT id FROM device_mails") }
        return [site.feature.accounts.passwords.derivations, mails.count]
    }

    private func rows(_ site: DeviceSite) async throws -> String {
        try await site.app.services.database.read { "\(try $0.rows("SELECT * FROM device_accounts"))" }
    }
}

extension Array {
    /// Returns the results of the steps, which run one after the other.
    func asyncMap<Result>(_ step: (Element) async throws -> Result) async throws -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await step(element)) }
        return results
    }
}
