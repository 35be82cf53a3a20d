import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Logging
import Testing

@testable import InlayDevicesServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// Users end sessions and delete accounts.
@Suite(.timeLimit(.minutes(5))) struct EndingTests {
    @Test(arguments: SQLEngine.allCases)
    func `a user deletes the account with its password, and no row with the address is left`(
        _ engine: SQLEngine
    ) async throws {
        try await DeviceSite.run(engine) { site in
            let opening = try await site.proven("ada@example.com")
            let token = opening.session.accessToken
            let tablet = try await site.logIn("ada@example.com").as(AccountOpening.self).session
            let credential = try await site.claim(try await site.pairing(token)).as(DeviceCredential.self)
            let open = try await site.pairing(token)
            let eve = try await site.proven("eve@example.com")
            _ = try await site.send("POST", "/v1/devices/password/reset", ["email": "ada@example.com"])
            _ = try await site.logIn("ada@example.com", "a wrong one, surely")
            site.app.clock.advance(by: .seconds(1))
            #expect(try await delete(site, token, password: DeviceSite.password).status == 204)
            #expect(try await site.send("GET", "/v1/devices", token: token).status == 401)
            #expect(try await site.refresh(opening.session.refreshToken).status == 401)
            #expect(try await site.refresh(tablet.refreshToken).status == 401)
            #expect(try await site.device(credential.credential).status == 401)
            #expect(try await site.claim(open, serial: "SN-2").status == 409)
            #expect(try await site.logIn("ada@example.com").status == 401)
            #expect(try await site.logIn("eve@example.com").as(AccountOpening.self).account == eve.account)
            // Only the last mail is left.
            let mails = try await site.feature.mails.mails(DeviceSite.environmentID)
            #expect(
                mails.filter { $0.recipient == "ada@example.com" }.map(\.subject)
                    == ["Your account of Harbor app was deleted"])
            let stored = try await site.storedText()
            #expect(!stored.contains("ada@example.com") && !stored.contains(opening.account.id))
            let line = try #require(
                try await site.app.services.audit.entries(DeviceSite.environmentID).first)
            #expect(line.action == "deleted own account" && line.subject == opening.account.id)
            #expect(!"\(line)".contains("ada@"))
            // The address can have a new account.
            #expect(try await site.create("ada@example.com").status == 201)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a wrong password or code deletes nothing, and neither does a code for something else`(
        _ engine: SQLEngine
    ) async throws {
        try await DeviceSite.run(engine) { site in
            let token = try await site.proven("ada@example.com").session.accessToken
            let wrong = try await delete(site, token, password: "a wrong one, surely")
            #expect(wrong.status == 401)
            #expect(try wrong.code == "account.log-in-refused")
            #expect(try await delete(site, token).status == 422)
            #expect(try await delete(site, token, password: "").status == 422)
            _ = try await site.send("POST", "/v1/devices/password/reset", ["email": "ada@example.com"])
            site.app.clock.advance(by: .seconds(1))
            let reset = try await site.code("ada@example.com")
            let foreign = try await delete(site, token, code: reset)
            #expect(foreign.status == 401)
            #expect(try foreign.code == "account.code-refused")
            #expect(try await site.send("GET", "/v1/devices", token: token).status == 200)
            #expect(try await delete(site, nil, password: DeviceSite.password).status == 401)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an account without a password is deleted with a fresh code, which takes five tries`(
        _ engine: SQLEngine
    ) async throws {
        try await DeviceSite.run(engine) { site in
            let made = try await site.create("ada@example.com", nil).as(AccountOpening.self)
            let token = try await site.prove(
                "ada@example.com", try await site.code("ada@example.com"), token: made.session.accessToken
            ).as(AccountOpening.self).session.accessToken
            site.app.clock.advance(by: .seconds(1))
            #expect(try await mailCode(site, token).status == 202)
            let first = try await site.code("ada@example.com")
            for _ in 0..<5 { #expect(try await delete(site, token, code: "AAAA-AAAA").status == 401) }
            #expect(try await delete(site, token, code: first).status == 401)
            site.app.clock.advance(by: .seconds(1))
            #expect(try await mailCode(site, token).status == 202)
            #expect(
                try await delete(site, token, code: try await site.code("ada@example.com")).status == 204)
            #expect(try await site.feature.accounts.counts(DeviceSite.environmentID).all == 0)
        }
    }

    @Test
    func `codes for a deletion count towards the network's twenty, although each mail allows five tries`()
        async throws
    {
        try await DeviceSite.run { site in
            let token = try await site.proven("ada@example.com").session.accessToken
            var answers: [Int] = []
            for _ in 0..<4 {
                #expect(try await mailCode(site, token).status == 202)
                for _ in 0..<5 { answers.append(try await delete(site, token, code: "AAAA-AAAA").status) }
            }
            // The code that proved the address was the first of the twenty.
            #expect(answers == Array(repeating: 401, count: 19) + [429])
            #expect(try await delete(site, token, password: DeviceSite.password).status == 204)
        }
    }

    @Test func `wrong passwords of a deletion count as those of a log-in`() async throws {
        try await DeviceSite.run { site in
            let token = try await site.proven("ada@example.com").session.accessToken
            for _ in 0..<5 {
                #expect(try await delete(site, token, password: "a wrong one, surely").status == 401)
            }
            let waiting = try await delete(site, token, password: DeviceSite.password)
            #expect(waiting.status == 429)
            #expect(try await site.logIn("ada@example.com").status == 429)
        }
    }

    @Test func `the last mail to a deleted account is not kept once it was sent`() async throws {
        let server = LoopbackMailServer()
        try await server.run { port in
            let settings = try SMTPSettings(
                host: "127.0.0.1", port: port, security: .none, sender: "no-reply@harbor.example")
            try await DeviceSite.run { site in
                let token = try await site.proven("ada@example.com").session.accessToken
                #expect(try await delete(site, token, password: DeviceSite.password).status == 204)
                try await site.mailRunner(SMTPClient(settings)).runDue()
                #expect(try await rows(site).isEmpty)
                // Without a mail server the mail is removed after a day.
                let other = try await site.proven("eve@example.com").session.accessToken
                #expect(try await delete(site, other, password: DeviceSite.password).status == 204)
                site.app.clock.advance(by: .seconds(24 * 3600))
                let jobs = MailJobs(mails: site.feature.mails, client: nil, logger: .quiet)
                try await JobExpiry(queue: site.app.services.jobs, logger: .quiet).giveUp([jobs])
                #expect(try await rows(site).isEmpty)
            }
        }
        #expect(server.deliveries.map(\.recipient) == ["RCPT TO:<ada@example.com>"])
    }

    @Test(arguments: SQLEngine.allCases)
    func `a user sees where the account is logged in and ends one of these`(_ engine: SQLEngine) async throws
    {
        try await DeviceSite.run(engine) { site in
            let phone = try await site.proven("ada@example.com").session
            let eve = try await site.proven("eve@example.com").session.accessToken
            site.app.clock.advance(by: .seconds(60))
            let tablet = try await site.logIn("ada@example.com").as(AccountOpening.self).session
            let seen = try await sessions(site, tablet.accessToken)
            // The phone has two sessions: one from the creation of the account, one from the proof of the address.
            #expect(seen.first?.isCurrent == true && seen.filter(\.isCurrent).count == 1)
            #expect(Set(seen.map(\.application)) == ["Harbor app"])
            #expect(seen.allSatisfy { $0.id.hasPrefix("ses_") && $0.openedAt <= $0.usedAt })
            #expect(!"\(seen)".contains(phone.refreshToken))
            let others = seen.filter { !$0.isCurrent }
            #expect(others.count == 2)
            for session in others {
                let path = "/v1/devices/sessions/\(session.id)"
                #expect(try await site.send("DELETE", path, token: eve).status == 404)
                #expect(try await site.send("DELETE", path, token: tablet.accessToken).status == 204)
                #expect(try await site.send("DELETE", path, token: tablet.accessToken).status == 404)
            }
            #expect(try await site.send("GET", "/v1/devices", token: phone.accessToken).status == 401)
            #expect(try await site.refresh(phone.refreshToken).status == 401)
            #expect(try await sessions(site, tablet.accessToken).map(\.isCurrent) == [true])
            #expect(try await sessions(site, eve).count == 2)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `the hash of a current or older refresh token ends its session and gives no access`(
        _ engine: SQLEngine
    ) async throws {
        try await DeviceSite.run(engine) { site in
            let other = try await DeviceSite.make(site.app)
            let first = try await site.proven("ada@example.com").session
            let second = try await site.refresh(first.refreshToken).as(AccountOpening.self).session
            let hash = Secret.hash(first.refreshToken)
            #expect(try await site.refresh(hash).status == 401)
            // The hash from another application, and texts that are no hash: the same answer, and no session ends.
            for text in [hash, "", "x", String(repeating: "\u{0}", count: 64)] {
                let sender = text == hash ? other : site
                #expect(try await end(sender, text).status == 204)
            }
            #expect(try await site.send("GET", "/v1/devices", token: second.accessToken).status == 200)
            #expect(try await end(site, hash).status == 204)
            #expect(try await end(site, hash).status == 204)
            #expect(try await site.send("GET", "/v1/devices", token: second.accessToken).status == 401)
            #expect(try await site.refresh(second.refreshToken).status == 401)
            #expect(try await site.logIn("ada@example.com").status == 200)
        }
    }

    private func delete(
        _ site: DeviceSite, _ token: String?, password: String? = nil, code: String? = nil
    ) async throws -> TestAppResponse {
        try await site.send(
            "POST", "/v1/devices/accounts/deletion", token: token, ["password": password, "code": code])
    }

    private func mailCode(_ site: DeviceSite, _ token: String) async throws -> TestAppResponse {
        try await site.send("POST", "/v1/devices/accounts/deletion/code", token: token)
    }

    private func sessions(_ site: DeviceSite, _ token: String) async throws -> [AccountSessionSummary] {
        try await site.send("GET", "/v1/devices/sessions", token: token).as(AccountSessionList.self)
            .sessions.elements
    }

    private func end(_ site: DeviceSite, _ hash: String) async throws -> TestAppResponse {
        try await site.send("POST", "/v1/devices/sessions/end", ["refreshTokenHash": hash])
    }

    private func rows(_ site: DeviceSite) async throws -> [SQLRow] {
        try await site.app.services.database.read {
            try $0.rows("SELECT * FROM device_mails WHERE state <> 'void'")
        }
    }
}
