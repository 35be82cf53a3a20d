import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayAds

/// Video ads, and the rewards of rewarded ones.
@Suite(.timeLimit(.minutes(5))) struct RewardedTests {
    @Test func `a complete video earns the reward once, and makes the ad closable`() async throws {
        let fixture = try await AdsFixture.start()
        try fixture.answer(.rewarded)
        let (placement, show) = try await fixture.shown(.rewarded)
        let events = StreamRecorder(placement.events)
        #expect(show.type == .rewarded && placement.type == .rewarded)
        #expect(await !show.close())
        for name in [AdEventName.start, .firstQuartile, .midpoint, .thirdQuartile, .complete, .complete] {
            await show.played(name)
        }
        #expect(placement.isClosable)
        #expect(await show.close())
        try await events.until { $0.isTerminal }
        #expect(
            events.elements == [
                .video(.start), .video(.firstQuartile), .video(.midpoint), .video(.thirdQuartile),
                .video(.complete), .rewarded(AdReward(amount: 10, currency: "coins")), .closable,
                .closed(.user),
            ])
        await fixture.flush()
        #expect(
            fixture.called == [
                "/t/view", "/t/start", "/t/firstQuartile", "/t/midpoint", "/t/thirdQuartile", "/t/complete",
                "/t/reward", "/t/close",
            ])
    }

    @Test func `a rewarded video becomes closable at the end of its lock, without a reward`() async throws {
        let fixture = try await AdsFixture.start()
        try fixture.answer(.rewarded.with { $0.ext?.lockLimit = 20_000 })
        let (placement, show) = try await fixture.shown(.rewarded)
        let events = StreamRecorder(placement.events)
        await show.played(.start)
        await show.played(.skip)
        #expect(await !show.close())
        try await fixture.clock.untilSleeping(for: .seconds(20))
        fixture.clock.advance(by: .seconds(20))
        try await events.until { $0 == .closable }
        #expect(await show.close())
        await fixture.flush()
        #expect(!fixture.called.contains("/t/reward"))
    }

    @Test func `a video that is not rewarded earns nothing, and is closable at its end`() async throws {
        let fixture = try await AdsFixture.start()
        try fixture.answer(.video.with { $0.closeTimeout = 30_000 })
        let (placement, show) = try await fixture.shown(.video)
        #expect(placement.type == .video && !placement.isClosable)
        await show.played(.complete)
        #expect(placement.isClosable)
        await fixture.flush()
        #expect(fixture.called.contains("/t/complete") && !fixture.called.contains("/t/reward"))
    }

    @Test func `mute and unmute are reported each time, other events once`() async throws {
        let fixture = try await AdsFixture.start()
        try fixture.answer(.video)
        let (_, show) = try await fixture.shown(.video)
        for name in [AdEventName.start, .mute, .unmute, .mute, .start, .midpoint, .midpoint] {
            await show.played(name)
        }
        await fixture.flush()
        #expect(
            fixture.called == ["/t/view", "/t/start", "/t/mute", "/t/unmute", "/t/mute", "/t/midpoint"])
    }

    @Test func `the creative's own trackers are called at its events, and at its progress offsets`()
        async throws
    {
        let fixture = try await AdsFixture.start()
        try fixture.answer(.video.with { $0.ext = nil })
        fixture.videos.set(
            AdVideo(
                media: AdVideo.Media(address: "https://cdn.test/a.mp4", type: "video/mp4"),
                impressions: ["https://x.test/t/pixel?impression"],
                clickTrackers: ["https://x.test/t/pixel?click"],
                trackers: [.midpoint: ["https://x.test/t/pixel?midpoint"]],
                progress: [AdVideo.Progress(offset: .seconds(5), address: "https://x.test/t/pixel?five")]))
        let (_, show) = try await fixture.shown(.video)
        await show.progressed(to: .seconds(4))
        await show.progressed(to: .seconds(5))
        await show.progressed(to: .seconds(6))
        await show.played(.midpoint)
        show.touched()
        _ = await show.tapped("https://ferries.test/")
        await fixture.flush()
        try await fixture.server.untilRequests("/t/pixel", 4)
        #expect(
            Set(fixture.server.requests("/t/pixel").compactMap(\.url.query))
                == ["impression", "five", "midpoint", "click"])
        #expect(fixture.server.requests("/t/pixel").count == 4)
    }

    @Test(arguments: [false, true])
    func `an advertiser receives the impression and whether its video was viewable, once it is on screen`(
        isViewable: Bool
    ) async throws {
        let fixture = try await AdsFixture.start()
        try fixture.answer(.video)
        let pixel = "https://ads.test/t/pixel?"
        fixture.videos.set(
            AdVideo(
                media: .init(address: "https://cdn.test/a.mp4", type: "video/mp4"),
                impressions: [pixel + "impression"],
                trackers: [
                    "loaded": [pixel + "loaded"], "creativeView": [pixel + "creativeView"],
                    .viewable: [pixel + "viewable"], "notViewable": [pixel + "notViewable"],
                ]))
        let placement = fixture.placement(.video)
        try await placement.load()
        try placement.show()
        await fixture.flush()
        #expect(fixture.server.requests("/t/pixel").isEmpty)
        let show = try #require(placement.current)
        await show.rendered()
        if isViewable { for _ in 0..<2 { await show.viewable() } }
        await show.close()
        await fixture.flush()
        try await fixture.server.untilRequests("/t/pixel", 4)
        #expect(
            fixture.server.requests("/t/pixel").compactMap(\.url.query).sorted()
                == ["creativeView", "impression", "loaded", isViewable ? "viewable" : "notViewable"])
    }

    @Test func `a video that fails reports its error code and ends`() async throws {
        let fixture = try await AdsFixture.start()
        try fixture.answer(.video.with { $0.ext?.events?["error"] = "https://ads.test/t/error?[ERRORCODE]" })
        let (placement, show) = try await fixture.shown(.video)
        await show.failed(.video(code: 405, "cannot play"))
        await fixture.flush()
        #expect(fixture.server.requests("/t/error").first?.url.query == "405")
        #expect(placement.state == .closed)
    }

    @Test func `VAST is read by the SDK's own reader unless another is given`() async throws {
        let fixture = try await AdsFixture.start { $0.videos = nil }
        try fixture.answer(
            .video.with {
                $0.adm = """
                    <VAST version="3.0"><Ad id="1"><InLine><AdSystem>t</AdSystem><AdTitle>Ferry</AdTitle>
                    <Error><![CDATA[https://ads.test/t/pixel-2?[ERRORCODE]]]></Error>
                    <Impression><![CDATA[https://ads.test/t/pixel]]></Impression><Creatives><Creative><Linear>
                    <Duration>00:00:10</Duration><TrackingEvents><Tracking event="midpoint">
                    <![CDATA[https://ads.test/t/mid]]></Tracking></TrackingEvents><MediaFiles>
                    <MediaFile delivery="progressive" type="video/mp4" width="640" height="360">
                    <![CDATA[https://cdn.test/ferry.mp4]]></MediaFile></MediaFiles></Linear></Creative>
                    </Creatives></InLine></Ad></VAST>
                    """
            })
        fixture.server.always("/t/mid", .status(204))
        let (_, show) = try await fixture.shown(.video)
        guard case .video(let video) = show.creative else { throw TestFailure() }
        #expect(video.media.address == "https://cdn.test/ferry.mp4" && video.duration == .seconds(10))
        await show.played(.midpoint)
        await show.failed(.video(code: 405, "it stopped"))
        await fixture.flush()
        try await fixture.server.untilRequests("/t/mid")
        try await fixture.server.untilRequests("/t/pixel")
        try await fixture.server.untilRequests("/t/pixel-2")
        #expect(fixture.server.requests("/t/pixel-2").first?.url.query == "405")
    }

    @Test(arguments: [("", 0), ("<VAST version=\"3.0\"></VAST>", 303), ("<VAST><Ad>", 100)])
    func `VAST without an ad fails the load`(markup: String, code: Int) async throws {
        let fixture = try await AdsFixture.start { $0.videos = nil }
        try fixture.answer(.video.with { $0.adm = markup })
        let placement = fixture.placement(.video)
        let error = await #expect(throws: AdError.self) { try await placement.load() }
        #expect((error?.vastCode ?? 0) == code)
        #expect(placement.state == .failed)
        #expect(throws: AdError.notLoaded) { try placement.show() }
        #expect(placement.current == nil)
    }
}
