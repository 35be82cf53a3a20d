import Foundation
import InlayPlatform
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayHiku

/// The delegate's calls during set-ups, and the presentation of their screens.
@MainActor @Suite(.timeLimit(.minutes(5))) struct SetupFlowTests {
    private let fixture: HikuFixture

    init() throws { fixture = try HikuFixture() }

    private var delegate: RecordingDelegate { fixture.delegate }
    private static let paired = PairingStatus(state: .paired, device: ScriptedDevices.device)

    @Test func `a complete set-up makes each call of the delegate once`() async throws {
        let sdk = fixture.sdk()
        sdk.startSetup()
        let page = try await fixture.presenter.page()
        try await page.until("mail")
        page.submit("mail", ["email": "new@example.com"])
        try await fixture.advanceToLight(page)
        #expect(sdk.getApplicationTokenForUser() == "token-of-new@example.com")
        try await fixture.setPairingStatus(Self.paired)
        try await page.until("tip")
        for _ in 0..<3 { page.press("next") }
        try await delegate.received.until { $0 == .tutorial }
        try await page.until("closed")
        // The dismissal is reported last: any unexpected delegate call would have arrived by now.
        try await dismissed(1)
        #expect(delegate.calls == [.authenticated(true), .authorized(true), .setUp(true), .tutorial])
    }

    private func dismissed(_ count: Int) async throws {
        // The dismissal is reported after the delegate's last call.
        try await eventually { fixture.presenter.dismissed >= count }
        #expect(fixture.presenter.dismissed == count)
    }

    @Test(arguments: [DeviceSetupFailure.wrongPassword, .noInternet])
    func `a device that fails is reported once as a failure`(_ reason: DeviceSetupFailure) async throws {
        let sdk = await fixture.loggedIn()
        sdk.startSetup()
        let page = try await fixture.presenter.page()
        try await fixture.advanceToLight(page)
        try await fixture.setPairingStatus(PairingStatus(state: .rejected, reason: reason))
        try await page.until("failed", "data-result=\"\(reason.rawValue)\"")
        try await delegate.received.until { $0 == .setUp(false) }
        page.press("close")
        try await page.until("closed")
        try await dismissed(1)
        #expect(delegate.count(.setUp(false)) == 1 && delegate.count(.setUp(true)) == 0)
    }

    @Test func `a network that is cut during a set-up is reported once, within 90 seconds`() async throws {
        let sdk = await fixture.loggedIn()
        sdk.startSetup()
        let page = try await fixture.presenter.page()
        try await fixture.advanceToLight(page)
        let path = InlayPath.devicePairing("p000002")
        try await fixture.server.untilRequests(path, 1)
        fixture.server.set { $0.isOnline = false }
        let start = fixture.clock.now()
        // The third request is sent after the second has failed.
        try await fixture.clock.advance(by: .seconds(1)) { [server = fixture.server] in
            server.requests(path).count > 2
        }
        fixture.clock.advance(by: start + .seconds(90) - fixture.clock.now())
        try await delegate.received.until { $0 == .setUp(false) }
        #expect(fixture.clock.now() - start <= .seconds(90))
        page.press("close")
        try await page.until("closed")
        try await dismissed(1)
        #expect(delegate.count(.setUp(false)) == 1 && delegate.count(.setUp(true)) == 0)
    }

    @Test(arguments: ["mail", "log-in", "network", "light"])
    func `closing a screen is reported once as cancelled`(_ screen: String) async throws {
        fixture.server.add("old@example.com", password: "right")
        let sdk = fixture.sdk()
        sdk.startSetup()
        let page = try await fixture.presenter.page()
        try await page.until("mail")
        if screen == "log-in" { page.submit("mail", ["email": "old@example.com"]) }
        if screen == "network" || screen == "light" { page.submit("mail", ["email": "new@example.com"]) }
        if screen == "light" { try await fixture.advanceToLight(page) }
        try await page.until(screen)
        for _ in 0..<3 { page.press("close") }
        try await delegate.received.until { $0 == .cancelled }
        try await page.until("closed")
        try await dismissed(1)
        #expect(delegate.count(.cancelled) == 1)
    }

    @Test func `the set-up asks for the password of an existing account and goes on with the right one only`()
        async throws
    {
        fixture.server.add("old@example.com", password: "right")
        let before = fixture.server.accounts
        let sdk = fixture.sdk()
        sdk.startSetup()
        let page = try await fixture.presenter.page()
        try await page.until("mail")
        page.submit("mail", ["email": "old@example.com"])
        #expect(try await page.until("log-in").contains("old@example.com"))
        page.submit("log-in", ["password": "wrong"])
        try await delegate.received.until { $0 == .authenticated(false) }
        try await page.until("log-in", "problem-password")
        #expect(!page.screens.contains("network"))
        page.submit("log-in", ["password": "right"])
        try await page.until("network")
        try await delegate.received.until { $0 == .authorized(true) }
        #expect(delegate.calls == [.authenticated(false), .authenticated(true), .authorized(true)])
        #expect(fixture.server.accounts == before)
    }

    @Test func `leaving the tips early is neither cancelled nor completed`() async throws {
        let sdk = await fixture.loggedIn()
        sdk.startSetup()
        let page = try await fixture.presenter.page()
        try await fixture.advanceToLight(page)
        try await fixture.setPairingStatus(Self.paired)
        try await page.until("tip")
        page.press("next")
        page.press("close")
        try await page.until("closed")
        try await dismissed(1)
        #expect(delegate.count(.setUp(true)) == 1)
        #expect(delegate.count(.cancelled) == 0 && delegate.count(.tutorial) == 0)
    }

    @Test(arguments: [[0, 1], [1, 0]])
    func `a set-up and the tips above it are each dismissed at their own end`(_ order: [Int]) async throws {
        let sdk = await fixture.loggedIn()
        sdk.startSetup()
        let setup = try await fixture.presenter.page()
        try await setup.until("network")
        sdk.launchTipsFlow()
        let tips = try await fixture.presenter.page(2)
        try await tips.until("tip")
        let pages = [setup, tips], surfaces = fixture.presenter.shown.map { ObjectIdentifier($0.surface) }
        for (count, place) in order.enumerated() {
            pages[place].press("close")
            try await pages[place].until("closed")
            try await dismissed(count + 1)
            #expect(fixture.presenter.dismissedSurfaces.last == surfaces[place])
        }
    }

    @Test func `a set-up without tips succeeds all the same`() async throws {
        let sdk = await fixture.loggedIn()
        sdk.showsTipsAfterSetup = false
        sdk.startSetup()
        let page = try await fixture.presenter.page()
        try await fixture.advanceToLight(page)
        try await fixture.setPairingStatus(Self.paired)
        try await page.until("paired")
        page.press("next")
        try await page.until("closed")
        try await dismissed(1)
        #expect(delegate.count(.setUp(true)) == 1 && delegate.count(.cancelled) == 0)
    }

    @Test func `with two SDK objects each callback names its own`() async throws {
        let (one, two) = (fixture.sdk(), fixture.sdk())
        one.startSetup()
        let page = try await fixture.presenter.page()
        try await page.until("mail")
        two.launchTipsFlow()
        let tips = try await fixture.presenter.page(2)
        try await tips.until("tip")
        for _ in 0..<3 { tips.press("next") }
        try await delegate.received.until { $0 == .tutorial }
        page.submit("mail", ["email": "new@example.com"])
        try await fixture.advanceToLight(page)
        try await fixture.setPairingStatus(Self.paired)
        try await delegate.received.until { $0 == .setUp(true) }
        one.logoutUser()
        try await delegate.received.until { $0 == .loggedOut }
        two.startSetup()
        let left = try await fixture.presenter.page(3)
        try await left.until("mail")
        left.press("close")
        try await delegate.received.until { $0 == .cancelled }
        let senders = Dictionary(zip(delegate.calls, delegate.senders)) { first, _ in first }
        let (first, second) = (ObjectIdentifier(one), ObjectIdentifier(two))
        #expect(senders[.setUp(true)] == first && senders[.loggedOut] == first)
        #expect(senders[.tutorial] == second && senders[.cancelled] == second)
    }

    @Test func `tips alone show neither mail nor light, and are reported at their end only`() async throws {
        let sdk = fixture.sdk()
        sdk.launchTipsFlow()
        let page = try await fixture.presenter.page()
        try await page.until("tip")
        page.press("next")
        page.press("close")
        try await page.until("closed")
        #expect(delegate.calls.isEmpty)
        sdk.launchTipsFlow()
        let again = try await fixture.presenter.page(2)
        try await again.until("tip")
        for _ in 0..<3 { again.press("next") }
        try await delegate.received.until { $0 == .tutorial }
        #expect(delegate.calls == [.tutorial])
        #expect(!again.screens.contains("mail") && !again.screens.contains("light"))
    }

    @Test(arguments: [("", "secret-1"), ("app-1", "")])
    func `without an id or a secret no screen is shown and the authorization fails`(
        _ id: String, _ secret: String
    ) async throws {
        let sdk = fixture.sdk(id: id, secret: secret)
        sdk.startSetup()
        await sdk.settled()
        #expect(delegate.calls == [.authorized(false)])
        #expect(fixture.presenter.shown.isEmpty)
    }

    @Test(arguments: [("wrong", "secret-1"), ("app-1", "wrong")])
    func `a refused application gets no network screen`(
        _ id: String, _ secret: String
    ) async throws {
        let sdk = fixture.sdk(id: id, secret: secret)
        sdk.startSetup()
        let page = try await fixture.presenter.page()
        try await page.until("mail")
        page.submit("mail", ["email": "new@example.com"])
        try await page.until("failed", "data-result=\"applicationRefused\"")
        try await delegate.received.until { $0 == .authorized(false) }
        #expect(!page.screens.contains("network"))
        #expect(delegate.count(.authorized(false)) == 1)
    }

    @Test func `after a log-out the next set-up asks for the email address`() async throws {
        let sdk = await fixture.loggedIn()
        sdk.startSetup()
        try await fixture.presenter.page().until("network")
        sdk.logoutUser()
        sdk.startSetup()
        try await fixture.presenter.page(2).until("mail")
    }

    @Test func `screens are modal by default and otherwise have the requested style`() async throws {
        let (sdk, controller) = (fixture.sdk(), UIViewController())
        sdk.startSetup(controller)
        sdk.launchTipsFlow(controller)
        sdk.startSetup(controller, with: .push)
        sdk.launchTipsFlow()
        sdk.launchTipsFlow(controller, withPresentationStyle: .push)
        sdk.launchTipsFlow(controller, with: .modal)
        sdk.startSetup(controller, withPresentationStyle: .modal)
        sdk.startSetup()
        await sdk.settled()
        let shown = fixture.presenter.shown
        #expect(shown.map(\.style) == [.modal, .modal, .push, .modal, .push, .modal, .modal, .modal])
        #expect(
            shown.map { $0.surface.appearance.presentation == .pushed } == shown.map { $0.style == .push })
        #expect(shown[0].over === controller && shown[3].over == nil)
    }

    @Test func `the status bar's switch has the documented setter and reaches the screens`() async throws {
        let sdk = fixture.sdk()
        #expect(sdk.show_status_bar)
        sdk.showStatusBar(false)
        #expect(!sdk.show_status_bar)
        sdk.startSetup()
        await sdk.settled()
        #expect(fixture.presenter.shown.first?.surface.appearance.showsStatusBar == false)
    }

    @Test func `the partner's logo is the first screen, and without a logo this screen is left out`()
        async throws
    {
        let sdk = fixture.sdk()
        let logo = Data([0x89, 0x50, 0x4E, 0x47, 9])
        sdk.partner_logo = UIImage(data: logo)
        sdk.startSetup()
        try await fixture.presenter.page().until("logo")
        #expect(try await fixture.presenter.shown[0].surface.resource("logo").data == logo)
        sdk.partner_logo = nil
        sdk.startSetup()
        let page = try await fixture.presenter.page(2)
        try await page.until("mail")
        #expect(page.screens == ["mail"])
    }

    @Test func `the interface declares the documented methods`() {
        // Compiles only while the methods exist with these names and types.
        let methods: [Any] = [
            HKSetupSDK.loginUser(withEmail:password:), HKSetupSDK.logoutUser,
            HKSetupSDK.getApplicationTokenForUser, HKSetupSDK.launchTipsFlow as (HKSetupSDK) -> () -> Void,
            HKSetupSDK.startSetup(_:withPresentationStyle:),
            HKSetupSDK.launchTipsFlow(_:withPresentationStyle:),
            HKSetupSDK.showStatusBar(_:),
        ]
        #expect(methods.count == 7)
        // Called through the protocol: a method that is not one of its requirements would not reach the delegate.
        let (receiver, sdk): (any HKSetupDelegate, HKSetupSDK) = (delegate, fixture.sdk())
        receiver.userAuthenticationStatus(true, sdk: sdk)
        receiver.deviceSetupStatus(false, sdk: sdk)
        receiver.userCancelledSetup(sdk)
        receiver.applicationAuthorizationStatus(true, sdk: sdk)
        receiver.userCompletedTutorial(sdk)
        receiver.userLoggedOut(sdk)
        #expect(
            delegate.calls == [
                .authenticated(true), .setUp(false), .cancelled, .authorized(true), .tutorial, .loggedOut,
            ])
        #expect(SDKHKPresentationStyle.allCases == [.modal, .push])
    }
}
