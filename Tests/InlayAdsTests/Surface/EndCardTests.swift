import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayAdsView
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayAds

/// The end card after a video: the best companion, in a creative's frame, with its own clicks and trackers.
@Suite(.timeLimit(.minutes(5))) struct EndCardTests {
    private static let mediaFile = AdVideo.Media(address: "https://cdn.test/ferry.mp4", type: "video/mp4")

    private static func card(
        _ content: AdVideo.Companion.Content, _ width: Int = 300, _ height: Int = 250,
        rendering: AdVideo.Companion.Rendering = .anywhere, link: String? = nil
    ) -> AdVideo.Companion {
        AdVideo.Companion(
            width: width, height: height, content: content, rendering: rendering, clickThrough: link,
            clickTrackers: ["https://ads.test/t/pixel?card-click"],
            views: ["https://ads.test/t/pixel?card-view"])
    }

    private func showAd(
        _ fixture: AdsFixture, _ companions: [AdVideo.Companion], link: String? = nil, atEnd: Bool = true,
        frames: Bool? = nil
    ) async throws -> (AdSurface, AdShow) {
        fixture.videos.set(
            AdVideo(
                media: Self.mediaFile, duration: .seconds(20), clickThrough: link, companions: companions))
        try fixture.answer(.video.with { $0.ext?.frames = frames })
        let placement = fixture.placement(nil)
        try await placement.load()
        try placement.show()
        let show = try #require(placement.current)
        let surface = try AdSurface(placement)
        await surface.act(on: .rendered, of: "ad-\(show.id)")
        if atEnd { await surface.act(on: .video(.complete, 20_000), of: "ad-\(show.id)") }
        return (surface, show)
    }

    private func pixels(_ fixture: AdsFixture) async -> [String] {
        await fixture.flush()
        return fixture.server.requests("/t/pixel").compactMap(\.url.query)
    }

    private func endCard(_ surface: AdSurface) async -> AdScreen.EndCard? {
        guard case .video(let video) = await surface.screen.body else { return nil }
        return video.endCard
    }

    @Test func `the end card is chosen by rendering mode, then by size, then by kind of content`() {
        var video = AdVideo(media: Self.mediaFile)
        #expect(video.endCard(allowsFrames: true) == nil)
        let small = Self.card(.html("small"), 100, 50)
        let page = Self.card(.frame("https://cdn.test/page"))
        let picture = Self.card(.image("https://cdn.test/card.png"))
        let markup = Self.card(.html("<b>Ferries</b>"))
        video.companions = [Self.card(.html("beside"), 900, 900, rendering: .beside)]
        #expect(video.endCard(allowsFrames: true) == nil)
        video.companions += [small, page]
        #expect(video.endCard(allowsFrames: true) == page)
        video.companions.append(picture)
        #expect(video.endCard(allowsFrames: true) == picture)
        video.companions.append(markup)
        #expect(video.endCard(allowsFrames: true) == markup)
        let declared = Self.card(.image("https://cdn.test/end.png"), 10, 10, rendering: .endCard)
        video.companions.append(declared)
        #expect(video.endCard(allowsFrames: true) == declared)
    }

    @Test func `the rendering mode and the content of companions are read from VAST`() async throws {
        let cards = """
            <Creative><CompanionAds>
            <Companion width="900" height="900" renderingMode="concurrent"><HTMLResource>x</HTMLResource></Companion>
            <Companion width="320" height="480" renderingMode="end-card"><HTMLResource><![CDATA[<b>Go</b>]]></HTMLResource>
            <TrackingEvents><Tracking event="creativeView">https://t.test/card</Tracking></TrackingEvents></Companion>
            <Companion width="640" height="960"><IFrameResource>https://cdn.test/page</IFrameResource></Companion>
            </CompanionAds></Creative>
            """
        let text = VASTTexts.document(VASTTexts.inline("a"))
            .replacingOccurrences(of: "</Creatives>", with: cards + "</Creatives>")
        let reader = VASTVideoReader(transport: ScriptedTransport(), clock: ManualClock())
        let video = try await reader.video(from: text)
        #expect(video.companions.map(\.rendering) == [.beside, .endCard, .anywhere])
        #expect(video.endCard(allowsFrames: false)?.content == .html("<b>Go</b>"))
        #expect(video.endCard(allowsFrames: false)?.views == ["https://t.test/card"])
        #expect(video.companions.last?.content == .frame("https://cdn.test/page"))
    }

    @Test func `an HTML end card is served unchanged in a creative's frame, and not before the end`()
        async throws
    {
        let fixture = try await AdsFixture.start()
        let cards = [Self.card(.html("<b>Ferries</b>"))]
        let (running, first) = try await showAd(fixture, cards, atEnd: false)
        await #expect(throws: SurfaceContentMissing.self) {
            try await running.resource("card/\(first.id).html")
        }
        let (surface, show) = try await showAd(fixture, cards)
        let document = try await surface.resource("card/\(show.id).html")
        #expect(document.data == Data("<b>Ferries</b>".utf8))
        #expect(document.rules as? AdFrameRules == .creative(allowsFrames: false))
        #expect(
            await endCard(surface)
                == .document(
                    path: "card/\(show.id).html", size: AdScreen.Size(width: 300, height: 250), isLink: false)
        )
    }

    @Test func `a page as end card is a frame within a creative's frame, and its address is escaped`()
        async throws
    {
        let fixture = try await AdsFixture.start()
        let address = "https://cdn.test/page?a=1&b=\"><script>"
        let (surface, show) = try await showAd(fixture, [Self.card(.frame(address))], frames: true)
        let document = try await surface.resource("card/\(show.id).html")
        let text = String(decoding: document.data, as: UTF8.self)
        #expect(document.rules as? AdFrameRules == .creative(allowsFrames: true) && !text.contains("<script"))
        #expect(text.contains("src=\"https://cdn.test/page?a=1&amp;b=&quot;&gt;&lt;script&gt;\""))
        #expect(text.contains("sandbox=\"allow-scripts\"") && text.contains("allow=\"\""))
    }

    @Test(arguments: [nil, false] as [Bool?])
    func `a page of another site is no end card where the unit allows no frames`(
        frames: Bool?
    ) async throws {
        let fixture = try await AdsFixture.start()
        let page = Self.card(.frame("https://cdn.test/page"), 900, 900, rendering: .endCard)
        let (alone, first) = try await showAd(fixture, [page], frames: frames)
        #expect(await endCard(alone) == nil)
        await #expect(throws: SurfaceContentMissing.self) {
            try await alone.resource("card/\(first.id).html")
        }
        await alone.act(on: .card, of: "ad-\(first.id)")
        #expect(await pixels(fixture).isEmpty)
        let (surface, show) = try await showAd(
            fixture, [page, Self.card(.html("<b>Ferries</b>"))], frames: frames)
        #expect(try await surface.resource("card/\(show.id).html").data == Data("<b>Ferries</b>".utf8))
    }

    @Test func `an end card's view trackers are called once, when it is on screen, and never before the end`()
        async throws
    {
        let fixture = try await AdsFixture.start()
        let cards = [Self.card(.html("<b>Ferries</b>"))]
        let (running, first) = try await showAd(fixture, cards, atEnd: false)
        await running.act(on: .card, of: "ad-\(first.id)")
        #expect(await pixels(fixture).isEmpty)
        let (surface, show) = try await showAd(fixture, cards)
        #expect(await pixels(fixture).isEmpty)
        for _ in 0..<3 { await surface.act(on: .card, of: "ad-\(show.id)") }
        #expect(await pixels(fixture) == ["card-view"])
    }

    @Test func `an image end card opens the click-through address of the VAST, not one from the page`()
        async throws
    {
        let fixture = try await AdsFixture.start()
        let card = Self.card(
            .image("https://cdn.test/card.png"), link: "https://www.example.com/card")
        let (surface, show) = try await showAd(fixture, [card], link: "https://www.example.com/film")
        await surface.act(on: .tap(.companion, "https://evil.example/"), of: "ad-\(show.id)")
        try await fixture.browser.untilAsked()
        #expect(fixture.browser.opened.map(\.absoluteString) == ["https://www.example.com/card"])
        #expect(await pixels(fixture) == ["card-click"])
        #expect(fixture.called.contains(AdsFixture.click))
    }

    @Test(arguments: [("https://www.example.com/in-the-card", "/in-the-card"), (nil, "/film")])
    func `an HTML end card opens its pressed link, and its button the ad's click-through address`(
        asked: String?, path: String
    ) async throws {
        let fixture = try await AdsFixture.start()
        let (surface, show) = try await showAd(
            fixture, [Self.card(.html("<a href=x>x</a>"))], link: "https://www.example.com/film")
        await surface.act(on: .tap(.companion, asked), of: "ad-\(show.id)")
        try await fixture.browser.untilAsked()
        #expect(fixture.browser.opened.map(\.path) == [path])
        #expect(await pixels(fixture) == ["card-click"])
        #expect(fixture.called.filter { $0 == AdsFixture.click }.count == 1)
    }

    @Test func `an end card opens no link before the end`() async throws {
        let fixture = try await AdsFixture.start()
        let (surface, show) = try await showAd(
            fixture, [Self.card(.html("x"), link: "https://www.example.com/card")], atEnd: false)
        await surface.act(on: .tap(.companion, "https://www.example.com/x"), of: "ad-\(show.id)")
        await fixture.flush()
        #expect(fixture.browser.opened.isEmpty)
        let called = await pixels(fixture)
        #expect(called.isEmpty)
    }

    @Test(arguments: [
        AdViewEvent.Failure.redirect, .late, .heavy(.messages), .heavy(.requests), .heavy(.time),
    ])
    func `a document that breaks the rules ends the ad`(failure: AdViewEvent.Failure) async throws {
        let fixture = try await AdsFixture.start()
        let (surface, show) = try await showAd(fixture, [Self.card(.html("x"))])
        await surface.act(on: .failed(failure), of: "ad-\(show.id)")
        await fixture.flush()
        #expect(show.placement.state == .closed && fixture.called.contains("/t/error"))
    }
}
