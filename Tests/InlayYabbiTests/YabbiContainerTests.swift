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
            let fixture = try await YabbiFixture()
            let delegate = RecordingDelegate()
            let container = InterstitialAdContainer(
                publisherId: YabbiFixture.publisher, unitId: YabbiFixture.unit)
            #expect(throws: YabbiAdsException.self) { try container.show() }
            try container.load(adEvents: delegate)
            #expect(throws: YabbiAdsException.self) { try container.load(adEvents: delegate) }
            try await delegate.untilReceived(["load"])
            #expect(container.isLoaded)
            try container.show()
            #expect(throws: YabbiAdsException.self) { try container.show() }
            try await closeAndLoadAgain(container, delegate)
            #expect(fixture.server.requests(YabbiFixture.path).count == 2)
            #expect(Set(try fixture.requests.flatMap(\.keys)).count == 7)
        }

        private func closeAndLoadAgain(_ container: InterstitialAdContainer, _ delegate: RecordingDelegate)
            async throws
        {
            let show = try #require(container.placement?.current)
            await show.rendered()
            await show.close()
            try await delegate.untilReceived(["load", "show", "close"])
            try await eventually { (try? container.load(adEvents: delegate)) != nil }
            try await delegate.untilReceived(["load", "show", "close", "load"])
        }

        @Test func `a container's second load uses the user agent of the first`() async throws {
            struct CountingUserAgentProvider: AdUserAgentProvider {
                let asked: Locked<Int>
                func userAgent() async throws -> String? {
                    asked.withLock { $0 += 1 }
                    return "UA-1"
                }
            }
            let asked = Locked(0)
            let fixture = try await YabbiFixture { $0.userAgents = CountingUserAgentProvider(asked: asked) }
            let delegate = RecordingDelegate()
            let container = InterstitialAdContainer(
                publisherId: YabbiFixture.publisher, unitId: YabbiFixture.unit)
            try container.load(adEvents: delegate)
            try await delegate.untilReceived(["load"])
            try container.show()
            try await closeAndLoadAgain(container, delegate)
            #expect(fixture.server.requests(YabbiFixture.path).count == 2)
            #expect(asked.withLock { $0 } == 1)
        }

        @Test func `a container with invalid ids throws, and reports what failed at the server`() async throws
        {
            let fixture = try await YabbiFixture()
            let delegate = RecordingDelegate()
            let wrong = InterstitialAdContainer(publisherId: "p", unitId: YabbiFixture.unit)
            #expect(throws: YabbiAdsException.self) { try wrong.load(adEvents: delegate) }
            let other = VideoAdContainer(publisherId: YabbiFixture.publisher, unitId: "u")
            #expect(throws: YabbiAdsException.self) { try other.load(adEvents: delegate) }
            #expect(fixture.server.requests.isEmpty)
            fixture.server.always(YabbiFixture.path, .status(204))
            let empty = VideoAdContainer(publisherId: YabbiFixture.publisher, unitId: YabbiFixture.unit)
            empty.setAlwaysRequestLocation(isEnabled: false)
            try empty.load(adEvents: delegate)
            try await delegate.untilReceived(["fail"])
            #expect(delegate.errors.first is YabbiAdsException && !empty.isLoaded)
        }

        /// Events that load again after each failure, until the 30th.
        private final class ReloadingEvents: AdEvents {
            var container: InterstitialAdContainer?
            var fails = 0
            var refused: [any Error] = []

            func onFail(error: any Error) {
                fails += 1
                guard fails < 30 else { return }
                do { try container?.load(adEvents: self) } catch { refused.append(error) }
            }
        }

        @Test func `an app may load again within the failure callback`() async throws {
            let fixture = try await YabbiFixture()
            fixture.server.always(YabbiFixture.path, .status(204))
            let app = ReloadingEvents()
            let container = InterstitialAdContainer(
                publisherId: YabbiFixture.publisher, unitId: YabbiFixture.unit)
            app.container = container
            try container.load(adEvents: app)
            try await eventually { app.fails == 30 || !app.refused.isEmpty }
            #expect(app.refused.isEmpty)
            #expect(fixture.server.requests(YabbiFixture.path).count == 30)
            app.container = nil
        }

        @Test func `a rewarded video reports start, end, reward and close, and cannot be closed before`()
            async throws
        {
            let fixture = try await YabbiFixture()
            try fixture.serve(3, YabbiFixture.vast)
            let (delegate, unit) = (RecordingDelegate(), YabbiFixture.unit)
            Yabbi.setRewardedDelegate(delegate)
            await fixture.initialize()
            Yabbi.loadAd(Yabbi.REWARDED, unit)
            try await eventually { Yabbi.isAdLoaded(Yabbi.REWARDED, unit) }
            Yabbi.showAd(adType: Yabbi.REWARDED, placementName: unit, rootViewController: fixture.controller)
            let show = try fixture.show(.rewarded)
            #expect(show.type == .rewarded)
            await show.rendered()
            await show.played(.start)
            #expect(await !show.close())
            await show.played(.complete)
            #expect(await show.close())
            try await delegate.untilReceived(
                ["loaded", "shown", "started", "completed", "rewarded", "closed"].map { "\($0) \(unit)" })
        }

        @Test func `consent is asked for once, stored and reported`() async throws {
            let fixture = try await YabbiFixture()
            let delegate = RecordingDelegate()
            let name = "inlay-yabbi-\(UUID().uuidString)"
            let storage = try #require(UserDefaults(suiteName: name))
            defer { storage.removePersistentDomain(forName: name) }
            ConsentManager.setDelegate(delegate)
            ConsentManager.setCustomStorage(storage)
            ConsentManager.loadManager()
            try await delegate.untilReceived(["not ready"])
            ConsentManager.registerCustomVendor { builder in
                builder.appendName("Demo").appendBundle("com.example.demo").appendGDPR(true)
                    .appendPolicyURL("https://demo.test/privacy")
            }
            ConsentManager.loadManager()
            ConsentManager.showConsentWindow(fixture.controller)
            try await delegate.untilReceived(["not ready", "ready", "asked", "consent true"])
            #expect(ConsentManager.hasConsent)
            #expect(
                fixture.askedVendors.withLock { $0 }.first?.question.contains("https://demo.test/privacy")
                    == true)
            ConsentManager.showConsentWindow(fixture.controller)
            #expect(fixture.askedVendors.withLock { $0 }.count == 1)
            #expect(delegate.received.last == "consent true")
        }

        @Test func `where the GDPR does not apply nobody is asked, and no answer is stored or changed`()
            async throws
        {
            let fixture = try await YabbiFixture()
            let delegate = RecordingDelegate()
            let name = "inlay-yabbi-\(UUID().uuidString)"
            let storage = try #require(UserDefaults(suiteName: name))
            defer { storage.removePersistentDomain(forName: name) }
            ConsentManager.setDelegate(delegate)
            ConsentManager.setCustomStorage(storage)
            ConsentManager.registerCustomVendor { $0.appendName("Demo").appendGDPR(false) }
            ConsentManager.loadManager()
            ConsentManager.showConsentWindow(fixture.controller)
            #expect(delegate.received == ["ready", "consent true"])
            #expect(!ConsentManager.hasConsent)
            // When it applies later, the user is asked, and a refusal stays.
            fixture.answer.withLock { $0 = false }
            ConsentManager.registerCustomVendor { $0.appendGDPR(true) }
            ConsentManager.showConsentWindow(fixture.controller)
            try await delegate.untilReceived(["ready", "consent true", "asked", "consent false"])
            ConsentManager.registerCustomVendor { $0.appendGDPR(false) }
            ConsentManager.showConsentWindow(fixture.controller)
            #expect(delegate.received.last == "consent false" && delegate.received.count == 5)
            #expect(!ConsentManager.hasConsent)
            #expect(fixture.askedVendors.withLock { $0 }.count == 1)
        }

        @Test func `an alert answers with the choice, and with nothing when it is gone without one`() async {
            let choice = await withCheckedContinuation { (caller: CheckedContinuation<Bool?, Never>) in
                let answer = AlertAnswer(caller)
                answer.give(true)
                answer.give(false)
            }
            #expect(choice == true)
            let none = await withCheckedContinuation { (caller: CheckedContinuation<Bool?, Never>) in
                _ = AlertAnswer(caller)
            }
            #expect(none == nil)
        }

        /// A delegate that implements only the callbacks that `RecordingDelegate` lacks: the older forms, and failures.
        private final class OlderCallbackDelegate: InterstitialDelegate, RewardedDelegate, BannerDelegate {
            var received: [String] = []
            func onInterstitialLoaded() { received.append("loaded") }
            func onInterstitialLoadFailed(_ error: AdException) { received.append("load failed") }
            func onInterstitialShown() { received.append("shown") }
            func onInterstitialShowFailed(_ error: AdException) { received.append("show failed") }
            func onInterstitialClosed() { received.append("closed") }
            func onRewardedLoaded() { received.append("rewarded loaded") }
            func onRewardedLoadFailed(_ error: AdException) { received.append("rewarded load failed") }
            func onRewardedShown() { received.append("rewarded shown") }
            func onRewardedShowFailed(_ error: AdException) { received.append("rewarded show failed") }
            func onRewardedFinished() { received.append("rewarded finished") }
            func onRewardedClosed() { received.append("rewarded closed") }
            func onBannerLoadFailed(_ adPayload: AdPayload, _ error: AdException) {
                received.append("banner load failed")
            }
            func onBannerShowFailed(_ adPayload: AdPayload, _ error: AdException) {
                received.append("banner show failed")
            }
        }

        @Test func `all callbacks are declared, and the newer ones call the older ones by default`() {
            let delegate = OlderCallbackDelegate()
            let (place, error) = (AdPayload(placementName: "u"), AdException(.noFill))
            // Called through the protocols: a method that is none of their requirements would not reach the delegate.
            let interstitial: any InterstitialDelegate = delegate, rewarded: any RewardedDelegate = delegate
            let banner: any BannerDelegate = delegate
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
                delegate.received == [
                    "loaded", "load failed", "shown", "show failed", "closed", "rewarded loaded",
                    "rewarded load failed", "rewarded shown", "rewarded show failed", "rewarded finished",
                    "rewarded closed", "banner load failed", "banner show failed",
                ])
        }

        @Test func `the documented calls without an effect exist`() {
            // Compiles only while the methods exist with these names and types.
            let calls: [Any] = [
                Yabbi.setCustomParams(_:_:), Yabbi.enableDebug(_:), ConsentManager.enableLog(_:),
                VideoAdContainer.init(publisherId:unitId:controller:),
                InterstitialAdContainer.init(publisherId:unitId:controller:),
            ]
            #expect(calls.count == 5 && !Yabbi.sdkVersion.isEmpty)
        }

        @Test func `older callbacks without a payload are still called`() async throws {
            final class Old: InterstitialDelegate {
                var received: [String] = []
                func onInterstitialLoaded() { received.append("loaded") }
            }
            let fixture = try await YabbiFixture()
            let old = Old()
            Yabbi.setInterstitialDelegate(old)
            await fixture.initialize()
            Yabbi.loadAd(Yabbi.INTERSTITIAL, YabbiFixture.unit)
            try await eventually { old.received == ["loaded"] }
        }
    }
}
