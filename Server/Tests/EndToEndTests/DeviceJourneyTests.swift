import Foundation
@_spi(Inlay) import InlayCore
import InlayHiku
import InlayNIO
import InlayServer
import InlayServerCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayDevices

/// Tests of pairing a device with its owner: the SDK's accounts and set-up with the real server, and a device into
/// which the user types the code.
@Suite(.timeLimit(.minutes(5))) struct DeviceJourneyTests {
    @Test func `from a mail address to a paired device, notified over Live`() async throws {
        try await RunningServer.with { server in
            let fixture = try await DeviceFixture(server) { $0.pairsUnproven = true }
            let folder = try TemporaryFolder()
            // The phone's clock stands still, so the phone never polls and only Live can notify it.
            let phone = try await fixture.phone(folder, clock: ManualClock(at: SystemClock().now()))
            let setup = phone.setUp()
            let events = StreamRecorder(setup.events())
            await setup.send(.start)
            await setup.send(.mail("Ada@example.com"))
            try await eventually { setup.state.screen == .network }
            let token = try await fixture.typedToken(setup)
            let credential = try await fixture.claim(token)
            try await eventually { events.elements.contains { $0.isPaired } }
            #expect(setup.state.device?.id == credential.deviceID)
            #expect(try await phone.list().map(\.serial) == ["SN-1"])
            #expect(await phone.accounts.current?.email == "ada@example.com")
            // The live connection was authenticated for the account.
            let users = try await server.server.services.users.users(RunningServer.environmentID)
            #expect(users.map(\.id) == [await phone.accounts.current.map { UserID($0.userID) }])
            await setup.cancel()
        }
    }

    @Test func `a device waits for its owner's proof, and the set-up goes on with it`() async throws {
        try await RunningServer.with { server in
            let fixture = try await DeviceFixture(server), folder = try TemporaryFolder()
            let phone = try await fixture.phone(folder)
            let setup = phone.setUp()
            let events = StreamRecorder(setup.events())
            await setup.send(.start)
            await setup.send(.mail("ada@example.com"))
            try await eventually { setup.state.screen == .network }
            _ = try await fixture.claim(try await fixture.typedToken(setup))
            try await eventually { setup.state.awaitsAddressProof }
            #expect(!events.elements.contains { $0.isPaired })
            try await phone.accounts.prove(
                email: "ada@example.com", code: try await fixture.code("ada@example.com"))
            try await eventually { events.elements.contains { $0.isPaired } }
            await setup.cancel()
        }
    }

    @Test func `the reason that a device gives is the reason that the set-up shows`() async throws {
        try await RunningServer.with { server in
            let fixture = try await DeviceFixture(server), folder = try TemporaryFolder()
            let phone = try await fixture.phone(folder)
            let setup = phone.setUp()
            await setup.send(.start)
            await setup.send(.mail("ada@example.com"))
            try await eventually { setup.state.screen == .network }
            let token = try await fixture.typedToken(setup)
            _ = try await fixture.sendAsDevice(
                "/v1/devices/failure", DeviceFailureReport(pairingToken: token, reason: .wrongPassword))
            try await eventually { setup.state.screen == .failed(.device(.wrongPassword)) }
            await setup.cancel()
        }
    }

    @Test func `an app proves its own request and keeps its password`() async throws {
        try await RunningServer.with { server in
            let fixture = try await DeviceFixture(server) { $0.opensAtOnce = false }
            let folder = try TemporaryFolder()
            let phone = try await fixture.phone(folder)
            let created = try await phone.accounts.createAccount(
                email: "ada@example.com", password: DeviceFixture.password)
            #expect(created == .proofNeeded)
            try await phone.accounts.prove(
                email: "ada@example.com", code: try await fixture.code("ada@example.com"))
            #expect(await phone.accounts.logOut())
            let again = try await phone.accounts.logIn(
                email: "ada@example.com", password: DeviceFixture.password)
            #expect(again.proven)
        }
    }

    @Test
    func `only the changed password logs in, and a log-out everywhere ends the sessions of other phones`()
        async throws
    {
        try await RunningServer.with { server in
            let fixture = try await DeviceFixture(server)
            let folder = try TemporaryFolder(), other = try TemporaryFolder()
            _ = try await fixture.provenAccount("ada@example.com")
            let phone = try await fixture.phone(folder), tablet = try await fixture.phone(other)
            let changed = "four other words, if you please"
            try await phone.accounts.logIn(email: "ada@example.com", password: DeviceFixture.password)
            try await phone.accounts.changePassword(old: DeviceFixture.password, new: changed)
            await expect(.refused) {
                try await tablet.accounts.logIn(email: "ada@example.com", password: DeviceFixture.password)
            }
            try await tablet.accounts.logIn(email: "ada@example.com", password: changed)
            try await phone.accounts.logOutEverywhere()
            #expect(await phone.accounts.current == nil)
            await expect(.notLoggedIn) { try await tablet.list() }
        }
    }

    @Test func `a log-out ends its session, also when the app sends it at the next launch`() async throws {
        try await RunningServer.with { server in
            let fixture = try await DeviceFixture(server), folder = try TemporaryFolder()
            let phone = try await fixture.phone(folder)
            _ = try await phone.accounts.createAccount(
                email: "ada@example.com", password: DeviceFixture.password)
            let session = try #require(phone.accounts.tokens.session)
            // The state of an app that was logged out without a network and then ended.
            let note = try JSONEncoder().encode([PendingLogOut(session, at: phone.dependencies.clock.now())])
            try PrivateFile("log-outs", phone.dependencies.configuration).save(note)
            let later = try await fixture.phone(folder)
            #expect(await later.accounts.current == nil)
            try await eventually { try await fixture.feature.tokens.identity(of: session.accessToken) == nil }
            let again = try await later.accounts.logIn(
                email: "ada@example.com", password: DeviceFixture.password)
            #expect(again.email == "ada@example.com")
            let second = try #require(later.accounts.tokens.session)
            #expect(await later.accounts.logOut())
            #expect(try await fixture.feature.tokens.identity(of: second.accessToken) == nil)
        }
    }

    @Test func `a user offers a device, sees where they are logged in, and deletes the account`() async throws
    {
        try await RunningServer.with { server in
            let fixture = try await DeviceFixture(server)
            let folder = try TemporaryFolder(), other = try TemporaryFolder()
            _ = try await fixture.provenAccount("ada@example.com")
            let phone = try await fixture.phone(folder), tablet = try await fixture.phone(other)
            try await phone.accounts.logIn(email: "ada@example.com", password: DeviceFixture.password)
            try await tablet.accounts.logIn(email: "ada@example.com", password: DeviceFixture.password)
            let device = try await fixture.claim(try await phone.startPairing().token)
            try await phone.transfer(device.deviceID, to: "eve@example.com")
            #expect(try await phone.list().map(\.offeredTo) == ["eve@example.com"])
            try await phone.cancelTransfer(device.deviceID)
            #expect(try await phone.list().map(\.state) == [.active])
            let sessions = try await phone.accounts.sessions()
            #expect(sessions.filter(\.isCurrent).count == 1 && sessions.count >= 2)
            for session in sessions where !session.isCurrent {
                try await phone.accounts.endSession(session.id)
            }
            await expect(.notLoggedIn) { try await tablet.list() }
            await expect(.refused) {
                try await phone.accounts.deleteAccount(password: "a wrong one, surely")
            }
            try await phone.accounts.requestDeletion()
            try await phone.accounts.deleteAccount(code: try await fixture.code("ada@example.com"))
            #expect(await phone.accounts.current == nil)
            #expect(try await fixture.accounts() == 0)
            #expect(try await fixture.feature.devices.count(RunningServer.environmentID) == 0)
        }
    }

    @Test func `an application's token is issued until it is revoked, and a wrong secret is refused`()
        async throws
    {
        try await RunningServer.with { server in
            let fixture = try await DeviceFixture(server)
            let folder = try TemporaryFolder(), other = try TemporaryFolder()
            let phone = try await fixture.phone(folder)
            _ = try await phone.accounts.createAccount(
                email: "ada@example.com", password: DeviceFixture.password)
            let token = try await phone.accounts.applicationToken()
            #expect(token.hasPrefix("iat_") && phone.accounts.lastApplicationToken == token)
            let stranger = try await fixture.phone(other, secret: "ias_wrong")
            await expect(.applicationRefused) {
                try await stranger.accounts.createAccount(email: "eve@example.com")
            }
            try await fixture.feature.applications.revoke(RunningServer.environmentID, fixture.application.id)
            await expect(.applicationRefused) {
                try await phone.accounts.applicationToken()
            }
            #expect(phone.accounts.lastApplicationToken == nil)
        }
    }

    @Test func `the documented log-in call creates and logs in as documented, against the real server`()
        async throws
    {
        try await RunningServer.with { server in
            let fixture = try await DeviceFixture(server), folder = try TemporaryFolder()
            let handle = await HikuRecordingDelegate.make(fixture, folder)
            // No token, no password: a new account.
            #expect(try await handle.logIn("ada@example.com", "") == [.user(true), .app(true)])
            #expect(await handle.token()?.hasPrefix("iat_") == true)
            #expect(try await fixture.accounts() == 1)
            try await handle.logOut()
            #expect(await handle.token() == nil)
            // The address now has an account, which cannot be taken over without proof.
            #expect(try await handle.logIn("ada@example.com", "") == [.user(false), .app(false)])
            // A log-in that fails creates no account.
            #expect(
                try await handle.logIn("nobody@example.com", DeviceFixture.password) == [
                    .user(false), .app(false),
                ])
            #expect(try await handle.logIn("abc", "") == [.user(false), .app(false)])
            #expect(try await fixture.accounts() == 1)
            // An account with a password logs in with it.
            _ = try await fixture.provenAccount("eve@example.com")
            #expect(
                try await handle.logIn("eve@example.com", DeviceFixture.password) == [
                    .user(true), .app(true),
                ])
            try await fixture.feature.applications.revoke(RunningServer.environmentID, fixture.application.id)
            #expect(
                try await handle.logIn("eve@example.com", DeviceFixture.password) == [
                    .user(false), .app(false),
                ])
        }
    }

    /// Expects a call to fail with an error of this code.
    private func expect<Value>(
        _ code: AccountError.Code, sourceLocation: SourceLocation = #_sourceLocation,
        _ call: () async throws -> Value
    ) async {
        let error = await #expect(throws: AccountError.self, sourceLocation: sourceLocation) {
            _ = try await call()
        }
        #expect(error?.code == code, sourceLocation: sourceLocation)
    }
}

extension DeviceSetup.Event {
    fileprivate var isPaired: Bool { if case .paired = self { true } else { false } }
}
