import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayAds

/// The trackers that the SDK calls, each once, also when the network fails or the app ends meanwhile.
@Suite(.timeLimit(.minutes(5))) struct TrackerTests {
    @Test func `the view tracker is called once when rendering begins, however often it is reported`()
        async throws
    {
        let fixture = try await AdsFixture.start()
        let placement = fixture.placement()
        try await placement.load()
        try placement.show()
        await fixture.flush()
        #expect(fixture.called.isEmpty)
        let show = try #require(placement.current)
        await show.rendered()
        // As after the view was hidden and shown again.
        await show.rendered()
        await show.rendered()
        await fixture.flush()
        #expect(fixture.called == [AdsFixture.view])
        await show.close()
        try await placement.load()
        try placement.show()
        await placement.current?.rendered()
        await fixture.flush()
        #expect(fixture.called.filter { $0 == AdsFixture.view }.count == 2)
    }

    @Test func `an ad that was not shown is not counted`() async throws {
        let fixture = try await AdsFixture.start()
        let placement = fixture.placement()
        try await placement.load()
        placement.destroy()
        try await placement.load()
        try placement.show()
        await placement.current?.failed(.notDrawn("test"))
        await fixture.flush()
        #expect(!fixture.called.contains(AdsFixture.view))
        _ = try await fixture.shown()
        await fixture.flush()
        #expect(fixture.called.filter { $0 == AdsFixture.view }.count == 1)
    }

    @Test func `ten shows are ten impressions for the app and ten views for the exchange`() async throws {
        let fixture = try await AdsFixture.start()
        let placement = fixture.placement()
        let events = StreamRecorder(placement.events)
        for _ in 0..<10 {
            try await placement.load()
            try placement.show()
            await placement.current?.rendered()
            await placement.current?.close()
        }
        await fixture.flush()
        #expect(fixture.called.filter { $0 == AdsFixture.view }.count == 10)
        try await eventually { events.elements.filter { $0 == .shown }.count == 10 }
    }

    @Test func `every tracker of the documented set is called at its event, whatever it is called`()
        async throws
    {
        let fixture = try await AdsFixture.start()
        try fixture.answer(
            .video.with {
                $0.ext = nil
                $0.tracker.others = [
                    "start": "https://ads.test/t/start", "close": "https://ads.test/t/close",
                ]
            })
        let (_, show) = try await fixture.shown(.video)
        await show.played(.start)
        await show.close()
        await fixture.flush()
        #expect(fixture.called == [AdsFixture.view, "/t/start", "/t/close"])
    }

    @Test func `trackers are plain GETs that carry nothing of the session`() async throws {
        let fixture = try await AdsFixture.start()
        _ = try await fixture.shown()
        await fixture.flush()
        let call = try #require(fixture.server.requests(AdsFixture.view).first)
        #expect(call.method == "GET" && call.body == nil)
        #expect(call.headers == ["User-Agent": "UA-1"])
    }

    @Test func `a view that could not be sent is sent by the next run of the app`() async throws {
        let fixture = try await AdsFixture.start()
        fixture.server.always(AdsFixture.view, .failure(.unreachable("tunnel")))
        _ = try await fixture.shown()
        try await fixture.server.untilRequests(AdsFixture.view)
        fixture.server.always(AdsFixture.view, .status(204))
        let before = fixture.server.requests(AdsFixture.view).count
        let again = try await fixture.restarted()
        try await again.server.untilRequests(AdsFixture.view, before + 1)
        await again.flush()
        #expect(again.server.requests(AdsFixture.view).count == before + 1)
        #expect(try await again.session.outbox.pending(lane: "ads-own").isEmpty)
    }

    @Test func `no click goes out before its view`() async throws {
        let fixture = try await AdsFixture.start()
        fixture.server.next(AdsFixture.view, .failure(.timedOut))
        let (_, show) = try await fixture.shown()
        show.touched()
        _ = await show.tapped("https://ferries.test/")
        await fixture.flush()
        await fixture.flush()
        #expect(fixture.called.last == AdsFixture.click)
        #expect(fixture.called.filter { $0 == AdsFixture.click }.count == 1)
        #expect(fixture.called.filter { $0 == AdsFixture.view }.count == 2)
    }

    @Test(arguments: [500, 503, 429, 408])
    func `a tracker stays in the outbox while the server is unavailable`(status: Int) async throws {
        let fixture = try await AdsFixture.start()
        fixture.server.always(AdsFixture.view, .status(status))
        _ = try await fixture.shown()
        for _ in 0..<6 { await fixture.flush() }
        // More often than a tracker that is refused.
        #expect(fixture.server.requests(AdsFixture.view).count > 4)
        #expect(try await fixture.session.outbox.pending(lane: "ads-own").count == 1)
    }

    @Test func `a tracker that is refused four times is given up, and the next one is sent`() async throws {
        let fixture = try await AdsFixture.start()
        fixture.server.always(AdsFixture.view, .status(404))
        let (_, show) = try await fixture.shown()
        show.touched()
        _ = await show.tapped("https://ferries.test/")
        try await eventually {
            await fixture.flush()
            return fixture.called.contains(AdsFixture.click)
        }
        #expect(fixture.server.requests(AdsFixture.view).count == 4)
    }

    @Test func `addresses that came with http, and calls that fail at their hosts, are counted`() async throws
    {
        let fixture = try await AdsFixture.start { $0.videos = nil }
        try fixture.answer(
            .video.with {
                $0.adm = VASTTexts.document(
                    VASTTexts.inline("a", head: "<Impression>http://ads.test/t/pixel</Impression>")
                )
                .replacing("https://i.test/", with: "http://dead.test/t/")
            })
        fixture.server.always("/t/a", .failure(.unreachable("no TLS")))
        let (_, show) = try await fixture.shown(.video)
        await show.played(.start)
        await fixture.flush()
        try await fixture.server.untilRequests("/t/pixel")
        try await eventually { fixture.session.ads.addressStatistics.failedCalls > 0 }
        #expect(fixture.session.ads.addressStatistics.upgraded == 2)
        let tries = fixture.server.requests("/t/a")
        #expect(fixture.session.ads.addressStatistics.failedCalls == tries.count)
        #expect((tries + fixture.server.requests("/t/pixel")).allSatisfy { $0.url.scheme == "https" })
    }

    @Test func `a redirect counts as delivered over https, but not over http`() async throws {
        let fixture = try await AdsFixture.start()
        fixture.server.always(AdsFixture.view, .status(302, headers: ["location": "https://x.test/"]))
        _ = try await fixture.shown()
        await fixture.flush()
        #expect(try await fixture.session.outbox.pending(lane: "ads-own").isEmpty)
        try fixture.answer(.banner.with { $0.tracker.view = "http://ads.test/t/view" })
        _ = try await fixture.shown()
        await fixture.flush()
        #expect(try await fixture.session.outbox.pending(lane: "ads-own").count == 1)
    }

    @Test
    func `an advertiser's unreachable host delays neither the exchange's trackers nor those of other hosts`()
        async throws
    {
        let fixture = try await AdsFixture.start()
        try fixture.answer(.video)
        fixture.videos.set(
            AdVideo(
                media: AdVideo.Media(address: "https://cdn.test/a.mp4", type: "video/mp4"),
                impressions: ["https://dead.test/t/dead", "https://ads.test/t/pixel"]))
        fixture.server.always("/t/dead", .failure(.unreachable("no such host")))
        let (_, show) = try await fixture.shown(.video)
        await show.played(.start)
        await fixture.flush()
        try await fixture.server.untilRequests("/t/pixel")
        try await fixture.server.untilRequests("/t/start")
        try await eventually {
            try await fixture.session.outbox.pending(lane: "ads-foreign").count == 1
        }
        #expect(fixture.server.requests("/t/pixel").count == 1)
    }

    @Test func `a tracker is called byte for byte as the advertiser or the exchange wrote it`() async throws {
        let fixture = try await AdsFixture.start { $0.videos = nil }
        let impressions = """
            <Impression>https://ads.test/t/pixel?x=%20y&amp;z={ord}|1</Impression>
            <Impression>
              //ads.test/t/pixel-2?n=Ærø&amp;x=%C3%86
              &amp;b=c d
            </Impression>
            """
        try fixture.answer(
            .video.with {
                $0.adm = VASTTexts.document(VASTTexts.inline("a", head: impressions))
                $0.tracker.view = " //ads.test/t/view?x=%20y&z={o}|\n"
            })
        _ = try await fixture.shown(.video)
        await fixture.flush()
        func called(_ path: String) async throws -> [String] {
            try await fixture.server.untilRequests(path).map(\.url.absoluteString)
        }
        #expect(try await called("/t/pixel") == ["https://ads.test/t/pixel?x=%20y&z=%7Bord%7D%7C1"])
        #expect(
            try await called("/t/pixel-2")
                == ["https://ads.test/t/pixel-2?n=%C3%86r%C3%B8&x=%C3%86&b=c%20d"])
        #expect(try await called(AdsFixture.view) == ["https://ads.test/t/view?x=%20y&z=%7Bo%7D%7C"])
    }

    @Test(arguments: [
        "https://me@ads.test/t/view", "/t/view", "https://ads.test/t/view\u{1}", "ftp://ads.test/t/view",
        "https://ads.test/t/view?" + String(repeating: "x", count: AdLimits.maximumAddressBytes),
    ])
    func `a tracker that is no address is never called`(_ address: String) async throws {
        let log = LogLines()
        let fixture = try await AdsFixture.start(log: log)
        fixture.session.setDebugLevel(1)
        try fixture.answer(.banner.with { $0.tracker.view = address })
        let (_, show) = try await fixture.shown()
        show.touched()
        _ = await show.tapped("https://ferries.test/")
        await fixture.flush()
        #expect(fixture.called == [AdsFixture.click])
        #expect(try await fixture.session.outbox.pending(lane: "ads-own").isEmpty)
        let logged = log.all.filter { $0.hasPrefix("info: ads: a tracker cannot be called: ") }
        #expect(logged.count == 1)
        // Addresses of trackers are no text for a log.
        #expect(logged.allSatisfy { !$0.contains("/t/view") })
    }

    @Test func `a tracker that the app's request gate denies is never called`() async throws {
        struct Gate: RequestGate {
            func disposition(for url: URL) -> RequestDisposition {
                url.path == AdsFixture.view ? .deny : .allow
            }
        }
        let fixture = try await AdsFixture.start(gate: Gate())
        _ = try await fixture.shown()
        await fixture.flush()
        #expect(fixture.called.isEmpty)
        #expect(try await fixture.session.outbox.pending(lane: "ads-own").isEmpty)
    }

    @Test func `without a user there is no store, and trackers are called all the same`() async throws {
        let fixture = try await AdsFixture.start(user: nil)
        _ = try await fixture.shown()
        try await fixture.server.untilRequests(AdsFixture.view)
    }

    @Test func `without a store the exchange's trackers are called one after the other all the same`()
        async throws
    {
        let fixture = try await AdsFixture.start(user: nil)
        try fixture.answer(.rewarded)
        fixture.server.hold(AdsFixture.view)
        let (_, show) = try await fixture.shown(.rewarded)
        await show.played(.complete)
        try await fixture.server.untilHeld(AdsFixture.view)
        #expect(fixture.called == [AdsFixture.view])
        fixture.server.hold("/t/complete")
        fixture.server.release(AdsFixture.view)
        try await fixture.server.untilHeld("/t/complete")
        #expect(fixture.called == [AdsFixture.view, "/t/complete"])
        fixture.server.release("/t/complete")
        try await fixture.server.untilRequests("/t/reward")
        #expect(fixture.called == [AdsFixture.view, "/t/complete", "/t/reward"])
    }

    @Test func `without a store a tracker is retried after the exchange's Retry-After`()
        async throws
    {
        let fixture = try await AdsFixture.start(user: nil)
        try fixture.answer(.rewarded)
        fixture.server.next(AdsFixture.view, .status(429, headers: ["Retry-After": "27"]))
        let (_, show) = try await fixture.shown(.rewarded)
        await show.played(.complete)
        try await fixture.clock.untilSleeping(for: .seconds(27))
        #expect(fixture.called == [AdsFixture.view])
        fixture.clock.advance(by: .seconds(27))
        try await fixture.server.untilRequests("/t/reward")
        #expect(fixture.called == [AdsFixture.view, AdsFixture.view, "/t/complete", "/t/reward"])
    }

    @Test func `without a store a tracker with a Retry-After over the maximum is given up`() async throws {
        let fixture = try await AdsFixture.start(user: nil)
        try fixture.answer(.rewarded)
        let seconds = AdLimits.maximumTrackerDelay + 1
        fixture.server.next(AdsFixture.view, .status(429, headers: ["Retry-After": "\(seconds)"]))
        let (_, show) = try await fixture.shown(.rewarded)
        await show.played(.complete)
        try await fixture.server.untilRequests("/t/reward")
        #expect(fixture.called == [AdsFixture.view, "/t/complete", "/t/reward"])
    }

    @Test func `a tracker is retried after the exchange's Retry-After, before all later ones`()
        async throws
    {
        let fixture = try await AdsFixture.start()
        try fixture.answer(.rewarded)
        fixture.server.next("/t/complete", .status(429, headers: ["Retry-After": "27"]))
        let (_, show) = try await fixture.shown(.rewarded)
        await show.played(.complete)
        try await fixture.clock.untilSleeping(for: .seconds(27))
        await fixture.flush()
        #expect(fixture.called == [AdsFixture.view, "/t/complete"])
        fixture.clock.advance(by: .seconds(27))
        try await fixture.server.untilRequests("/t/reward")
        #expect(fixture.called == [AdsFixture.view, "/t/complete", "/t/complete", "/t/reward"])
    }

    @Test func `the tracker calls of a creative are limited, and the exchange's own are still called`()
        async throws
    {
        let fixture = try await AdsFixture.start()
        try fixture.answer(.video)
        let many = (0..<600).map { "https://ads.test/t/pixel?\($0)" }
        fixture.videos.set(
            AdVideo(
                media: AdVideo.Media(address: "https://cdn.test/a.mp4", type: "video/mp4"),
                trackers: [.start: many, .midpoint: many, .complete: many]))
        let (_, show) = try await fixture.shown(.video)
        for name in [AdEventName.start, .midpoint, .complete] { await show.played(name) }
        await show.called(many)
        try await eventually {
            await fixture.flush()
            return fixture.called.contains("/t/complete")
                && fixture.server.requests("/t/pixel").count >= AdCallBudget.maximumCount
        }
        #expect(fixture.server.requests("/t/pixel").count == AdCallBudget.maximumCount)
        #expect(
            fixture.called.filter { $0 != "/t/pixel" } == [
                "/t/view", "/t/start", "/t/midpoint", "/t/complete",
            ])
        // The next ad has a budget of its own.
        var budget = AdCallBudget()
        #expect(budget.admitted(many).count == 600 && budget.admitted(many).count == 400)
        #expect(budget.admitted(many).isEmpty)
    }

    @Test func `numbers and random values are filled in, the exchange's own address is not touched`() {
        let macros = AdTrackerMacros(code: 402, now: Date(timeIntervalSince1970: 0), random: 12_345_678)
        #expect(
            macros.foreign("https://x.test/?e=[ERRORCODE]&r=[CACHEBUSTING]&t=[TIMESTAMP]")
                == "https://x.test/?e=402&r=12345678&t=1970-01-01T00%3A00%3A00.000Z")
        #expect(
            macros.own("https://x.test/?e=[ERRORCODE]&r=[CACHEBUSTING]")
                == "https://x.test/?e=402&r=[CACHEBUSTING]")
        #expect(AdTrackerMacros(code: nil).own("https://x.test/?e=[ERRORCODE]").contains("[ERRORCODE]"))
        #expect(
            macros.foreign("https://x.test/?u=%5BERRORCODE%5D%20%5bCACHEBUSTING%5d[PLAYERSIZE]")
                == "https://x.test/?u=402%2012345678[PLAYERSIZE]")
    }
}
