import Foundation
@_spi(Inlay) import InlayAds
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
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
            try await seeAndLoadAgain(container, ear)
            #expect(stage.server.requests(YabbiStage.path).count == 2)
            #expect(Set(try stage.requests.flatMap(\.keys)).count == 7)
        }

        private func seeAndLoadAgain(_ container: InterstitialAdContainer, _ ear: Ear) async throws {
            let show = try #require(container.placement?.current)
            await show.rendered()
            await show.close()
            try await ear.untilHeard(["load", "show", "close"])
            try await eventually { (try? container.load(adEvents: ear)) != nil }
            try await ear.untilHeard(["load", "show", "close", "load"])
        }

        @Test func `a container's second load does not forget what the first found out`() async throws {
            struct Counting: AdUserAgentProvider {
                let asked: Locked<Int>
                func userAgent() async throws -> String? {
                    asked.withLock { $0 += 1 }
                    return "UA-1"
                }
            }
            let asked = Locked(0)
            let stage = try await YabbiStage { $0.userAgents = Counting(asked: asked) }
            let ear = Ear()
            let container = InterstitialAdContainer(
                publisherId: YabbiStage.publisher, unitId: YabbiStage.unit)
            try container.load(adEvents: ear)
            try await ear.untilHeard(["load"])
            try container.show()
            try await seeAndLoadAgain(container, ear)
            #expect(stage.server.requests(YabbiStage.path).count == 2)
            #expect(asked.withLock { $0 } == 1)
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

        /// Loads again whenever it fails, a number of times.
        private final class Stubborn: AdEvents {
            var container: InterstitialAdContainer?
            var fails = 0
            var refused: [any Error] = []

            func onFail(error: any Error) {
                fails += 1
                guard fails < 30 else { return }
                do { try container?.load(adEvents: self) } catch { refused.append(error) }
            }
        }

        @Test func `an app may load again from where it hears of the failure`() async throws {
            let stage = try await YabbiStage()
            stage.server.always(YabbiStage.path, .status(204))
            let app = Stubborn()
            let container = InterstitialAdContainer(
                publisherId: YabbiStage.publisher, unitId: YabbiStage.unit)
            app.container = container
            try container.load(adEvents: app)
            try await eventually { app.fails == 30 || !app.refused.isEmpty }
            #expect(app.refused.isEmpty)
            #expect(stage.server.requests(YabbiStage.path).count == 30)
            app.container = nil
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
            #expect(ear.handle.last == "consent true")
        }

        /// Hears only what no other delegate here does: the older forms, and what fails.
        private final class Rest: InterstitialDelegate, RewardedDelegate, BannerDelegate {
            var handle: [String] = []
            func onInterstitialLoaded() { handle.append("loaded") }
            func onInterstitialLoadFailed(_ error: AdException) { handle.append("load failed") }
            func onInterstitialShown() { handle.append("shown") }
            func onInterstitialShowFailed(_ error: AdException) { handle.append("show failed") }
            func onInterstitialClosed() { handle.append("closed") }
            func onRewardedLoaded() { handle.append("rewarded loaded") }
            func onRewardedLoadFailed(_ error: AdException) { handle.append("rewarded load failed") }
            func onRewardedShown() { handle.append("rewarded shown") }
            func onRewardedShowFailed(_ error: AdException) { handle.append("rewarded show failed") }
            func onRewardedFinished() { handle.append("rewarded finished") }
            func onRewardedClosed() { handle.append("rewarded closed") }
            func onBannerLoadFailed(_ adPayload: AdPayload, _ error: AdException) {
                handle.append("banner load failed")
            }
            func onBannerShowFailed(_ adPayload: AdPayload, _ error: AdException) {
                handle.append("banner show failed")
            }
        }

        @Test func `every callback of either generation is declared, and the older ones follow the newer`() {
            let rest = Rest(), (place, error) = (AdPayload(placementName: "u"), AdException(.noFill))
            // Through the protocols: a method that they do not declare would not arrive.
            let interstitial: any InterstitialDelegate = rest, rewarded: any RewardedDelegate = rest
            let banner: any BannerDelegate = rest
            interstitial.onInterstitialLoaded(place)
            interstitial.onInterstitialLoadFailed(place, error)
            interstitial.onInterstitialShown(place)
            interstitial.onInterstitialShowFailed(place, error)
            interstitial.onInterstitialClosed(place)
            rewarded.onRewardedLoaded(place)
            rewarded.onRewardedLoadFailed(place, error)
            rewarded.onRewardedShown(place)
            rewarded.onRewardedShowFailed(place, error)
            rewarded.onUserRewarded(place)
            rewarded.onRewardedClosed(place)
            banner.onBannerLoadFailed(place, error)
            banner.onBannerShowFailed(place, error)
            #expect(
                rest.handle == [
                    "loaded", "load failed", "shown", "show failed", "closed", "rewarded loaded",
                    "rewarded load failed", "rewarded shown", "rewarded show failed", "rewarded finished",
                    "rewarded closed", "banner load failed", "banner show failed",
                ])
        }

        @Test func `the calls that keep a value for nobody are there`() {
            // Compiles only while the names are there with their types.
            let calls: [Any] = [
                Yabbi.setCustomParams(_:_:), Yabbi.enableDebug(_:), ConsentManager.enableLog(_:),
                VideoAdContainer.init(publisherId:unitId:controller:),
                InterstitialAdContainer.init(publisherId:unitId:controller:),
            ]
            #expect(calls.count == 5 && !Yabbi.sdkVersion.isEmpty)
        }

        @Test func `old callbacks without an ad place are still heard`() async throws {
            final class Old: InterstitialDelegate {
                var handle: [String] = []
                func onInterstitialLoaded() { handle.append("loaded") }
            }
            let stage = try await YabbiStage()
            let old = Old()
            Yabbi.setInterstitialDelegate(old)
            await stage.initialize()
            Yabbi.loadAd(Yabbi.INTERSTITIAL, YabbiStage.unit)
            try await eventually { old.handle == ["loaded"] }
        }
    }
}
