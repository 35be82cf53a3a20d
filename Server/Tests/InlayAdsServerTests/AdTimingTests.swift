import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayAdsServer
@testable import InlayServerTesting

/// Tests that an ad's event is not booked before the earliest time at which it can happen.
@Suite(.timeLimit(.minutes(3))) struct AdTimingTests {
    /// Requests an ad, reports its view, and returns it with a function that books one of its events by name.
    private func showAd(
        _ site: AdSite, _ unit: AdUnit
    ) async throws -> (ad: AdResponse, book: @Sendable (String) async throws -> AdBooking.Outcome) {
        let ad = try #require(try await site.requestAd(unit))
        let events = try #require(ad.ext?.events)
        try await site.call(ad.tracker.view)
        return (
            ad,
            { name in
                try await site.ads.booking.book(site.token(try #require(events[name])))
            }
        )
    }

    @Test(arguments: SQLEngine.allCases)
    func
        `the end of a 30-second video and its reward are refused at once, and booked at 0.9 of its length`(
            _ engine: SQLEngine
        ) async throws
    {
        try await AdSite.run(engine) { site in
            let unit = try await site.unit(.rewarded)
            try await site.campaign(.rewarded, markup: AdSite.vast(duration: "00:00:30"))
            let (_, book) = try await showAd(site, unit)
            #expect(try await book("complete") == .refused(.tooSoon))
            #expect(try await book("reward") == .refused(.beforeComplete))
            site.app.clock.advance(by: .milliseconds(26_999))
            #expect(try await book("complete") == .refused(.tooSoon))
            #expect(try await book("reward") == .refused(.beforeComplete))
            #expect(try await site.ledger() == ["view 2500000"])
            #expect(try await site.refused() == ["too-soon": 2, "before-complete": 2])
            let day = AdPace.day(of: site.app.clock.now)
            let report = try await site.ads.reports.refused(site.environmentID, days: day...day)
            #expect(
                Set(report.map { "\($0.reason) \($0.event) \($0.times)" }) == [
                    "too-soon complete 2", "before-complete reward 2",
                ])
            site.app.clock.advance(by: .milliseconds(1))
            #expect(try await book("complete") == .booked)
            #expect(try await book("reward") == .booked)
        }
    }

    @Test func `a quartile is booked once its share of the video can have been played`() async throws {
        try await AdSite.run { site in
            let unit = try await site.unit(.video)
            try await site.campaign(.video, markup: AdSite.vast(duration: "00:00:40"))
            let (_, book) = try await showAd(site, unit)
            #expect(try await book("start") == .booked, "a start has no minimum time after the response")
            for (name, seconds) in [
                ("firstQuartile", 9), ("midpoint", 9), ("thirdQuartile", 9), ("complete", 9),
            ] {
                site.app.clock.advance(by: .milliseconds(seconds * 1_000 - 1))
                #expect(try await book(name) == .refused(.tooSoon), "\(name)")
                site.app.clock.advance(by: .milliseconds(1))
                #expect(try await book(name) == .booked, "\(name)")
            }
            #expect(try await book("close") == .booked)
        }
    }

    @Test func `an ad that was loaded long before it was shown, and events that come together, are booked`()
        async throws
    {
        try await AdSite.run { site in
            let unit = try await site.unit(.video)
            try await site.campaign(.video, markup: AdSite.vast(duration: "00:00:30"))
            let ad = try #require(try await site.requestAd(unit))
            let events = try #require(ad.ext?.events)
            // The ad was shown twenty minutes after it was loaded; then the device had no network for an hour.
            site.app.clock.advance(by: .seconds(4_800))
            try await site.call(ad.tracker.view)
            for name in ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete"] {
                try await site.call(try #require(events[name]))
            }
            #expect(try await site.ledger().count == 6)
            #expect(try await site.refused().isEmpty)
        }
    }

    @Test func `an event before the answer is refused, whatever the nodes' clocks say`() async throws {
        try await AdSite.run { site in
            let unit = try await site.unit(.video)
            try await site.campaign(.video)
            let (_, book) = try await showAd(site, unit)
            site.app.clock.advance(by: .seconds(-1))
            #expect(try await book("start") == .refused(.tooSoon))
            site.app.clock.advance(by: .seconds(1))
            #expect(try await book("start") == .booked)
        }
    }

    @Test func `the winning bid's video is as long as its markup says`() async throws {
        try await AdSite.run { site in
            let unit = try await site.unit(.rewarded)
            try await site.bidder("buyer", 1_000_000) {
                ($0.markup, $0.markupType) = (AdSite.vast(duration: "00:00:20"), 2)
            }
            let (_, book) = try await showAd(site, unit)
            site.app.clock.advance(by: .milliseconds(17_999))
            #expect(try await book("complete") == .refused(.tooSoon))
            site.app.clock.advance(by: .milliseconds(1))
            #expect(try await book("complete") == .booked)
            #expect(try await book("reward") == .booked)
        }
    }

    private static let wrapper = """
        <Ad id="2"><Wrapper><AdSystem>s</AdSystem><VASTAdTagURI><![CDATA[https://t.test/next]]></VASTAdTagURI>
        <Impression><![CDATA[https://t.test/i]]></Impression></Wrapper></Ad>
        """

    @Test(arguments: [
        ("<p>no video</p>", nil, 5), (AdSite.vast(duration: "00:00:00"), nil, 5), (AdSite.vast, 30, 6),
        ("<VAST version=\"4.2\">\(wrapper)</VAST>", nil, 5),
        ("<VAST version=\"4.2\">\(wrapper)</VAST>", 30, 30),
        (AdSite.vast.replacing("</VAST>", with: "\(wrapper)</VAST>"), 30, 6),
        (AdSite.vast(duration: "00:00:30").replacing("</VAST>", with: "\(wrapper)</VAST>"), nil, 5),
        (AdSite.vast(duration: "15"), nil, 15), (AdSite.vast(duration: "soon"), nil, 5),
    ])
    func `a video without a length counts as five seconds, and of several the shortest counts`(
        _ markup: String, _ declared: Int?, _ seconds: Int
    ) {
        let length = AdEventTiming.length(ofVAST: markup, declared: declared.map { .seconds($0) })
        #expect(length == .seconds(seconds))
        #expect(AdEventTiming.minimumAge(of: .complete, length: nil) == .milliseconds(4_500))
    }
}
