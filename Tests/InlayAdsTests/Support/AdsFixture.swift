import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayAds

/// A device with an app that shows ads, and a scripted exchange.
struct AdsFixture: Sendable {
    let clock: ManualClock
    let server: ScriptedTransport
    let folder: TemporaryFolder
    let session: InlaySession
    let browser: TestBrowser
    let videos: TestVideos

    static let publisher = "7f0c1f3a-5b7e-4c0e-9d3a-111111111111"
    static let unit = "0d4e8f5b-1c2d-4a3b-8c9d-222222222222"
    static let path = InlayPath.adRequest
    static let view = "/t/view"
    static let click = "/t/click"
    static let noon = Timestamp(seconds: 2_000_000_000)

    /// Starts a session with initialised ads; the exchange responds with a banner unless a test sets another response.
    static func start(
        in folder: TemporaryFolder? = nil, clock: ManualClock = ManualClock(at: noon),
        server: ScriptedTransport? = nil, publisher: String? = publisher, user: String? = "user-1",
        gate: any RequestGate = OpenGate(), log: LogLines? = nil,
        _ change: (inout AdsConfiguration) -> Void = { _ in }
    ) async throws -> AdsFixture {
        let folder = try folder ?? TemporaryFolder()
        let server = try server ?? ScriptedTransport.exchange()
        let url = try #require(URL(string: "https://ads.test"))
        var sessionConfiguration = SessionConfiguration(
            environmentID: "env", apiKey: "key", baseURL: url, folder: folder.url, clientVersion: "1.0")
        sessionConfiguration.gate = gate
        if let log { sessionConfiguration.logger = log.logger }
        let session = try await InlaySession(
            configuration: sessionConfiguration, transport: server, clock: clock, random: { 1 }
        ) { user.map { TestToken.unsigned(subject: $0, expires: nil) } }
        let (browser, videos) = (TestBrowser(), TestVideos())
        var configuration = AdsConfiguration()
        configuration.app = AdsConfiguration.App(bundle: "com.example.demo", name: "Demo shop")
        configuration.userAgents = TestAgent()
        configuration.consent = TestConsent(AdConsent())
        configuration.identifiers = TestIdentifier { nil }
        (configuration.links, configuration.videos) = (browser, videos)
        change(&configuration)
        if let publisher {
            try session.ads.initialize(publisherID: publisher, configuration)
            // Requests do not wait for the user agent, but tests expect it in them.
            let context = try #require(session.ads.requestContext)
            try await eventually { context.agent.value != nil }
        }
        return AdsFixture(
            clock: clock, server: server, folder: folder, session: session, browser: browser, videos: videos)
    }

    /// Returns the same device after the app was killed and started again.
    func restarted() async throws -> AdsFixture {
        session.work.end()
        await session.store.close()
        return try await .start(in: folder, clock: clock, server: server)
    }

    func placement(_ format: AdFormat? = .banner, size: AdSize? = nil) -> AdPlacement {
        session.ads.placement(unitID: Self.unit, format: format, size: size)
    }

    /// Returns a placement and its ad, which is on screen.
    func shown(_ format: AdFormat? = .banner) async throws -> (AdPlacement, AdShow) {
        let placement = placement(format)
        try await placement.load()
        try placement.show()
        let show = try #require(placement.current)
        await show.rendered()
        return (placement, show)
    }

    /// Sets the exchange's response from now on.
    func answer(_ response: AdResponse) throws { server.always(Self.path, try .json(response)) }

    /// Returns the bodies of the ad requests so far.
    func requests(_ path: String = path) throws -> [[String: JSONValue]] {
        try server.requests(path).map {
            try JSONDecoder().decode([String: JSONValue].self, from: $0.body ?? Data())
        }
    }

    /// The trackers that were called so far, by path, in order.
    var called: [String] { server.requests.map(\.url.path).filter { $0.hasPrefix("/t/") } }

    /// Sends all waiting trackers once.
    func flush() async {
        await session.ads.trackerQueue.settled()
        _ = await session.outbox.flush(lane: "ads-own")
        _ = await session.outbox.flush(lane: "ads-foreign")
    }
}

extension ScriptedTransport {
    /// Returns an exchange that responds with a banner and accepts every tracker.
    static func exchange() throws -> ScriptedTransport {
        let server = ScriptedTransport()
        server.always(AdsFixture.path, try .json(AdResponse.banner))
        for name in ["ferry.mp4", "a.mp4"] { server.always("/\(name)", TestVideo.answer) }
        for name in TestTrackers.names { server.always("/t/\(name)", .status(204)) }
        return server
    }
}

/// The start of a video file, enough for code that does not play it.
enum TestVideo {
    static let mp4 = Data([0, 0, 0, 24] + Array("ftypisom, and so on".utf8))
    static let webm = Data([0x1A, 0x45, 0xDF, 0xA3] + Array("and so on".utf8))
    static var answer: ScriptedResponse { .response(TransportResponse(status: 200, body: mp4)) }
}

/// The trackers of test ads.
enum TestTrackers {
    static let names = [
        "view", "click", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "close", "error",
        "reward", "skip", "mute", "unmute", "pixel", "pixel-2",
    ]

    static var pair: AdTrackers {
        AdTrackers(view: "https://ads.test/t/view", click: "https://ads.test/t/click")
    }

    static var events: [String: String] {
        Dictionary(
            uniqueKeysWithValues: names.dropFirst(2).dropLast(2).map { ($0, "https://ads.test/t/\($0)") })
    }
}

extension AdResponse {
    static var banner: AdResponse {
        AdResponse(type: .banner, adm: "<b>Ferry</b>", width: 320, height: 50, tracker: TestTrackers.pair)
    }

    static var video: AdResponse {
        AdResponse(
            type: .video, adm: "<VAST version=\"4.2\"/>", tracker: TestTrackers.pair,
            ext: AdResponseExtension(format: .video, events: TestTrackers.events))
    }

    static var rewarded: AdResponse {
        AdResponse(
            type: .rewarded, adm: "<VAST version=\"4.2\"/>", tracker: TestTrackers.pair,
            ext: AdResponseExtension(
                format: .rewarded, reward: AdReward(amount: 10, currency: "coins"),
                events: TestTrackers.events))
    }

    func with(_ change: (inout AdResponse) -> Void) -> AdResponse {
        var changed = self
        change(&changed)
        return changed
    }
}
