import Foundation
@_spi(Inlay) import InlayAds
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayYabbi

/// All tests of the facade: it holds one session for the whole process, so they run one after another.
@Suite(.serialized, .timeLimit(.minutes(5))) struct YabbiTests {}

/// The facade's services in a test: a scripted server and a temporary folder.
@MainActor final class YabbiFixture {
    static let publisher = "7f0c1f3a-5b7e-4c0e-9d3a-111111111111"
    static let unit = "0d4e8f5b-1c2d-4a3b-8c9d-222222222222"
    static let path = "/ads/request"

    let server = ScriptedTransport()
    let clock = ManualClock()
    let folder: TemporaryFolder
    let opened = Locked<[URL]>([])
    let answer = Locked<Bool?>(true)
    let askedVendors = Locked<[ConsentVendor]>([])
    let controller = UIViewController()

    init(_ change: (inout YabbiServices) -> Void = { _ in }) async throws {
        folder = try TemporaryFolder()
        let url = try #require(URL(string: "https://ssp.test"))
        var services = YabbiServices()
        (services.transport, services.clock, services.folder) = (server, clock, folder.url)
        services.server = { url }
        services.app = AdsConfiguration.App(bundle: "com.example.demo", name: "Demo shop")
        services.userAgents = FixedUserAgentProvider()
        services.links = RecordingLinkOpener(opened: opened)
        let (answer, askedVendors) = (answer, askedVendors)
        services.ask = { vendor, _ in
            askedVendors.withLock { $0.append(vendor) }
            return answer.withLock { $0 }
        }
        change(&services)
        for name in ["view", "click", "close"] { server.always("/t/\(name)", .status(204)) }
        let mediaFile = Data([0, 0, 0, 24] + Array("ftypisom".utf8))
        server.always("/ferry.mp4", .response(TransportResponse(status: 200, body: mediaFile)))
        try serve(1, "<b>Ferry</b>")
        await YabbiRuntime.shared.use(services)
        ConsentManager.restart()
    }

    /// Sets the server's response from now on, in YABBI's documented form.
    func serve(_ type: Int, _ adm: String, closeTimeout: Int = 0) throws {
        let body: [String: JSONValue] = [
            "type": .integer(Int64(type)), "adm": .string(adm), "closeTimeout": .integer(Int64(closeTimeout)),
            "width": 320, "height": 50,
            "tracker": ["view": "https://ssp.test/t/view", "click": "https://ssp.test/t/click"],
        ]
        server.always(Self.path, try .json(body))
    }

    /// Initializes the SDK with the publisher's id.
    func initialize() async {
        Yabbi.initialize(publisherID: Self.publisher)
        await YabbiRuntime.shared.settled()
    }

    /// The bodies of the ad requests so far.
    var requests: [[String: JSONValue]] {
        get throws {
            try server.requests(Self.path).map {
                try JSONDecoder().decode([String: JSONValue].self, from: $0.body ?? Data())
            }
        }
    }

    /// Returns the ad that the placement's surface shows.
    func show(_ type: YabbiAdType) throws -> AdShow {
        try #require(YabbiRuntime.shared.adPlacement(type, Self.unit)?.current)
    }

    /// A short VAST document with one video.
    static let vast = """
        <VAST version="3.0"><Ad id="1"><InLine><AdSystem>t</AdSystem><AdTitle>Ferry</AdTitle>
        <Impression><![CDATA[https://ssp.test/t/pixel]]></Impression><Creatives><Creative><Linear>
        <Duration>00:00:10</Duration><MediaFiles><MediaFile delivery="progressive" type="video/mp4"
        width="640" height="360"><![CDATA[https://cdn.test/ferry.mp4]]></MediaFile></MediaFiles></Linear>
        </Creative></Creatives></InLine></Ad></VAST>
        """
}

private struct FixedUserAgentProvider: AdUserAgentProvider {
    func userAgent() async throws -> String? { "UA-1" }
}

private struct RecordingLinkOpener: AdLinkOpener {
    let opened: Locked<[URL]>

    func open(_ address: URL) async -> Bool {
        opened.withLock { $0.append(address) }
        return true
    }
}

/// A delegate that records its callbacks.
@MainActor
final class RecordingDelegate: InterstitialDelegate, BannerDelegate, RewardedDelegate, AdEvents,
    ConsentDelegate
{
    private(set) var received: [String] = []
    private(set) var errors: [any Error] = []

    func untilReceived(_ words: [String]) async throws { try await eventually { received == words } }

    private func record(_ word: String, _ payload: AdPayload) {
        received.append("\(word) \(payload.placementName)")
    }

    func onInterstitialLoaded(_ adPayload: AdPayload) { record("loaded", adPayload) }
    func onInterstitialLoadFailed(_ adPayload: AdPayload, _ error: AdException) {
        record("load failed", adPayload)
        errors.append(error)
    }
    func onInterstitialShown(_ adPayload: AdPayload) { record("shown", adPayload) }
    func onInterstitialShowFailed(_ adPayload: AdPayload, _ error: AdException) {
        record("show failed", adPayload)
        errors.append(error)
    }
    func onInterstitialClosed(_ adPayload: AdPayload) { record("closed", adPayload) }

    func onBannerLoaded(_ adPayload: AdPayload) { record("loaded", adPayload) }
    func onBannerShown(_ adPayload: AdPayload) { record("shown", adPayload) }
    func onBannerImpression(_ adPayload: AdPayload) { record("impression", adPayload) }
    func onBannerClosed(_ adPayload: AdPayload) { record("closed", adPayload) }

    func onRewardedLoaded(_ adPayload: AdPayload) { record("loaded", adPayload) }
    func onRewardedShown(_ adPayload: AdPayload) { record("shown", adPayload) }
    func onRewardedVideoStarted(_ adPayload: AdPayload) { record("started", adPayload) }
    func onRewardedVideoCompleted(_ adPayload: AdPayload) { record("completed", adPayload) }
    func onUserRewarded(_ adPayload: AdPayload) { record("rewarded", adPayload) }
    func onRewardedClosed(_ adPayload: AdPayload) { record("closed", adPayload) }

    func onLoad() { received.append("load") }
    func onFail(error: any Error) {
        received.append("fail")
        errors.append(error)
    }
    func onShow() { received.append("show") }
    func onComplete() { received.append("complete") }
    func onClose() { received.append("close") }

    func onConsentManagerLoaded() { received.append("ready") }
    func onConsentManagerLoadFailed(_ error: String) { received.append("not ready") }
    func onConsentWindowShown() { received.append("asked") }
    func onConsentManagerShownFailed(_ error: String) { received.append("not asked") }
    func onConsentWindowClosed(_ hasConsent: Bool) { received.append("consent \(hasConsent)") }
}
