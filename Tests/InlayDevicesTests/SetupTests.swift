import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayLight
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayDevices

/// A set-up with a scripted server and a manual clock.
@Suite(.timeLimit(.minutes(5))) struct SetupTests {
    private let fixture: DevicesFixture

    init() throws { fixture = try DevicesFixture() }

    private func setUp(_ options: DeviceSetup.Options = DeviceSetup.Options()) async throws -> DeviceSetup {
        try await fixture.devices().setUp(options)
    }

    private static let paired = PairingStatus(state: .paired, device: ScriptedDevices.device)

    @Test func `a new address gets its account without a form, then comes the network`() async throws {
        let setup = try await setUp()
        let events = StreamRecorder(setup.events())
        try await setup.advance(to: .network, fixture)
        #expect(fixture.server.accounts.map(\.account.email) == ["new@example.com"])
        #expect(fixture.server.requests(InlayPath.deviceAccounts).count == 1)
        #expect(try await events.until(count: 2) == [.authenticated(true), .authorized(true)])
    }

    @Test func `the light carries network, password, token and host`()
        async throws
    {
        let setup = try await setUp()
        try await setup.advance(to: .safety(secondsLeft: 0), fixture)
        #expect(setup.state.screen == .safety(secondsLeft: 0))
        await setup.send(.startLight)
        let levels = await setup.lightLevels()
        let token = try #require(PairingToken("AAECAwQFBgcICQoLDA0ODw")).bytes
        let payload = LightPayload(
            ssid: "Home", password: "correct horse", token: token, host: "devices.example.com")
        #expect(levels == (try LightEncoder(payload)).levels())
        await setup.cancel()
        #expect(await setup.lightLevels().isEmpty)
    }

    @Test func `a pairing status arrives at once over the socket`() async throws {
        fixture.server.set { $0.socket = .accept }
        let setup = try await setUp()
        let (events, states) = (StreamRecorder(setup.events()), StreamRecorder(setup.states()))
        try await setup.advance(to: .light, fixture)
        try await fixture.server.until { [server = fixture.server] in !server.sockets.isEmpty }
        try await fixture.server.sockets[0].untilSubscribed([LiveMessage.pairingTopic])
        let start = fixture.clock.now()
        fixture.server.setPairingStatus(PairingStatus(state: .seen))
        try await states.untilNewest { $0.screen == .waiting }
        fixture.server.setPairingStatus(Self.paired)
        try await states.untilNewest { $0.screen == .tip(0) }
        #expect(fixture.clock.now() == start)
        try await events.until { $0 == .paired(ScriptedDevices.device) }
        #expect(events.elements.count { $0 == .paired(ScriptedDevices.device) } == 1)
    }

    @Test func `without a socket the server is asked every second`() async throws {
        let setup = try await setUp()
        let states = StreamRecorder(setup.states())
        try await setup.advance(to: .light, fixture)
        let path = InlayPath.devicePairing("p000002")
        try await fixture.server.untilRequests(path, 1)
        try await fixture.server.setPairingStatus(
            Self.paired, foundOn: fixture.clock, every: DeviceSetup.pollInterval)
        try await states.untilNewest { $0.screen == .tip(0) }
    }

    @Test(arguments: [DeviceSetupFailure.wrongPassword, .networkNotFound, .noInternet])
    func `a device's reason is the set-up's reason`(_ reason: DeviceSetupFailure) async throws {
        fixture.server.set { $0.socket = .accept }
        let setup = try await setUp()
        let (events, states) = (StreamRecorder(setup.events()), StreamRecorder(setup.states()))
        try await setup.advance(to: .light, fixture)
        fixture.server.setPairingStatus(PairingStatus(state: .rejected, reason: reason))
        try await states.untilNewest { $0.screen == .failed(.device(reason)) }
        try await events.until { $0 == .failed(.device(reason)) }
        #expect(events.elements.count { if case .failed = $0 { true } else { false } } == 1)
    }

    @Test func `a lost connection ends the wait after 90 seconds with its own failure`() async throws {
        let setup = try await setUp()
        let (events, states) = (StreamRecorder(setup.events()), StreamRecorder(setup.states()))
        try await setup.advance(to: .light, fixture)
        try await fixture.server.untilRequests(InlayPath.devicePairing("p000002"), 1)
        fixture.server.set { $0.isOnline = false }
        let start = fixture.clock.now()
        // The third request comes after the second, which got no response.
        try await fixture.clock.advance(by: DeviceSetup.pollInterval) { [server = fixture.server] in
            server.requests(InlayPath.devicePairing("p000002")).count > 2
        }
        fixture.clock.advance(by: start + .seconds(90) - fixture.clock.now())
        try await states.untilNewest { $0.screen == .failed(.connectionLost) }
        try await events.until { $0 == .failed(.connectionLost) }
    }

    @Test func `a device that never reports fails as noLight, and the server gets the reason`()
        async throws
    {
        let setup = try await setUp()
        let states = StreamRecorder(setup.states())
        try await setup.advance(to: .light, fixture)
        try await fixture.server.untilRequests(InlayPath.devicePairing("p000002"), 1)
        // Waits for the response; otherwise advancing the clock would time its request out.
        try await fixture.clock.untilSleeping(for: DeviceSetup.pollInterval)
        try await fixture.clock.untilSleeping(for: DeviceSetup.limit)
        fixture.clock.advance(by: DeviceSetup.limit)
        try await states.untilNewest { $0.screen == .failed(.device(.noLight)) }
        try await fixture.server.until { !fixture.server.cancelReasons.isEmpty }
        #expect(fixture.server.cancelReasons == [.noLight])
    }

    @Test func `a code to type is valid longer than the light`() async throws {
        let setup = try await setUp()
        try await setup.advance(to: .safety(secondsLeft: 0), fixture)
        await setup.send(.useTypedCode)
        try await fixture.server.untilRequests(InlayPath.devicePairing("p000002"), 1)
        // Waits for the response; otherwise advancing the clock would time its request out.
        try await fixture.clock.untilSleeping(for: DeviceSetup.pollInterval)
        try await fixture.clock.untilSleeping(for: DeviceSetup.limit)
        fixture.clock.advance(by: DeviceSetup.limit)
        // The pairing is watched again.
        try await fixture.clock.untilSleeping(for: DeviceSetup.limit)
        #expect(setup.state.screen == .typed && fixture.server.cancelReasons.isEmpty)
        await setup.cancel()
    }

    @Test func `a log-out during the wait does not make it endless`() async throws {
        let devices = try await fixture.devices()
        let setup = devices.setUp()
        let states = StreamRecorder(setup.states())
        try await setup.advance(to: .waiting, fixture)
        try await fixture.server.untilRequests(InlayPath.devicePairing("p000002"), 1)
        try await fixture.clock.untilSleeping(for: DeviceSetup.limit)
        await devices.accounts.logOut()
        fixture.clock.advance(by: DeviceSetup.limit)
        try await states.untilNewest { if case .failed = $0.screen { true } else { false } }
    }

    @Test func `the Wi-Fi password is in no file, no state and no request`() async throws {
        let setup = try await setUp()
        let states = StreamRecorder(setup.states())
        try await setup.advance(to: .waiting, fixture)
        try await fixture.server.setPairingStatus(
            Self.paired, foundOn: fixture.clock, every: DeviceSetup.pollInterval)
        try await states.untilNewest { $0.screen == .tip(0) }
        let needle = "correct horse"
        #expect(try fixture.files.range(of: Data(needle.utf8)) == nil)
        #expect(!String(reflecting: states.elements).contains(needle))
        for request in fixture.server.requests {
            #expect((request.body ?? Data()).range(of: Data(needle.utf8)) == nil)
        }
    }

    @Test func `a logged-in user starts at the network`() async throws {
        let devices = try await fixture.loggedIn()
        let setup = devices.setUp()
        let states = StreamRecorder(setup.states())
        await setup.send(.start)
        try await states.untilNewest { $0.screen == .network }
        #expect(!states.elements.contains { $0.screen == .mail })
    }

    @Test func `a refused application never shows the network screen`() async throws {
        let devices = try await fixture.loggedIn()
        fixture.server.set { $0.givesTokens = false }
        let setup = devices.setUp()
        let (events, states) = (StreamRecorder(setup.events()), StreamRecorder(setup.states()))
        await setup.send(.start)
        try await states.untilNewest { $0.screen == .failed(.applicationRefused) }
        try await events.until { $0 == .authorized(false) }
        #expect(!states.elements.contains { $0.screen == .network })
    }

    @Test func `an address with an account leads to its password, and a wrong password stays there`()
        async throws
    {
        fixture.server.add("old@example.com", password: "right")
        var options = DeviceSetup.Options()
        options.afterMail = .logIn
        let setup = try await setUp(options)
        let (events, states) = (StreamRecorder(setup.events()), StreamRecorder(setup.states()))
        await setup.send(.start)
        await setup.send(.mail("old@example.com"))
        try await states.untilNewest { $0.screen == .logIn && $0.email == "old@example.com" }
        await setup.send(.password("wrong"))
        try await states.untilNewest { $0.mistake == .password && $0.screen == .logIn }
        try await events.until { $0 == .authenticated(false) }
        await setup.send(.password("right"))
        try await states.untilNewest { $0.screen == .network }
    }

    @Test func `a forgotten password can be reset during the set-up`() async throws {
        fixture.server.add("old@example.com", password: "forgotten")
        let setup = try await setUp()
        let states = StreamRecorder(setup.states())
        await setup.send(.start)
        await setup.send(.mail("old@example.com"))
        try await states.untilNewest { $0.screen == .code && !$0.isBusy }
        await setup.send(.usePassword)
        await setup.send(.forgotPassword)
        try await states.untilNewest { $0.screen == .reset && !$0.isBusy }
        #expect(fixture.server.requests(InlayPath.devicePasswordReset).count == 1)
        await setup.send(.newPassword(code: ScriptedDevices.code, password: "a whole new sentence"))
        try await states.untilNewest { $0.screen == .logIn }
        await setup.send(.password("a whole new sentence"))
        try await states.untilNewest { $0.screen == .network }
    }

    @Test func `a set-up that is cancelled stops asking and ends its streams`() async throws {
        let setup = try await setUp()
        let (events, states) = (StreamRecorder(setup.events()), StreamRecorder(setup.states()))
        try await setup.advance(to: .light, fixture)
        await setup.cancel()
        await setup.cancel()
        try await events.untilFinished()
        try await states.untilFinished()
        #expect(events.elements.suffix(2) == [.light(false), .ended(.cancelled)])
        try await fixture.server.until { !fixture.server.cancelReasons.isEmpty }
        #expect(fixture.server.cancelReasons == [.cancelled])
    }

    @Test func `a token to type has no letters that look like digits`() throws {
        let token = try #require(PairingToken("AAECAwQFBgcICQoLDA0ODw"))
        #expect(token.bytes == (0..<16).map { UInt8($0) })
        #expect(token.typed == "000G4 0R40M 30E20 9185G R38E1 W")
        #expect(PairingToken("AAEC") == nil && PairingToken("!") == nil)
    }
}
