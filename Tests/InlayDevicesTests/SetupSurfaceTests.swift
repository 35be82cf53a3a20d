import Foundation
@_spi(Inlay) import InlayCore
import InlayDevicesTesting
@_spi(Inlay) import InlayDevicesView
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayDevices

@Suite(.timeLimit(.minutes(5))) struct SetupSurfaceTests {
    private let fixture: DevicesFixture

    init() throws { fixture = try DevicesFixture() }

    private func surface(
        _ options: DeviceSetup.Options = DeviceSetup.Options(),
        appearance: SetupAppearance = SetupAppearance(),
        logo: Data? = nil
    ) async throws -> DeviceSetupSurface {
        try DeviceSetupSurface(try await fixture.devices().setUp(options), appearance: appearance, logo: logo)
    }

    @Test func `the surface shows every screen of a set-up`() async throws {
        let page = SetupPage(try await surface())
        #expect(try await page.until("mail").contains("type=\"email\""))
        page.submit("mail", ["email": "new@example.com"])
        try await page.until("network")
        page.submit("network", ["network": "Home", "password": "correct horse"])
        try await page.until("safety")
        try await page.countDown(fixture.clock)
        page.press("light-start")
        let light = try await page.until("light")
        #expect(light.contains("data-light-patch") && light.contains("data-rates=\"60:15,30:35,20:40\""))
        #expect(!light.contains("correct horse"))
        page.press("light-read")
        try await page.until("waiting")
        try await fixture.server.setPairingStatus(
            PairingStatus(state: .paired, device: ScriptedDevices.device), foundOn: fixture.clock,
            every: DeviceSetup.pollInterval)
        #expect(try await page.until("tip").contains("Kitchen reader is connected"))
        for _ in 0..<3 { page.press("next") }
        try await page.until("closed")
    }

    @Test func `a logo is the first screen, exactly as given`() async throws {
        let logo = Data([0x89, 0x50, 0x4E, 0x47, 1, 2, 3])
        var options = DeviceSetup.Options()
        options.showsLogo = true
        let surface = try await surface(options, appearance: SetupAppearance(logoText: "Harbor"), logo: logo)
        let page = SetupPage(surface)
        #expect(try await page.until("logo").contains("src=\"content/logo\" alt=\"Harbor\""))
        #expect(try await surface.resource("logo").data == logo)
        #expect(try await surface.resource("logo").mediaType == "image/png")
        page.press("next")
        try await page.until("mail")
    }

    @Test func `without a logo there is no such screen and no such file`() async throws {
        let surface = try await surface()
        let page = SetupPage(surface)
        try await page.until("mail")
        #expect(page.screens == ["mail"])
        await #expect(throws: SurfaceContentMissing.self) { try await surface.resource("logo") }
        #expect(SetupLogo.content(Data("<html>".utf8)) == nil)
        #expect(SetupLogo.content(Data(repeating: 0x89, count: SetupLogo.maximumBytes + 1)) == nil)
    }

    @Test func `a forgotten address leads to the server's page for it`() async throws {
        let page = SetupPage(try await surface())
        try await page.until("mail")
        page.press("forgot-address")
        page.submit("mail", ["email": "x"])
        try await page.until("mail", SetupString.mistakeAddress.text)
        let sent = page.sent(SurfaceMessage.Kind.navigate).first?.payload["url"]?.string
        #expect(sent == "https://example.com/recover/app-1/username")
    }

    @Test func `page events that the current screen does not offer are ignored`() async throws {
        let page = SetupPage(try await surface())
        try await page.until("mail")
        for event in ["light-start", "light-read", "typed", "picture", "tip", "nonsense"] {
            page.press(event)
        }
        page.press("lamp", "exploded")
        page.submit("network", ["network": "Home", "password": ""])
        page.submit("mail", ["email": String(repeating: "x", count: 2_000)])
        page.submit("mail", [:])
        page.submit("mail", ["email": "new@example.com"])
        try await page.until("network")
        // Each of these may be drawn several times, depending on how soon the server answers.
        #expect(Set(page.screens).isSubset(of: ["mail", "working", "network"]))
        #expect(fixture.server.requests(InlayPath.deviceAccounts).count == 1)
    }

    @Test func `text from outside is escaped on every screen`() throws {
        let hostile = "<script>alert(1)</script>\"'>"
        let renderer = try SurfaceAssets.devices.renderer()
        let bodies: [SetupScreen.Body] = [
            .mail, .code, .logIn, .reset, .network, .safety(secondsLeft: 0), .picture(text: hostile),
            .typed(code: hostile, host: hostile), .waiting, .paired, .failed(.device(.wrongPassword)),
            .tip(0),
            .light(levels: [0, 1, 2, 9], rates: [.init(rate: 60, seconds: 15)]), .logo, .working, .closed,
        ]
        for body in bodies {
            var screen = SetupScreen(body, screenNumber: 1)
            (screen.email, screen.network, screen.device) = (hostile, hostile, hostile)
            screen.networks = [hostile]
            screen.mistake = .unfitPassword(hostile)
            let appearance = SetupAppearance(
                strings: [.mailTitle: hostile], logoText: hostile,
                tips: [SetupAppearance.Tip(title: hostile, text: hostile)])
            let frame = try SetupPresenter.present(screen, appearance).frame(renderer)
            for region in frame.regions { #expect(!region.html.contains("<script"), "\(body)") }
        }
    }

    @Test func `an app can replace every string`() throws {
        let renderer = try SurfaceAssets.devices.renderer()
        let replacements = Dictionary(
            uniqueKeysWithValues: SetupString.allCases.map { ($0, "«\($0.rawValue)»") })
        for string in SetupString.allCases {
            #expect(string.text != string.rawValue, "\(string) has no words")
        }
        var seen = ""
        let failures: [SetupScreen.Failure] =
            DeviceSetupFailure.allCases.map { .device($0) } + [
                .connectionLost, .applicationRefused, .tooLong, .server,
            ]
        let bodies: [SetupScreen.Body] =
            [
                .logo, .mail, .code, .logIn, .reset, .network, .safety(secondsLeft: 1),
                .safety(secondsLeft: 0),
                .picture(text: "x"), .typed(code: "x", host: "y"), .waiting, .paired, .working, .closed,
                .tip(0),
                .tip(1), .tip(2), .light(levels: [0], rates: []),
            ] + failures.map { .failed($0) }
        let mistakes: [SetupScreen.Mistake] = [
            .address, .addressLetters, .password, .code, .networkName, .networkPassword, .tooMany, .offline,
            .server,
            .loggedOut,
            .lightStopped, .unfitPassword(nil),
        ]
        for body in bodies {
            for mistake in mistakes {
                var screen = SetupScreen(body)
                (screen.mistake, screen.canGoBack, screen.wasSentAgain) = (mistake, true, true)
                (screen.networks, screen.awaitsAddressProof) = (["x"], mistake == .offline)
                screen.allowsOtherWays = mistake != .offline
                let frame = try SetupPresenter.present(screen, SetupAppearance(strings: replacements)).frame(
                    renderer)
                seen += frame.regions.map(\.html).joined()
            }
        }
        for string in SetupString.allCases { #expect(seen.contains("«\(string.rawValue)»"), "\(string)") }
    }

    @Test func `each reason for failure has its title, what to do, and a way on`() throws {
        let appearance = SetupAppearance()
        var titles = Set<String>()
        for reason in DeviceSetupFailure.allCases {
            let view = SetupPresenter.present(SetupScreen(.failed(.device(reason))), appearance)
            let result = try #require(view.result)
            titles.insert(result.title)
            #expect(!result.lead.isEmpty && result.reason == reason.rawValue)
            #expect(result.actions.first?.isPrimary == true && result.actions.count == 2)
        }
        #expect(titles.count == DeviceSetupFailure.allCases.count)
    }

    @Test func `a pairing that does not fit the light leads to typing, and from there never to the light`()
        throws
    {
        var screen = SetupScreen(.failed(.tooLong))
        func events() -> [String] {
            let view = SetupPresenter.present(screen, SetupAppearance())
            return (view.result?.actions ?? view.typed?.actions ?? []).map(\.event)
        }
        #expect(events() == ["typed", "change-network"])
        // The rail of steps is shown here too: between the network and the code.
        #expect(SetupPresenter.present(screen).rail?.steps.map(\.isCurrent) == [false, false, true])
        screen.allowsOtherWays = false
        #expect(events() == ["change-network"])
        screen.body = .typed(code: "x", host: "y")
        #expect(events() == ["next", "picture", "light"])
        screen.isTooLong = true
        #expect(events() == ["next"])
    }

    @Test func `the flashing square is never larger than 19 mm`() {
        for (perInch, pixels) in [(96.0, 71), (163, 121), (0, 53), (10_000, 299), (.nan, 71)] {
            let appearance = SetupAppearance(pixelsPerInch: perInch)
            #expect(appearance.patchPixels == pixels)
            if perInch >= 72, perInch <= 400 {
                #expect(Double(appearance.patchPixels) / perInch * 25.4 <= SetupAppearance.patchMillimetres)
            }
        }
    }

    @Test func `with reduced motion the other ways are offered first`() throws {
        let still = SurfaceEnvironment(reducedMotion: true)
        let screen = SetupScreen(.safety(secondsLeft: 0))
        let html = try #require(
            try SetupPresenter.present(screen, environment: still).frame(SurfaceAssets.devices.renderer())
                .regions.last?
                .html)
        let typed = try #require(html.range(of: "data-event=\"typed\""))
        let light = try #require(html.range(of: "data-event=\"light-start\""))
        #expect(typed.lowerBound < light.lowerBound)
        let usual = try #require(
            try SetupPresenter.present(screen).frame(SurfaceAssets.devices.renderer()).regions.last?.html)
        let last = try #require(usual.range(of: "data-event=\"typed\""))
        #expect(try #require(usual.range(of: "data-event=\"light-start\"")).lowerBound < last.lowerBound)
    }

    @Test func `pushed screens have an arrow on each, modal ones a cross`() throws {
        for canGoBack in [false, true] {
            var screen = SetupScreen(.network)
            screen.canGoBack = canGoBack
            let modal = try #require(SetupPresenter.present(screen).bar)
            #expect(modal.close?.event == "close" && (modal.back != nil) == canGoBack)
            let pushed = try #require(
                SetupPresenter.present(screen, SetupAppearance(presentation: .pushed)).bar)
            #expect(pushed.close == nil && pushed.back?.event == (canGoBack ? "back" : "close"))
        }
    }
}
