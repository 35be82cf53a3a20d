import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayDevices

/// Log-outs that the server receives late, sessions on other devices, and the deletion of an account.
@Suite(.timeLimit(.minutes(5))) struct AccountEndTests {
    @Test func `a log-out without a network reaches the server when there is one again`() async throws {
        let fixture = try DevicesFixture()
        let devices = try await fixture.loggedIn()
        fixture.server.set { $0.isOnline = false }
        #expect(await devices.accounts.logOut())
        #expect(await devices.accounts.current == nil)
        #expect(fixture.server.isLoggedIn("a@example.com"))
        // No token of the account is on disk.
        let kept = String(decoding: try fixture.files, as: UTF8.self)
        #expect(!kept.contains("ina_") && !kept.contains("inr_"))
        try await fixture.clock.untilSleeping()
        fixture.clock.advance(by: .seconds(900))
        try await fixture.server.untilRequests(InlayPath.deviceSessionEnd, 2)
        #expect(fixture.server.isLoggedIn("a@example.com"))
        // Once the next wait has begun, the second try has failed.
        try await fixture.clock.untilSleeping()
        fixture.server.set { $0.isOnline = true }
        fixture.clock.advance(by: .seconds(900))
        try await fixture.server.until { !fixture.server.isLoggedIn("a@example.com") }
        try await eventually { !fixture.folder.names.contains { $0.hasPrefix("log-outs-") } }
    }

    @Test func `a log-out that never reached the server is sent at the app's next start`() async throws {
        let fixture = try DevicesFixture()
        fixture.server.add("b@example.com", password: "right")
        do {
            let devices = try await fixture.loggedIn()
            fixture.server.set { $0.isOnline = false }
            #expect(await devices.accounts.logOut())
        }
        fixture.server.set { $0.isOnline = true }
        let later = try await fixture.devices()
        #expect(await later.accounts.current == nil)
        try await fixture.server.until { !fixture.server.isLoggedIn("a@example.com") }
        #expect(try await later.accounts.logIn(email: "b@example.com", password: "right").id == "a1")
    }

    @Test func `a log-in first sends a pending log-out to the server, without waiting for the clock`()
        async throws
    {
        let fixture = try DevicesFixture()
        fixture.server.add("b@example.com", password: "right")
        let devices = try await fixture.loggedIn()
        fixture.server.set { $0.isOnline = false }
        await devices.accounts.logOut()
        fixture.server.set { $0.isOnline = true }
        try await devices.accounts.logIn(email: "b@example.com", password: "right")
        try await fixture.server.until { !fixture.server.isLoggedIn("a@example.com") }
        #expect(fixture.server.isLoggedIn("b@example.com"))
    }

    @Test func `a log-in of another user ends the previous user's log-in at the server`() async throws {
        let fixture = try DevicesFixture()
        fixture.server.add("b@example.com", password: "right")
        let devices = try await fixture.loggedIn()
        try await devices.accounts.logIn(email: "b@example.com", password: "right")
        try await fixture.server.until { !fixture.server.isLoggedIn("a@example.com") }
        #expect(await devices.accounts.current?.email == "b@example.com")
        #expect(try await devices.list().isEmpty)
    }

    @Test func `a log-out that a kill interrupted is completed at the next start`() async throws {
        let fixture = try DevicesFixture()
        let devices = try await fixture.loggedIn()
        let session = try #require(devices.accounts.tokens.session)
        // The log-out was stored, but the app was killed before it deleted the log-in.
        let note = try JSONEncoder().encode([PendingLogOut(session, at: fixture.clock.now())])
        try PrivateFile("log-outs", devices.dependencies.configuration).save(note)
        let later = try await fixture.devices()
        #expect(await later.accounts.current == nil)
        try await fixture.server.until { !fixture.server.isLoggedIn("a@example.com") }
        #expect(try !String(decoding: fixture.files, as: UTF8.self).contains("inr_"))
    }

    @Test func `a pending log-out that is older than any session is dropped and not sent`() async throws {
        let fixture = try DevicesFixture()
        let devices = try await fixture.loggedIn()
        fixture.server.set { $0.isOnline = false }
        await devices.accounts.logOut()
        try await fixture.clock.untilSleeping()
        fixture.clock.advance(by: PendingLogOut.maximumSessionIdleTime)
        try await eventually { !fixture.folder.names.contains { $0.hasPrefix("log-outs-") } }
        #expect(fixture.server.requests(InlayPath.deviceSessionEnd).count == 1)
    }

    @Test func `a log-out everywhere that failed still ends this session later`() async throws {
        let fixture = try DevicesFixture()
        let devices = try await fixture.loggedIn()
        fixture.server.set { $0.isOnline = false }
        await #expect(throws: AccountError.network(.unreachable("by the test"))) {
            try await devices.accounts.logOutEverywhere()
        }
        fixture.server.set { $0.isOnline = true }
        try await fixture.clock.untilSleeping()
        fixture.clock.advance(by: .seconds(900))
        try await fixture.server.until { !fixture.server.isLoggedIn("a@example.com") }
    }

    @Test func `a user sees where they are logged in, and ends one of these sessions`() async throws {
        let fixture = try DevicesFixture(), other = try DevicesFixture()
        fixture.server.add("b@example.com", password: "right")
        let phone = try await fixture.devices()
        try await phone.accounts.logIn(email: "b@example.com", password: "right")
        let tablet = try await Devices(
            fixture.configuration(folder: other.folder), transport: fixture.server, clock: fixture.clock)
        try await tablet.accounts.logIn(email: "b@example.com", password: "right")
        let sessions = try await phone.accounts.sessions()
        #expect(sessions.count == 2 && sessions.filter(\.isCurrent).count == 1)
        let others = sessions.filter { !$0.isCurrent }
        try await phone.accounts.endSession(try #require(others.first).id)
        #expect(try await phone.accounts.sessions().count == 1)
        await #expect(throws: AccountError.notLoggedIn) { try await tablet.accounts.applicationToken() }
        #expect(await tablet.accounts.current == nil)
    }

    @Test func `an account is deleted only with its password or with a code`() async throws {
        for isByCode in [false, true] {
            let fixture = try DevicesFixture()
            fixture.server.add("b@example.com", password: "right")
            let devices = try await fixture.devices()
            try await devices.accounts.logIn(email: "b@example.com", password: "right")
            let session = try await devices.session()
            await #expect(throws: AccountError.refused) {
                try await devices.accounts.deleteAccount(password: "wrong")
            }
            await #expect(throws: AccountError.codeRefused) {
                try await devices.accounts.deleteAccount(code: "WRONG")
            }
            #expect(await devices.accounts.current != nil && session.isActive)
            if isByCode {
                try await devices.accounts.requestDeletion()
                try await devices.accounts.deleteAccount(code: ScriptedDevices.code)
            } else {
                try await devices.accounts.deleteAccount(password: "right")
            }
            #expect(await devices.accounts.current == nil)
            #expect(fixture.server.accounts.isEmpty && !session.isActive)
            let kept = String(decoding: try fixture.files, as: UTF8.self)
            #expect(!kept.contains("ina_") && !kept.contains("inr_") && !kept.contains("b@example.com"))
            #expect(fixture.server.requests(InlayPath.deviceSessionEnd).isEmpty)
        }
    }

    @Test func `an address beyond ASCII gets a clear answer before anything is sent`() async throws {
        let fixture = try DevicesFixture()
        let accounts = try await fixture.devices().accounts
        for email in ["jörg@example.com", "ada@bücher.example"] {
            await #expect(throws: AccountError.unsupportedAddress) {
                try await accounts.createAccount(email: email)
            }
        }
        #expect(fixture.server.requests.isEmpty)
        _ = try await accounts.createAccount(email: "ada@xn--bcher-kva.example")
        #expect(await accounts.current?.email == "ada@xn--bcher-kva.example")
    }
}
