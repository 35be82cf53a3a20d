import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayAdsView
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayAds

/// The effect of a page's messages on an ad placement, and the files that a page may load.
@Suite(.timeLimit(.minutes(5))) struct AdSurfaceTests {
    /// A stand-in for the page, which sends events to the surface and reads the surface's messages.
    private struct View {
        let sent: AsyncStream<SurfaceMessage>
        let say: @Sendable (JSONValue) -> Void

        /// Returns the next patch whose text contains all of these words and none of `without`.
        func shows(_ words: String..., without: [String] = []) async -> String {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .withoutEscapingSlashes
            var text = ""
            for await message in sent where message.kind == SurfaceMessage.Kind.patch {
                text = String(decoding: (try? encoder.encode(message.payload)) ?? Data(), as: UTF8.self)
                if words.allSatisfy(text.contains), !without.contains(where: text.contains) { return text }
            }
            return text
        }

        func send(_ name: String, _ show: AdShow, _ more: [String: JSONValue] = [:]) {
            say(
                .object(
                    ["name": .string(name), "ad": .string("ad-\(show.id)")].merging(more) { _, new in new }))
        }
    }

    private func withView(
        _ placement: AdPlacement, _ body: (View, AdSurface) async throws -> Void
    ) async throws {
        let surface = try AdSurface(placement)
        let (events, event) = AsyncStream.makeStream(of: SurfaceMessage.self)
        let (sent, send) = AsyncStream.makeStream(of: SurfaceMessage.self)
        let link = SurfaceLink(events: events, content: "/c/ads/") { send.yield($0) }
        let view = View(sent: sent) { payload in
            event.yield(
                SurfaceMessage(surface: "ads", kind: SurfaceMessage.Kind.event, id: "1", payload: payload))
        }
        async let running: Void = surface.run(link)
        try await body(view, surface)
        event.finish()
        await running
    }

    private func showAd(
        _ fixture: AdsFixture, _ answer: AdResponse = .banner
    ) async throws -> (AdPlacement, AdShow) {
        try fixture.answer(answer)
        let placement = fixture.placement(nil)
        try await placement.load()
        try placement.show()
        return (placement, try #require(placement.current))
    }

    @Test func `a loaded ad is not on the page, and show puts it there`() async throws {
        let fixture = try await AdsFixture.start()
        let placement = fixture.placement()
        try await placement.load()
        try await withView(placement) { view, surface in
            #expect(await surface.screen.body == .nothing)
            try placement.show()
            let page = await view.shows("data-ad-frame")
            #expect(page.contains("/c/ads/creative/1.html"))
        }
    }

    @Test func `a creative is served unchanged, only while it is shown, and no other path is served`()
        async throws
    {
        let fixture = try await AdsFixture.start()
        let (placement, show) = try await showAd(fixture)
        let surface = try AdSurface(placement)
        let document = try await surface.resource("creative/\(show.id).html")
        #expect(document.data == Data("<b>Ferry</b>".utf8))
        #expect(document.rules as? AdFrameRules == .creative(allowsFrames: false))
        #expect(try await surface.resource("creative/mraid.js").data.isEmpty)
        for path in ["creative/99.html", "media/1", "landing/1.html", "../creative/1.html", "", "index.html"]
        {
            await #expect(throws: SurfaceContentMissing.self) { try await surface.resource(path) }
        }
        placement.dismiss()
        await #expect(throws: SurfaceContentMissing.self) {
            try await surface.resource("creative/\(show.id).html")
        }
    }

    @Test(arguments: [(nil, false), (false, false), (true, true)] as [(Bool?, Bool)])
    func `a creative has frames of other sites only where the response says so`(
        frames: Bool?, isAllowed: Bool
    )
        async throws
    {
        let fixture = try await AdsFixture.start()
        let answer = AdResponse.banner.with { $0.ext = AdResponseExtension(frames: frames) }
        let (placement, show) = try await showAd(fixture, answer)
        let document = try await AdSurface(placement).resource("creative/\(show.id).html")
        #expect(document.rules as? AdFrameRules == .creative(allowsFrames: isAllowed))
    }

    @Test func `a view counts once, however often it is reported`() async throws {
        let fixture = try await AdsFixture.start()
        let (placement, show) = try await showAd(fixture)
        try await withView(placement) { view, surface in
            for _ in 0..<3 { await surface.act(on: .rendered, of: "ad-\(show.id)") }
            await surface.act(on: .viewable, of: "ad-\(show.id)")
            await fixture.flush()
            #expect(fixture.called.filter { $0 == AdsFixture.view }.count == 1)
        }
    }

    @Test func `events of another ad change nothing`() async throws {
        let fixture = try await AdsFixture.start()
        let (placement, _) = try await showAd(fixture)
        let surface = try AdSurface(placement)
        for event in [
            AdViewEvent.rendered, .close, .hide, .failed(.redirect), .tap(.creative, "https://a.example"),
        ] {
            await surface.act(on: event, of: "ad-99")
        }
        await fixture.flush()
        #expect(placement.state == .showing && fixture.called.isEmpty)
    }

    @Test func `a close event of the page is ignored while the ad is locked`() async throws {
        let fixture = try await AdsFixture.start()
        let (placement, show) = try await showAd(fixture, .banner.with { $0.closeTimeout = 5000 })
        try await withView(placement) { view, surface in
            _ = await view.shows("data-ad-frame", without: ["data-ad-close"])
            await surface.act(on: .close, of: "ad-\(show.id)")
            #expect(placement.state.isDisplayed)
            try await fixture.clock.untilSleeping(for: .seconds(5))
            fixture.clock.advance(by: .seconds(5))
            _ = await view.shows("data-ad-close")
            await surface.act(on: .close, of: "ad-\(show.id)")
            #expect(placement.state == .closed || placement.state == .failed)
        }
    }

    @Test func `a creative that hides itself closes the ad, even while it is locked`() async throws {
        let fixture = try await AdsFixture.start()
        let (placement, show) = try await showAd(fixture, .banner.with { $0.closeTimeout = 60_000 })
        let surface = try AdSurface(placement)
        await surface.act(on: .rendered, of: "ad-\(show.id)")
        await surface.act(on: .hide, of: "ad-\(show.id)")
        #expect(placement.state == .closed)
    }

    @Test func `a creative that navigates its frame ends the ad at once`() async throws {
        let fixture = try await AdsFixture.start()
        let (placement, show) = try await showAd(fixture, .banner.with { $0.closeTimeout = 60_000 })
        let surface = try AdSurface(placement)
        await surface.act(on: .failed(.redirect), of: "ad-\(show.id)")
        #expect(placement.state == .failed)
        await fixture.flush()
        #expect(!fixture.called.contains(AdsFixture.view))
    }

    @Test func `a tap opens the browser, and the creative stays`() async throws {
        let fixture = try await AdsFixture.start()
        let (placement, show) = try await showAd(fixture)
        let surface = try AdSurface(placement)
        await surface.act(on: .rendered, of: "ad-\(show.id)")
        await surface.act(on: .tap(.creative, "https://www.example.com/a"), of: "ad-\(show.id)")
        try await fixture.browser.untilAsked()
        #expect(fixture.browser.opened.map(\.absoluteString) == ["https://www.example.com/a"])
        #expect(placement.current?.id == show.id)
    }

    @Test func `without a browser the landing page is shown over the app until it is closed`() async throws {
        let fixture = try await AdsFixture.start()
        fixture.browser.uninstall()
        let (placement, show) = try await showAd(fixture)
        try await withView(placement) { view, surface in
            await surface.act(on: .rendered, of: "ad-\(show.id)")
            await surface.act(on: .tap(.creative, "https://a.example/?x=1&y=\"<b>"), of: "ad-\(show.id)")
            await surface.act(on: .tap(.creative, "https://a.example/?x=1&y=2"), of: "ad-\(show.id)")
            let page = await view.shows("ad-landing")
            #expect(page.contains("a.example"))
            let path = try #require(await surface.landing?.page.path)
            let document = try await surface.resource(path)
            #expect(document.rules as? AdFrameRules == .landing)
            #expect(!String(decoding: document.data, as: UTF8.self).contains("<b>"))
            // The landing page stays when the ad is dismissed.
            placement.dismiss()
            await surface.redraw()
            #expect(await surface.landing != nil)
            await surface.act(on: .closeLanding, of: "ad-\(show.id)")
            #expect(await surface.landing == nil)
            await #expect(throws: SurfaceContentMissing.self) { try await surface.resource(path) }
        }
    }
}
