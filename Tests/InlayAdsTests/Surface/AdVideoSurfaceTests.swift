import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayAdsView
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayAds

/// A video on screen: its file, its events, and the errors of its player.
@Suite(.timeLimit(.minutes(5))) struct AdVideoSurfaceTests {
    private static let mediaFile = AdVideo.Media(address: "https://cdn.test/ferry.mp4", type: "video/mp4")

    private func showAd(
        _ fixture: AdsFixture, _ video: AdVideo, rewarded: Bool = false
    ) async throws -> (AdSurface, AdPlacement, String) {
        fixture.videos.set(video)
        try fixture.answer(rewarded ? .rewarded : .video)
        let placement = fixture.placement(nil)
        try await placement.load()
        try placement.show()
        let show = try #require(placement.current)
        return (try AdSurface(placement), placement, "ad-\(show.id)")
    }

    @Test func `a fetched video that does not play ends the ad with 405`() async throws {
        let fixture = try await AdsFixture.start()
        let video = AdVideo(
            media: Self.mediaFile, duration: .seconds(20),
            errors: ["https://ads.test/t/pixel?code=[ERRORCODE]"])
        let (surface, placement, ad) = try await showAd(fixture, video, rewarded: true)
        await surface.act(on: .failed(.media(4)), of: ad)
        await fixture.flush()
        #expect(placement.state == .failed)
        #expect(fixture.server.requests("/t/pixel").first?.url.query == "code=405")
        #expect(!fixture.called.contains(AdsFixture.view) && !fixture.called.contains("/t/reward"))
    }

    @Test func `a stalled player ends the ad`() async throws {
        let fixture = try await AdsFixture.start()
        let (surface, placement, ad) = try await showAd(
            fixture, AdVideo(media: Self.mediaFile, duration: .seconds(20)))
        await surface.act(on: .rendered, of: ad)
        await surface.act(on: .failed(.stall), of: ad)
        guard case .closed = placement.state else { return #expect(Bool(false), "\(placement.state)") }
    }

    @Test func `the events of a video are reported in their order, and a rewarded one is not skipped`()
        async throws
    {
        let fixture = try await AdsFixture.start()
        let video = AdVideo(media: Self.mediaFile, duration: .seconds(20), skipOffset: .seconds(5))
        let (surface, placement, ad) = try await showAd(fixture, video, rewarded: true)
        await surface.act(on: .rendered, of: ad)
        for phase in [AdViewEvent.Phase.start, .firstQuartile, .skip, .midpoint] {
            await surface.act(on: .video(phase, 1000), of: ad)
        }
        #expect(await !surface.screen.isOver && !placement.isClosable)
        await surface.act(on: .video(.complete, 20_000), of: ad)
        #expect(await surface.screen.isOver && placement.isClosable)
        await fixture.flush()
        let events = fixture.called.filter { $0 != AdsFixture.view }
        #expect(events == ["/t/start", "/t/firstQuartile", "/t/midpoint", "/t/complete", "/t/reward"])
    }

    @Test func `the icon over a video has its own time, and its view counts once`() async throws {
        let fixture = try await AdsFixture.start()
        let icon = AdVideo.Icon(
            program: "AdChoices", width: 20, height: 20, image: "https://cdn.test/i.png",
            offset: .seconds(2), duration: .seconds(3), views: ["https://ads.test/t/pixel"])
        let (surface, _, ad) = try await showAd(fixture, AdVideo(media: Self.mediaFile, icons: [icon]))
        guard case .video(let video) = await surface.screen.body else { throw TestFailure() }
        #expect(video.icon?.from == 2000 && video.icon?.until == 5000)
        await surface.act(on: .icon, of: ad)
        await surface.act(on: .rendered, of: ad)
        for _ in 0..<3 { await surface.act(on: .icon, of: ad) }
        await fixture.flush()
        #expect(fixture.server.requests("/t/pixel").count == 1)
    }
}
