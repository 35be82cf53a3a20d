import Foundation
import InlayCore
import InlaySurface
import InlayTesting
import InlayWire
import Testing

@testable import InlayAds

/// A video on screen: its file, its marks, and what becomes of a player's troubles.
@Suite(.timeLimit(.minutes(5))) struct AdVideoSurfaceTests {
    private static let film = Data("a film".utf8)
    private static let first = AdVideo.Media(address: "https://cdn.test/first.mp4", type: "video/mp4")
    private static let second = AdVideo.Media(
        address: "https://cdn.test/second.webm", type: "Video/WebM; codecs=vp8")

    private func showing(
        _ fixture: AdsFixture, _ video: AdVideo, rewarded: Bool = false
    ) async throws -> (AdSurface, AdPlacement, String) {
        fixture.videos.say(video)
        try fixture.answer(rewarded ? .rewarded : .video)
        let place = fixture.place(nil)
        try await place.load()
        try place.show()
        let show = try #require(place.current)
        return (try AdSurface(place), place, "ad-\(show.id)")
    }

    private func requests(_ fixture: AdsFixture) -> [String] {
        fixture.server.requests.map(\.url.absoluteString).filter { $0.contains("cdn.test") }
    }

    @Test func `a film is fetched once, however many ask for it`() async throws {
        let fixture = try await AdsFixture.start()
        fixture.server.always("/first.mp4", .response(TransportResponse(status: 200, body: Self.film)))
        let (surface, _, _) = try await showing(fixture, AdVideo(media: Self.first, duration: .seconds(20)))
        async let one = surface.resource("media/1")
        async let two = surface.resource("media/1")
        let files = try await [one, two]
        #expect(files.allSatisfy { $0.data == Self.film && $0.mediaType == "video/mp4" && $0.rules == nil })
        #expect(requests(fixture) == [Self.first.address])
    }

    @Test func `where the best file cannot be had, the next best plays`() async throws {
        let fixture = try await AdsFixture.start()
        fixture.server.always("/second.webm", .response(TransportResponse(status: 200, body: Self.film)))
        let (surface, _, _) = try await showing(
            fixture, AdVideo(media: Self.first, alternatives: [Self.second], duration: .seconds(20)))
        #expect(try await surface.resource("media/1").mediaType == "video/webm")
        #expect(requests(fixture) == [Self.first.address, Self.second.address])
    }

    @Test(arguments: [
        (ScriptedAnswer.status(404), 401), (.failure(.timedOut), 402), (.failure(.denied), 401),
        (.failure(.tooLarge), 400), (.response(TransportResponse(status: 200, body: film)), 405),
    ])
    func `a film that does not play ends the ad with VAST's own number`(answer: ScriptedAnswer, code: Int)
        async throws
    {
        let fixture = try await AdsFixture.start()
        fixture.server.always("/first.mp4", answer)
        let video = AdVideo(
            media: Self.first, duration: .seconds(20), errors: ["https://ads.test/t/pixel?code=[ERRORCODE]"])
        let (surface, place, ad) = try await showing(fixture, video, rewarded: true)
        _ = try? await surface.resource("media/1")
        await surface.act(on: .failed(.media(4)), of: ad)
        await fixture.flush()
        #expect(place.state == .failed)
        let told = fixture.server.requests.compactMap(\.url.query).first { $0.hasPrefix("code=") }
        #expect(told == "code=\(code)")
        #expect(!fixture.called.contains(AdsFixture.view) && !fixture.called.contains("/t/reward"))
    }

    @Test func `a player that gets nothing more is a time-out`() async throws {
        let fixture = try await AdsFixture.start()
        let (surface, place, ad) = try await showing(
            fixture, AdVideo(media: Self.first, duration: .seconds(20)))
        await surface.act(on: .rendered, of: ad)
        await surface.act(on: .failed(.stall), of: ad)
        guard case .closed = place.state else { return #expect(Bool(false), "\(place.state)") }
    }

    @Test func `an http file is not asked for`() async throws {
        let fixture = try await AdsFixture.start()
        let plain = AdVideo.Media(address: "http://cdn.test/first.mp4", type: "video/mp4")
        let (surface, _, _) = try await showing(fixture, AdVideo(media: plain, duration: .seconds(20)))
        await #expect(throws: AdFiles.Failure.self) { try await surface.resource("media/1") }
        #expect(requests(fixture).isEmpty)
    }

    @Test func `without TLS only this machine is asked, and only while the server is there too`() throws {
        let hosts = { (text: String) in URL(string: text).map(AdFiles.plainHosts) }
        #expect(hosts("http://127.0.0.1:8080")?.contains("127.0.0.1") == true)
        #expect(hosts("https://127.0.0.1:8080") == [] && hosts("http://ads.example") == [])
    }

    @Test func `the marks of a film are told in its order, and a rewarded one is not skipped`() async throws {
        let fixture = try await AdsFixture.start()
        let video = AdVideo(media: Self.first, duration: .seconds(20), skipOffset: .seconds(5))
        let (surface, place, ad) = try await showing(fixture, video, rewarded: true)
        await surface.act(on: .rendered, of: ad)
        for phase in [AdViewEvent.Phase.start, .firstQuartile, .skip, .midpoint] {
            await surface.act(on: .video(phase, 1000), of: ad)
        }
        #expect(await !surface.screen.isOver && !place.isClosable)
        await surface.act(on: .video(.complete, 20_000), of: ad)
        #expect(await surface.screen.isOver && place.isClosable)
        await fixture.flush()
        let marks = fixture.called.filter { $0 != AdsFixture.view }
        #expect(marks == ["/t/start", "/t/firstQuartile", "/t/midpoint", "/t/complete", "/t/reward"])
    }

    @Test func `the largest picture is the end card, and leads where it says`() async throws {
        let fixture = try await AdsFixture.start()
        var video = AdVideo(
            media: Self.first, duration: .seconds(20), clickThrough: "https://www.example.com/film")
        video.companions = [
            AdVideo.Companion(width: 900, height: 900, content: .html("<b>no picture</b>")),
            AdVideo.Companion(width: 100, height: 50, content: .image("https://cdn.test/small.png")),
            AdVideo.Companion(
                width: 300, height: 250, content: .image("https://cdn.test/card.png"),
                clickThrough: "https://www.example.com/card"),
        ]
        let (surface, _, ad) = try await showing(fixture, video)
        await surface.act(on: .rendered, of: ad)
        await surface.act(on: .tap(.companion, nil), of: ad)
        try await fixture.browser.untilAsked()
        #expect(fixture.browser.opened.map(\.absoluteString) == ["https://www.example.com/card"])
        guard case .video(let shown) = await surface.screen.body else { return #expect(Bool(false)) }
        #expect(shown.endCard?.address == "https://cdn.test/card.png" && shown.endCard?.isLink == true)
    }
}
