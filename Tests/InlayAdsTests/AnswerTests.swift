import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayAds

/// The responses to ad requests: those that become an ad, and those that fail the load.
@Suite(.timeLimit(.minutes(5))) struct AnswerTests {
    @Test func `the documented answer becomes the ad with its values`() async throws {
        let fixture = try await AdsFixture.start()
        fixture.server.always(
            AdsFixture.path,
            .response(
                TransportResponse(
                    status: 200,
                    body: Data(
                        """
                        {"type":1,"adm":"<i>Orkney</i>","closeTimeout":2000,"width":300,"height":250,
                        "tracker":{"view":"https://ads.test/t/view","click":"https://ads.test/t/click"}}
                        """.utf8))))
        let placement = fixture.placement()
        let events = StreamRecorder(placement.events)
        try await placement.load()
        try await events.until { $0 == .loaded }
        #expect(placement.type == .banner)
        try placement.show()
        let show = try #require(placement.current)
        #expect(show.creative == .html("<i>Orkney</i>", size: AdSize(width: 300, height: 250)))
        #expect(show.type == .banner && show.terms.closeDelay == .seconds(2) && !show.allowsMRAID)
        await show.rendered()
        show.touched()
        #expect(await show.tapped("https://ferries.test/") == .opened)
        await fixture.flush()
        #expect(fixture.called == ["/t/view", "/t/click"])
    }

    @Test(arguments: [AdFormat.banner, .video, .rewarded])
    func `each format is sent with the request and gets a creative of its kind`(format: AdFormat) async throws
    {
        let fixture = try await AdsFixture.start()
        let answers: [AdFormat: AdResponse] = [.banner: .banner, .video: .video, .rewarded: .rewarded]
        try fixture.answer(try #require(answers[format]))
        let placement = fixture.placement(format)
        try await placement.load()
        #expect(try fixture.requests().first?["ext"]?["format"] == .string(format.rawValue))
        try placement.show()
        let show = try #require(placement.current)
        #expect(show.format == format)
        switch (show.creative, format) {
        case (.html, .banner), (.video, .video), (.video, .rewarded): break
        default: Issue.record("\(format) brought \(show.creative)")
        }
        #expect(show.type == [.banner: .banner, .video: .video, .rewarded: .rewarded][format])
    }

    @Test(arguments: ["type 4", "no JSON", "no body", "empty adm", "blank adm", "huge adm", "VAST as banner"])
    func `an answer that is no ad fails the load, and show then shows nothing`(kind: String) async throws {
        let fixture = try await AdsFixture.start()
        fixture.server.always(AdsFixture.path, .response(Self.response(kind)))
        let placement = fixture.placement()
        let events = StreamRecorder(placement.events)
        await #expect(throws: AdError.self) { try await placement.load() }
        #expect(placement.state == .failed)
        #expect(throws: AdError.notLoaded) { try placement.show() }
        #expect(placement.current == nil)
        await fixture.flush()
        #expect(fixture.called.isEmpty)
        try await events.until(count: 1)
        #expect(events.elements.count == 1 && events.elements.allSatisfy(\.isTerminal))
        // The same response with a valid ad is loaded.
        fixture.server.always(AdsFixture.path, .response(Self.response("an ad")))
        try await placement.load()
        #expect(placement.state == .ready)
    }

    private static func response(_ kind: String) -> TransportResponse {
        func ad(_ type: Int, _ adm: String) -> String {
            #"{"type":\#(type),"adm":"\#(adm)","tracker":{"view":"https://ads.test/t/view"}}"#
        }
        let body =
            switch kind {
            case "an ad": ad(1, "<b>x</b>")
            case "type 4": ad(4, "<b>x</b>")
            case "no JSON": "<html>"
            case "no body": ""
            case "empty adm": ad(1, "")
            case "blank adm": ad(1, " \\n ")
            case "huge adm": ad(1, String(repeating: "x", count: AdLimits.maximumMarkupBytes + 1))
            default: ad(1, "<VAST version='3.0'></VAST>")
            }
        return TransportResponse(status: 200, body: Data(body.utf8))
    }

    @Test(arguments: [AdType.video, .rewarded])
    func `a video whose VAST is empty or broken fails the load with its error code`(type: AdType) async throws
    {
        let fixture = try await AdsFixture.start()
        try fixture.answer(AdResponse.video.with { ($0.type, $0.adm) = (type, "") })
        let placement = fixture.placement(.video)
        await #expect(throws: AdError.invalidCreative("adm is empty")) { try await placement.load() }
        try fixture.answer(AdResponse.video.with { ($0.type, $0.adm) = (type, "<VAST><broken") })
        fixture.videos.fail(
            AdVideoFailure(
                code: 100, reason: "not closed", errors: ["https://ads.test/t/pixel?code=[ERRORCODE]"]))
        await #expect(throws: AdError.video(code: 100, "not closed")) { try await placement.load() }
        await fixture.flush()
        try await fixture.server.untilRequests("/t/pixel")
        // The error addresses of the exchange and of the advertiser are called.
        #expect(fixture.server.requests("/t/pixel").first?.url.query == "code=100")
        #expect(fixture.server.requests("/t/error").count == 2)
    }

    @Test func `no ad now, a refusal and a broken connection are distinguished`() async throws {
        let fixture = try await AdsFixture.start()
        let placement = fixture.placement()
        fixture.server.always(AdsFixture.path, .status(204))
        await #expect(throws: AdError.noFill) { try await placement.load() }
        let problem = Problem(Problem.Code(rawValue: "ads.unknown-unit"), status: 404, title: "No such unit")
        fixture.server.always(AdsFixture.path, try .problem(problem))
        await #expect(throws: AdError.refused(problem)) { try await placement.load() }
        fixture.server.always(AdsFixture.path, .failure(.timedOut))
        await #expect(throws: AdError.network("timedOut")) { try await placement.load() }
        fixture.server.always(AdsFixture.path, try .json(AdResponse.banner))
        try await placement.load()
        #expect(placement.state == .ready)
    }

    @Test func `a load with an invalid unit id sends no request`() async throws {
        let fixture = try await AdsFixture.start()
        let placement = fixture.session.ads.placement(unitID: "banner")
        await #expect(throws: AdError.invalidUnit("banner")) { try await placement.load() }
        #expect(fixture.server.requests.isEmpty)
    }

    @Test func `the terms of a response are limited, whatever the server sends`() {
        let greedy = AdResponse.rewarded.with {
            $0.ext = AdResponseExtension(expiresIn: 1_000_000, refresh: 1, lockLimit: 10_000_000)
        }
        let terms = AdResponseTerms(greedy, format: .rewarded)
        #expect(terms.lifetime == .seconds(3600) && terms.closeDelay == .seconds(120) && terms.refresh == nil)
        let long = AdResponseTerms(
            AdResponse.banner.with { $0.closeTimeout = 10_000_000 }, format: .interstitial)
        #expect(long.closeDelay == .seconds(60) && long.coversPage)
        let banner = AdResponseTerms(
            AdResponse.banner.with { $0.ext = AdResponseExtension(refresh: 1) }, format: nil)
        #expect(banner.refresh == .seconds(10) && banner.lifetime == .seconds(300) && !banner.coversPage)
        #expect(AdResponseTerms(.video, format: nil).lifetime == .seconds(1800))
    }
}
