import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayAds

/// The events and trackers of an ad between show and close.
@Suite(.timeLimit(.minutes(5))) struct ShowTests {
    @Test func `load, show, click and close are reported in this order`() async throws {
        let fixture = try await AdsFixture.start()
        let placement = fixture.placement()
        let events = StreamRecorder(placement.events)
        try await placement.load()
        try placement.show()
        let show = try #require(placement.current)
        await show.rendered()
        show.touched()
        #expect(await show.tapped("https://ferries.test/") == .opened)
        #expect(await show.close())
        try await events.until { $0.isTerminal }
        #expect(
            events.elements == [.loaded, .showing, .closable, .shown, .clicked, .closed(.user)])
        #expect(placement.current == nil && placement.state == .closed)
    }

    @Test func `two observers receive the same events`() async throws {
        let fixture = try await AdsFixture.start()
        let placement = fixture.placement()
        let (one, two) = (StreamRecorder(placement.events), StreamRecorder(placement.events))
        try await placement.load()
        placement.destroy()
        try await one.until { $0 == .destroyed }
        try await two.until { $0 == .destroyed }
        #expect(one.elements == two.elements && one.elements == [.loaded, .destroyed])
    }

    @Test func `show before an ad was loaded is an error that draws and calls nothing`() async throws {
        let fixture = try await AdsFixture.start()
        let placement = fixture.placement()
        #expect(throws: AdError.notLoaded) { try placement.show() }
        #expect(placement.current == nil && placement.state == .initial)
        await fixture.flush()
        #expect(fixture.server.requests.isEmpty)
    }

    @Test func `an ad is shown once; a second show needs another load`() async throws {
        let fixture = try await AdsFixture.start()
        let (placement, show) = try await fixture.shown()
        #expect(throws: AdError.alreadyShown) { try placement.show() }
        await #expect(throws: AdError.busy) { try await placement.load() }
        await show.close()
        #expect(throws: AdError.alreadyShown) { try placement.show() }
        try await placement.load()
        try placement.show()
        #expect(placement.current?.id != show.id)
    }

    @Test func `concurrent loads of a placement share one request`() async throws {
        let fixture = try await AdsFixture.start()
        fixture.server.hold(AdsFixture.path)
        let placement = fixture.placement()
        async let first: Void = placement.load()
        try await fixture.server.untilHeld(AdsFixture.path)
        async let second: Void = placement.load()
        fixture.server.release(AdsFixture.path)
        _ = try await (first, second)
        try await placement.load()
        #expect(try fixture.requests().count == 1)
    }

    @Test func `an ad that waits too long expires, and cannot be shown`() async throws {
        let fixture = try await AdsFixture.start()
        try fixture.answer(.banner.with { $0.ext = AdResponseExtension(expiresIn: 60) })
        let placement = fixture.placement()
        let events = StreamRecorder(placement.events)
        try await placement.load()
        try await fixture.clock.untilSleeping(for: .seconds(60))
        fixture.clock.advance(by: .seconds(60))
        try await events.until { $0 == .expired }
        #expect(throws: AdError.expired) { try placement.show() }
        try await placement.load()
        try placement.show()
    }

    @Test func `an ad on screen does not expire`() async throws {
        let fixture = try await AdsFixture.start()
        try fixture.answer(.banner.with { $0.ext = AdResponseExtension(expiresIn: 60) })
        let placement = fixture.placement()
        try await placement.load()
        try await fixture.clock.untilSleeping(for: .seconds(60))
        try placement.show()
        await (try #require(placement.current)).rendered()
        // The sleep until the expiry was cancelled, so nothing wakes at its end.
        try await eventually { fixture.clock.sleepers.isEmpty }
        fixture.clock.advance(by: .seconds(120))
        #expect(placement.state == .shown)
    }

    @Test func `destroy at any time ends the load or the ad, and the placement can load again`() async throws
    {
        let fixture = try await AdsFixture.start()
        fixture.server.hold(AdsFixture.path)
        let placement = fixture.placement()
        let loading = Task { try await placement.load() }
        try await fixture.server.untilHeld(AdsFixture.path)
        placement.destroy()
        await #expect(throws: AdError.destroyed) { try await loading.value }
        fixture.server.release(AdsFixture.path)
        #expect(placement.state == .initial)
        try await placement.load()
        placement.destroy()
        #expect(throws: AdError.notLoaded) { try placement.show() }
        let (shown, show) = try await fixture.shown()
        shown.destroy()
        #expect(shown.current == nil)
        // Events from an earlier ad's surface are ignored.
        await show.played(.start)
        #expect(await show.tapped("https://ferries.test/") == .refused(.notShown))
    }

    @Test func `closeTimeout delays the user's close and not the app's`() async throws {
        let fixture = try await AdsFixture.start()
        try fixture.answer(.banner.with { $0.closeTimeout = 2000 })
        let (placement, show) = try await fixture.shown()
        let events = StreamRecorder(placement.events)
        try await fixture.clock.untilSleeping(for: .seconds(2))
        fixture.clock.advance(by: .milliseconds(1900))
        #expect(!placement.isClosable)
        #expect(await !show.close())
        fixture.clock.advance(by: .milliseconds(200))
        try await events.until { $0 == .closable }
        #expect(await show.close())
        let (other, _) = try await fixture.shown()
        other.dismiss()
        #expect(other.state == .closed)
    }

    @Test func `an error closes at once, however long the lock`() async throws {
        let fixture = try await AdsFixture.start()
        try fixture.answer(.rewarded)
        let (placement, show) = try await fixture.shown(.rewarded)
        let events = StreamRecorder(placement.events)
        let error = AdError.video(code: 405, "it stopped")
        await show.failed(error)
        try await events.until { $0.isTerminal }
        #expect(events.elements == [.closed(.error(error))])
    }

    private static let errors = "https://ads.test/t/pixel?[ERRORCODE]"
    private var media: AdVideo.Media { .init(address: "https://cdn.test/a.mp4", type: "video/mp4") }

    @Test(arguments: [false, true])
    func `a full-page ad that draws nothing for 15 seconds fails and reports its error code`(
        isWrapped: Bool
    ) async throws {
        let fixture = try await AdsFixture.start()
        try fixture.answer(.video)
        fixture.videos.set(AdVideo(media: media, errors: [Self.errors], isWrapped: isWrapped))
        let placement = fixture.placement(.video)
        try await placement.load()
        let events = StreamRecorder(placement.events)
        try placement.show()
        try await fixture.clock.untilSleeping(for: .seconds(15))
        fixture.clock.advance(by: .seconds(15))
        try await events.until { $0.isTerminal }
        #expect(placement.state == .failed)
        await fixture.flush()
        #expect(!fixture.called.contains(AdsFixture.view))
        #expect(fixture.server.requests("/t/pixel").map(\.url.query) == [isWrapped ? "304" : "400"])
    }

    @Test(arguments: [
        (AdError.video(code: 405, "it stopped"), "405"), (.invalidCreative("no video"), "100"),
        (.notDrawn("no picture"), "400"), (.cancelled, "900"),
    ])
    func `an error of an app's own player is reported by VAST's number, 900 where VAST has none`(
        error: AdError, number: String
    ) async throws {
        let fixture = try await AdsFixture.start()
        try fixture.answer(.video)
        fixture.videos.set(AdVideo(media: media, errors: [Self.errors]))
        let (_, show) = try await fixture.shown(.video)
        await show.failed(error)
        await fixture.flush()
        #expect(fixture.server.requests("/t/pixel").map(\.url.query) == [number])
    }

    @Test func `a banner that refreshes shows the next ad as an impression of its own`() async throws {
        let fixture = try await AdsFixture.start()
        try fixture.answer(.banner.with { $0.ext = AdResponseExtension(refresh: 30) })
        let (placement, first) = try await fixture.shown()
        let events = StreamRecorder(placement.events)
        try await fixture.clock.untilSleeping(for: .seconds(30))
        fixture.clock.advance(by: .seconds(30))
        try await events.until { $0 == .showing }
        let second = try #require(placement.current)
        #expect(second.id != first.id)
        // Late events of the first ad are ignored.
        await first.rendered()
        #expect(placement.state == .showing)
        await second.rendered()
        await fixture.flush()
        #expect(fixture.called == [AdsFixture.view, AdsFixture.view])
        #expect(Array(events.elements.prefix(3)) == [.closed(.replaced), .loaded, .showing])
    }

    @Test func `a placement that the app releases while its ad is on screen is deallocated`() async throws {
        struct Held: Sendable { weak var placement: AdPlacement? }
        let fixture = try await AdsFixture.start()
        func show() async throws -> Held { Held(placement: try await fixture.shown().0) }
        let held = try await show()
        try await eventually { held.placement == nil }
    }

    @Test func `a refresh without an ad keeps the banner, and is repeated`() async throws {
        let fixture = try await AdsFixture.start()
        let placement = fixture.placement()
        placement.refreshInterval = .seconds(20)
        try await placement.load()
        try placement.show()
        let show = try #require(placement.current)
        await show.rendered()
        fixture.server.always(AdsFixture.path, .status(204))
        try await fixture.clock.untilSleeping(for: .seconds(20))
        fixture.clock.advance(by: .seconds(20))
        try await fixture.server.untilRequests(AdsFixture.path, 2)
        try await fixture.clock.untilSleeping(for: .seconds(20))
        #expect(placement.current?.id == show.id && placement.state == .shown)
    }

    @Test func `log-out closes ads, ends the events, and sends the pending trackers`() async throws {
        let fixture = try await AdsFixture.start()
        let (placement, _) = try await fixture.shown()
        let events = StreamRecorder(placement.events)
        try await fixture.session.logOut()
        try await events.untilFinished()
        #expect(placement.current == nil && fixture.called.contains(AdsFixture.view))
        await #expect(throws: AdError.loggedOut) { try await placement.load() }
    }
}
