@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayAds

@Suite(.timeLimit(.minutes(5))) struct DroppedSessionTests {
    @Test
    func `a session that the app releases ends its ads and is deallocated, even while an ad is on screen`()
        async throws
    {
        var fixture: AdsFixture? = try await .start()
        let (clock, ads) = try #require(fixture.map { ($0.clock, $0.session.ads) })
        let work = try #require(fixture?.session.work)
        let (placement, show) = try #require(try await fixture?.shown())
        weak let session = fixture?.session
        let events = StreamRecorder(placement.events)
        fixture = nil
        #expect(session == nil)
        try await events.untilFinished()
        #expect(placement.current == nil)
        try await eventually { work.running == 0 && clock.sleepers.isEmpty }
        await show.rendered()
        await #expect(throws: AdError.loggedOut) { try await placement.load() }
        #expect(ads.isInitialized)
        #expect(work.running == 0)
    }
}
