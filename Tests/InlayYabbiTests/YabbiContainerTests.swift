import Foundation
import InlayAds
import InlayCore
import InlayTesting
import InlayWire
import Testing

@testable import InlayYabbi

extension YabbiTests {
    /// The containers of the first generation, rewarded videos, and the consent window.
    @Suite @MainActor struct Containers {
        @Test func `a container loads, shows once, and can be loaded again after it was closed`() async throws
        {
            let stage = try await YabbiStage()
            let ear = Ear()
            let container = InterstitialAdContainer(
                publisherId: YabbiStage.publisher, unitId: YabbiStage.unit)
            #expect(throws: YabbiAdsException.self) { try container.show() }
            try container.load(adEvents: ear)
            #expect(throws: YabbiAdsException.self) { try container.load(adEvents: ear) }
            try await ear.untilHeard(["load"])
            #expect(container.isLoaded)
            try container.show()
            #expect(throws: YabbiAdsException.self) { try container.show() }
            let show = try #require(container.placement?.current)
            await show.rendered()
            await show.close()
            try await ear.untilHeard(["load", "show", "close"])
            try await eventually { (try? container.load(adEvents: ear)) != nil }
            try await ear.untilHeard(["load", "show", "close", "load"])
            #expect(stage.server.requests(YabbiStage.path).count == 2)
            #expect(Set(try stage.requests.flatMap(\.keys)).count == 7)
        }

        @Test func `a container with ids that are none throws, and tells what failed at the server`()
            async throws
        {
            let stage = try await YabbiStage()
            let ear = Ear()
            let wrong = InterstitialAdContainer(publisherId: "p", unitId: YabbiStage.unit)
            #expect(throws: YabbiAdsException.self) { try wrong.load(adEvents: ear) }
            let other = VideoAdContainer(publisherId: YabbiStage.publisher, unitId: "u")
            #expect(throws: YabbiAdsException.self) { try other.load(adEvents: ear) }
            #expect(stage.server.requests.isEmpty)
            stage.server.always(YabbiStage.path, .status(204))
            let empty = VideoAdContainer(publisherId: YabbiStage.publisher, unitId: YabbiStage.unit)
            empty.setAlwaysRequestLocation(isEnabled: false)
            try empty.load(adEvents: ear)
            try await ear.untilHeard(["fail"])
            #expect(ear.errors.first is YabbiAdsException && !empty.isLoaded)
        }

        @Test func `a rewarded video tells start, end, reward and close, and cannot be closed before`()
            async throws
        {
            let stage = try await YabbiStage()
            try stage.serve(3, YabbiStage.vast)
            let (ear, unit) = (Ear(), YabbiStage.unit)
            Yabbi.setRewardedDelegate(ear)
            await stage.initialize()
            Yabbi.loadAd(Yabbi.REWARDED, unit)
            try await eventually { Yabbi.isAdLoaded(Yabbi.REWARDED, unit) }
            Yabbi.showAd(adType: Yabbi.REWARDED, placementName: unit, rootViewController: stage.controller)
            let show = try stage.show(.rewarded)
            #expect(show.type == .rewarded)
            await show.rendered()
            await show.played(.start)
            #expect(await !show.close())
            await show.played(.complete)
            #expect(await show.close())
            try await ear.untilHeard(
                ["loaded", "shown", "started", "completed", "rewarded", "closed"].map { "\($0) \(unit)" })
        }

        @Test func `consent is asked for once, kept, and told`() async throws {
            let stage = try await YabbiStage()
            let ear = Ear()
            let name = "inlay-yabbi-\(UUID().uuidString)"
            let storage = try #require(UserDefaults(suiteName: name))
            defer { storage.removePersistentDomain(forName: name) }
            ConsentManager.setDelegate(ear)
            ConsentManager.setCustomStorage(storage)
            ConsentManager.loadManager()
            try await ear.untilHeard(["not ready"])
            ConsentManager.registerCustomVendor { builder in
                builder.appendName("Demo").appendBundle("com.example.demo").appendGDPR(true)
                    .appendPolicyURL("https://demo.test/privacy")
            }
            ConsentManager.loadManager()
            ConsentManager.showConsentWindow(stage.controller)
            try await ear.untilHeard(["not ready", "ready", "asked", "consent true"])
            #expect(ConsentManager.hasConsent)
            #expect(stage.asked.withLock { $0 }.first?.question.contains("https://demo.test/privacy") == true)
            ConsentManager.showConsentWindow(stage.controller)
            #expect(stage.asked.withLock { $0 }.count == 1)
            #expect(ear.heard.last == "consent true")
        }

        @Test func `old callbacks without an ad place are still heard`() async throws {
            final class Old: InterstitialDelegate {
                var heard: [String] = []
                func onInterstitialLoaded() { heard.append("loaded") }
            }
            let stage = try await YabbiStage()
            let old = Old()
            Yabbi.setInterstitialDelegate(old)
            await stage.initialize()
            Yabbi.loadAd(Yabbi.INTERSTITIAL, YabbiStage.unit)
            try await eventually { old.heard == ["loaded"] }
        }
    }
}
