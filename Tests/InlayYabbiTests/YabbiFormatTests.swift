@_spi(Inlay) import InlayAds
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayYabbi

extension YabbiTests {
    /// The request of a load, and the effect of a response's type on the ad.
    @Suite @MainActor struct Formats {
        private let unit = YabbiStage.unit

        @Test func `a load asks for its place once, with the ids, the bundle and the name of the app`()
            async throws
        {
            let other = "0d4e8f5b-1c2d-4a3b-8c9d-333333333333"
            let stage = try await YabbiStage {
                $0.app = AdsConfiguration.App(bundle: "com.example.ferries", name: "Ferries & more")
            }
            await stage.initialize()
            Yabbi.loadAd(Yabbi.INTERSTITIAL, unit)
            try await eventually { Yabbi.isAdLoaded(Yabbi.INTERSTITIAL, unit) }
            let container = VideoAdContainer(publisherId: YabbiStage.publisher, unitId: other)
            let ear = Ear()
            try container.load(adEvents: ear)
            try await stage.server.untilRequests(YabbiStage.path, 2)
            let requests = try stage.requests
            #expect(requests.map { $0["unitID"] } == [.string(unit), .string(other)])
            for request in requests {
                #expect(request["pubID"] == .string(YabbiStage.publisher))
                #expect(request["bundle"] == "com.example.ferries" && request["appName"] == "Ferries & more")
            }
        }

        @Test func `banner, video and rewarded video are loaded by their names and show what they are`()
            async throws
        {
            let stage = try await YabbiStage()
            await stage.initialize()
            let ear = Ear()
            Yabbi.loadAd(Yabbi.BANNER, unit)
            try await eventually { Yabbi.isAdLoaded(Yabbi.BANNER, unit) }
            Yabbi.showAd(adType: Yabbi.BANNER, placementName: unit, rootViewController: stage.controller)
            let banner = try stage.show(.banner)
            #expect(banner.type.rawValue == 1)
            #expect(banner.creative == .html("<b>Ferry</b>", size: AdSize(width: 320, height: 50)))
            try stage.serve(2, YabbiStage.vast)
            let container = VideoAdContainer(publisherId: YabbiStage.publisher, unitId: unit)
            try container.load(adEvents: ear)
            try await ear.untilHeard(["load"])
            try container.show()
            let video = try #require(container.placement?.current)
            #expect(video.type.rawValue == 2 && video.type == .video)
            #expect(isVideo(video.creative))
            try stage.serve(3, YabbiStage.vast)
            Yabbi.loadAd(Yabbi.REWARDED, unit)
            try await eventually { Yabbi.isAdLoaded(Yabbi.REWARDED, unit) }
            Yabbi.showAd(adType: Yabbi.REWARDED, placementName: unit, rootViewController: stage.controller)
            let rewarded = try stage.show(.rewarded)
            #expect(rewarded.type.rawValue == 3 && rewarded.type == .rewarded)
            #expect(isVideo(rewarded.creative))
        }

        @Test(arguments: [0, 4])
        func `a type beyond the documented three fails the load, and nothing is shown or counted`(_ type: Int)
            async throws
        {
            let stage = try await YabbiStage()
            let ear = Ear()
            Yabbi.setInterstitialDelegate(ear)
            await stage.initialize()
            try stage.serve(type, "<b>Ferry</b>")
            Yabbi.loadAd(Yabbi.INTERSTITIAL, unit)
            try await ear.untilHeard(["load failed \(unit)"])
            show(stage)
            try await ear.untilHeard(["load failed \(unit)", "show failed \(unit)"])
            #expect(YabbiHost.shared.place(.interstitial, unit)?.current == nil)
            // The next one is an ad, and its view the first that is counted.
            try stage.serve(1, "<b>Ferry</b>")
            Yabbi.loadAd(Yabbi.INTERSTITIAL, unit)
            try await eventually { Yabbi.isAdLoaded(Yabbi.INTERSTITIAL, unit) }
            show(stage)
            await (try stage.show(.interstitial)).rendered()
            try await stage.server.untilRequests("/t/view")
            #expect(stage.server.requests.filter { $0.url.path.hasPrefix("/t/") }.count == 1)
        }

        private func isVideo(_ creative: AdCreative) -> Bool {
            if case .video = creative { true } else { false }
        }

        private func show(_ stage: YabbiStage) {
            Yabbi.showAd(
                adType: Yabbi.INTERSTITIAL, placementName: unit, rootViewController: stage.controller)
        }
    }
}
