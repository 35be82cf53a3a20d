import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayAds

/// The media file of a video ad, which the load downloads, so that a ready ad plays with or without a network.
@Suite(.timeLimit(.minutes(5))) struct MediaFileTests {
    private static let first = AdVideo.Media(address: "https://cdn.test/first.mp4", type: "video/mp4")
    private static let second = AdVideo.Media(address: "https://cdn.test/second.webm", type: "video/webm")
    private static let pixel = "https://ads.test/t/pixel?code=[ERRORCODE]"

    private func placement(
        _ fixture: AdsFixture, _ files: [AdVideo.Media] = [first]
    ) throws -> AdPlacement {
        fixture.videos.set(
            AdVideo(
                media: files[0], alternatives: Array(files.dropFirst()), duration: .seconds(20),
                errors: [Self.pixel]))
        try fixture.answer(.rewarded)
        return fixture.placement(nil)
    }

    private func serve(_ fixture: AdsFixture, _ path: String, _ data: Data = TestVideo.mp4) {
        fixture.server.always(path, .response(TransportResponse(status: 200, body: data)))
    }

    /// Returns the query with the error code that the advertiser received.
    private func code(_ fixture: AdsFixture) async -> String? {
        await fixture.flush()
        return fixture.server.requests("/t/pixel").first?.url.query
    }

    @Test func `an ad is loaded once its video is downloaded, and shows it without a network`() async throws {
        let fixture = try await AdsFixture.start()
        serve(fixture, "/first.mp4")
        fixture.server.hold("/first.mp4")
        let placement = try placement(fixture)
        let events = StreamRecorder(placement.events)
        async let loading: Void = placement.load()
        try await fixture.server.untilHeld("/first.mp4")
        #expect(placement.state == .loading && events.elements.isEmpty)
        fixture.server.release("/first.mp4")
        try await loading
        fixture.server.always("/first.mp4", .failure(.unreachable("cut")))
        try placement.show()
        let surface = try AdSurface(placement)
        let show = try #require(placement.current)
        #expect(try await surface.resource("media/\(show.id)").data == TestVideo.mp4)
        #expect(try await surface.resource("media/\(show.id)").mediaType == "video/mp4")
        #expect(show.mediaFile?.data == TestVideo.mp4)
        #expect(fixture.server.requests("/first.mp4").count == 1)
    }

    @Test func `a video is requested like any other file, with a limit to its size and time`() async throws {
        let fixture = try await AdsFixture.start()
        serve(fixture, "/first.mp4")
        try await placement(fixture).load()
        let request = try #require(fixture.server.requests("/first.mp4").first)
        #expect(request.headers["Authorization"] == nil && request.body == nil)
        #expect(request.maximumResponseBytes == MediaFileMemory.maximumFileBytes)
        #expect(request.timeout <= MediaFileLoader.fileTimeout)
    }

    @Test func `a media file is fetched byte for byte from its address`() async throws {
        let fixture = try await AdsFixture.start()
        serve(fixture, "/My Ad 30s.mp4")
        let media = AdVideo.Media(address: "https://cdn.test/My Ad%2030s.mp4?z={a}|1", type: "video/mp4")
        try await placement(fixture, [media]).load()
        let request = try #require(fixture.server.requests("/My Ad 30s.mp4").first)
        #expect(request.url.absoluteString == "https://cdn.test/My%20Ad%2030s.mp4?z=%7Ba%7D%7C1")
    }

    @Test func `where the best media file cannot be fetched the next best is shown`() async throws {
        let fixture = try await AdsFixture.start()
        serve(fixture, "/second.webm", TestVideo.webm)
        let placement = try placement(fixture, [Self.first, Self.second])
        try await placement.load()
        try placement.show()
        let show = try #require(placement.current)
        #expect(show.mediaFile?.media == Self.second && show.mediaFile?.mediaType == "video/webm")
        guard case .video(let video) = show.creative else { throw TestFailure() }
        #expect(video.media == Self.second && video.alternatives == [Self.first])
        #expect(await code(fixture) == nil)
    }

    @Test(arguments: [
        (ScriptedResponse.status(404), 401), (.failure(.timedOut), 402), (.failure(.denied), 401),
        (.failure(.unreachable("no such host")), 401), (.failure(.tooLarge), 400),
        (.response(TransportResponse(status: 200, body: Data("<html>Log in first".utf8))), 405),
        (.response(TransportResponse(status: 200)), 405),
    ])
    func `a video that cannot be downloaded fails the load with its VAST error code`(
        answer: ScriptedResponse, code: Int
    ) async throws {
        let fixture = try await AdsFixture.start()
        fixture.server.always("/first.mp4", answer)
        let placement = try placement(fixture)
        let events = StreamRecorder(placement.events)
        let error = await #expect(throws: AdError.self) { try await placement.load() }
        #expect(error?.trackerCode == code && placement.state == .failed)
        #expect(await self.code(fixture) == "code=\(code)")
        // The error address of the exchange is called too, and nothing else.
        #expect(fixture.called.filter { $0 != "/t/pixel" } == ["/t/error"])
        #expect(throws: AdError.notLoaded) { try placement.show() }
        try await events.until(count: 1)
        #expect(events.elements.count == 1)
    }

    @Test func `a server that does not respond is given up after the file's time limit`() async throws {
        let fixture = try await AdsFixture.start()
        fixture.server.hold("/first.mp4")
        let placement = try placement(fixture)
        let loading = Task { try await placement.load() }
        try await fixture.server.untilHeld("/first.mp4")
        try await fixture.clock.untilSleeping(for: MediaFileLoader.fileTimeout)
        fixture.clock.advance(by: MediaFileLoader.fileTimeout)
        await #expect(throws: AdError.video(code: 402, "the media file took too long")) {
            try await loading.value
        }
        #expect(await code(fixture) == "code=402")
        #expect(fixture.session.ads.mediaFileMemory.reservedBytes == 0)
    }

    @Test func `an http file is not asked for`() async throws {
        let fixture = try await AdsFixture.start()
        let placement = try placement(
            fixture, [AdVideo.Media(address: "http://cdn.test/first.mp4", type: "video/mp4")])
        await #expect(throws: AdError.self) { try await placement.load() }
        #expect(fixture.server.requests("/first.mp4").isEmpty)
        #expect(await code(fixture) == "code=401")
    }

    @Test func `the app's request gate can deny the video`() async throws {
        struct Gate: RequestGate {
            func disposition(for url: URL) -> RequestDisposition {
                url.host == "cdn.test" ? .deny : .allow
            }
        }
        let fixture = try await AdsFixture.start(gate: Gate())
        serve(fixture, "/first.mp4")
        let placement = try placement(fixture)
        let error = await #expect(throws: AdError.self) { try await placement.load() }
        #expect(error?.trackerCode == 401 && fixture.server.requests("/first.mp4").isEmpty)
    }

    @Test func `a destroyed load cancels its video, and calls no error address`() async throws {
        let fixture = try await AdsFixture.start()
        fixture.server.hold("/first.mp4")
        let placement = try placement(fixture)
        let loading = Task { try await placement.load() }
        try await fixture.server.untilHeld("/first.mp4")
        #expect(fixture.session.ads.mediaFileMemory.reservedBytes == MediaFileMemory.maximumFileBytes)
        placement.destroy()
        await #expect(throws: AdError.destroyed) { try await loading.value }
        // The request was cancelled, because the test has not released it.
        try await eventually { fixture.session.ads.mediaFileMemory.reservedBytes == 0 }
        await fixture.flush()
        #expect(fixture.called.isEmpty && placement.state == .initial)
    }

    @Test(arguments: ["close", "destroy", "expiry", "log-out", "the placement's end"])
    func `a video's memory is released with its ad`(end: String) async throws {
        let fixture = try await AdsFixture.start()
        serve(fixture, "/first.mp4")
        let memory = fixture.session.ads.mediaFileMemory
        var placement: AdPlacement? = try placement(fixture)
        try await placement?.load()
        #expect(memory.reservedBytes == TestVideo.mp4.count)
        switch end {
        case "close":
            try placement?.show()
            placement?.dismiss()
        case "destroy": placement?.destroy()
        case "expiry":
            try await fixture.clock.untilSleeping(for: .seconds(1800))
            fixture.clock.advance(by: .seconds(1800))
        case "log-out": try await fixture.session.logOut()
        default: placement = nil
        }
        try await eventually { memory.reservedBytes == 0 }
        #expect(placement?.current == nil)
    }

    @Test func `plain http is allowed only to this machine, and only when the server is on it too`() {
        let hosts = { (text: String) in URL(string: text).map(AdCleartextHosts.hosts) }
        #expect(hosts("http://127.0.0.1:8080")?.contains("127.0.0.1") == true)
        #expect(hosts("https://127.0.0.1:8080") == [] && hosts("http://ads.example") == [])
    }

    @Test func `a video is recognised by its first bytes, whatever it is called`() {
        #expect(MediaFileFormat.mediaType(of: TestVideo.mp4) == "video/mp4")
        #expect(MediaFileFormat.mediaType(of: TestVideo.webm) == "video/webm")
        #expect(MediaFileFormat.mediaType(of: Data("OggS, and so on".utf8)) == "video/ogg")
        // A slice of other data, whose first index is not zero.
        #expect(MediaFileFormat.mediaType(of: (Data([9]) + TestVideo.mp4).dropFirst()) == "video/mp4")
        for text in ["", "ftyp", "<html>", "GIF89a", "\u{0}\u{0}\u{0}\u{18}text"] {
            #expect(MediaFileFormat.mediaType(of: Data(text.utf8)) == nil, "\(text)")
        }
    }
}
