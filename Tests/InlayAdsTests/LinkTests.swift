import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayAds

/// The links of an ad: they open only after a touch, only on the web, one at a time, with one click per impression.
@Suite(.timeLimit(.minutes(5))) struct LinkTests {
    static let link = "https://ferries.test/orkney?from=ad"

    @Test func `a tap opens exactly this address in the default browser and counts one click`() async throws {
        let fixture = try await AdsFixture.start()
        let (_, show) = try await fixture.shown()
        show.touched()
        #expect(await show.tapped(Self.link) == .opened)
        #expect(fixture.browser.opened.map(\.absoluteString) == [Self.link])
        await fixture.flush()
        #expect(fixture.called == [AdsFixture.view, AdsFixture.click])
    }

    @Test func `a link that is half percent-encoded opens byte for byte`() async throws {
        let fixture = try await AdsFixture.start()
        let (_, show) = try await fixture.shown()
        show.touched()
        #expect(await show.tapped("https://ferries.test/Ærø?x=%20y&z={ord}|1") == .opened)
        #expect(
            fixture.browser.opened.map(\.absoluteString)
                == ["https://ferries.test/%C3%86r%C3%B8?x=%20y&z=%7Bord%7D%7C1"])
    }

    @Test func `without a browser the app shows the address, and the click is counted`() async throws {
        let fixture = try await AdsFixture.start()
        fixture.browser.uninstall()
        let (_, show) = try await fixture.shown()
        show.touched()
        #expect(await show.tapped(Self.link) == .show(try #require(URL(string: Self.link))))
        await fixture.flush()
        #expect(fixture.called == [AdsFixture.view, AdsFixture.click])
        // While the web view is there, nothing else opens.
        show.touched()
        #expect(await show.tapped(Self.link) == .refused(.busy))
        show.linkClosed()
        show.touched()
        #expect(await show.tapped(Self.link) == .show(try #require(URL(string: Self.link))))
    }

    @Test func `a second tap opens again and counts no second click`() async throws {
        let fixture = try await AdsFixture.start()
        let (_, show) = try await fixture.shown()
        for _ in 0..<3 {
            show.touched()
            #expect(await show.tapped(Self.link) == .opened)
        }
        await fixture.flush()
        #expect(fixture.called.filter { $0 == AdsFixture.click }.count == 1)
    }

    @Test func `a creative cannot open a link without a touch`() async throws {
        let fixture = try await AdsFixture.start()
        let (_, show) = try await fixture.shown()
        #expect(await show.tapped(Self.link) == .refused(.notTapped))
        show.touched()
        fixture.clock.advance(by: .milliseconds(1001))
        #expect(await show.tapped(Self.link) == .refused(.notTapped))
        show.touched()
        fixture.clock.advance(by: .milliseconds(1000))
        #expect(await show.tapped(Self.link) == .opened)
        // One touch allows one link.
        #expect(await show.tapped(Self.link) == .refused(.notTapped))
        await fixture.flush()
        #expect(fixture.browser.opened.count == 1)
    }

    @Test func `one link at a time`() async throws {
        let fixture = try await AdsFixture.start()
        let (_, show) = try await fixture.shown()
        fixture.browser.hold()
        show.touched()
        async let first = show.tapped(Self.link)
        try await fixture.browser.untilAsked()
        show.touched()
        #expect(await show.tapped("https://other.test/") == .refused(.busy))
        fixture.browser.release()
        #expect(await first == .opened)
        #expect(fixture.browser.opened.count == 1)
    }

    @Test(arguments: [
        "javascript:alert(1)", "about:blank", "file:///etc/passwd", "data:text/html,x", "tel:123",
        "itms-apps://x", "myapp://open", "https://", "http:ferries", "", "//ferries.test/",
        "java\nscript:alert(1)", "https://a b.test/", "https://bank.test@ferries.test/",
    ])
    func `only web addresses are followed`(address: String) async throws {
        let fixture = try await AdsFixture.start()
        let (_, show) = try await fixture.shown()
        show.touched()
        #expect(await show.tapped(address) == .refused(.notWeb))
        #expect(fixture.browser.opened.isEmpty)
        await fixture.flush()
        #expect(fixture.called == [AdsFixture.view])
    }

    @Test func `the AdChoices link opens without counting a click`() async throws {
        let fixture = try await AdsFixture.start()
        let (_, show) = try await fixture.shown()
        show.touched()
        #expect(await show.tapped("https://choices.test/", isClick: false) == .opened)
        await fixture.flush()
        #expect(fixture.called == [AdsFixture.view])
    }

    @Test func `no link opens before the ad is on screen`() async throws {
        let fixture = try await AdsFixture.start()
        let placement = fixture.placement()
        try await placement.load()
        try placement.show()
        let show = try #require(placement.current)
        show.touched()
        #expect(await show.tapped(Self.link) == .refused(.notShown))
    }
}
