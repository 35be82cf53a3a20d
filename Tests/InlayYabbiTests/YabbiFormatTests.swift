@_spi(Inlay) import InlayAds
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayYabbi

extension YabbiTests {
    /// The request of a load, and the effect of a response's type on the ad.
    @Suite @MainActor struct Formats {
        private let unit = YabbiFixture.unit

        @Test func `a load sends one request with the ids, the bundle and the app's name`()
            async throws
        {
            let other = "0d4e8f5b-1c2d-4a3b-8c9d-333333333333"
            let fixture = try await YabbiFixture {
                $0.app = AdsConfiguration.App(bundle: "com.example.ferries", name: "Ferries & more")
            }
            await fixture.initialize()
            Yabbi.loadAd(Yabbi.INTERSTITIAL, unit)
            try await eventually { Yabbi.isAdLoaded(Yabbi.INTERSTITIAL, unit) }
            let container = VideoAdContainer(publisherId: YabbiFixture.publisher, unitId: other)
            let delegate = RecordingDelegate()
            try container.load(adEvents: delegate)
            try await fixture.server.untilRequests(YabbiFixture.path, 2)
            let requests = try fixture.requests
            #expect(requests.map { $0["unitID"] } == [.string(unit), .string(other)])
            for request in requests {
                #expect(request["pubID"] == .string(YabbiFixture.publisher))
                #expect(request["bundle"] == "com.example.ferries" && request["appName"] == "Ferries & more")
            }
        }

        @Test func `banner, video and rewarded video are loaded by their names and show what they are`()
            async throws
        {
            let fixture = try await YabbiFixture()
            await fixture.initialize()
            let delegate = RecordingDelegate()
            Yabbi.loadAd(Yabbi.BANNER, unit)
            try await eventually { Yabbi.isAdLoaded(Yabbi.BANNER, unit) }
            Yabbi.showAd(adType: Yabbi.BANNER, placementName: unit, rootViewController: fixture.controller)
            let banner = try fixture.show(.banner)
            #expect(banner.type.rawValue == 1)
            #expect(banner.creative == .html("<b>Ferry</b>", size: AdSize(width: 320, height: 50)))
            try fixture.serve(2, YabbiFixture.vast)
            let container = VideoAdContainer(publisherId: YabbiFixture.publisher, unitId: unit)
            try container.load(adEvents: delegate)
            try await delegate.untilReceived(["load"])
            try container.show()
            let video = try #require(container.placement?.current)
            #expect(video.type.rawValue == 2 && video.type == .video)
            #expect(isVideo(video.creative))
            try fixture.serve(3, YabbiFixture.vast)
            Yabbi.loadAd(Yabbi.REWARDED, unit)
            try await eventually { Yabbi.isAdLoaded(Yabbi.REWARDED, unit) }
            Yabbi.showAd(adType: Yabbi.REWARDED, placementName: unit, rootViewController: fixture.controller)
            let rewarded = try fixture.show(.rewarded)
            #expect(rewarded.type.rawValue == 3 && rewarded.type == .rewarded)
            #expect(isVideo(rewarded.creative))
        }

        @Test(arguments: [0, 4])
        func `a type beyond the documented three fails the load, and nothing is shown or counted`(_ type: Int)
            async throws
        {
            let fixture = try await YabbiFixture()
            let delegate = RecordingDelegate()
            Yabbi.setInterstitialDelegate(delegate)
            await fixture.initialize()
            try fixture.serve(type, "<b>Ferry</b>")
            Yabbi.loadAd(Yabbi.INTERSTITIAL, unit)
            try await delegate.untilReceived(["load failed \(unit)"])
            show(fixture)
            try await delegate.untilReceived(["load failed \(unit)", "show failed \(unit)"])
            #expect(YabbiRuntime.shared.adPlacement(.interstitial, unit)?.current == nil)
            // The next load succeeds, and its view is the first tracker that is sent.
            try fixture.serve(1, "<b>Ferry</b>")
            Yabbi.loadAd(Yabbi.INTERSTITIAL, unit)
            try await eventually { Yabbi.isAdLoaded(Yabbi.INTERSTITIAL, unit) }
            show(fixture)
            await (try fixture.show(.interstitial)).rendered()
            try await fixture.server.untilRequests("/t/view")
            #expect(fixture.server.requests.filter { $0.url.path.hasPrefix("/t/") }.count == 1)
        }

        private func isVideo(_ creative: AdCreative) -> Bool {
            if case .video = creative { true } else { false }
        }

        private func show(_ fixture: YabbiFixture) {
            Yabbi.showAd(
                adType: Yabbi.INTERSTITIAL, placementName: unit, rootViewController: fixture.controller)
        }
    }
}
