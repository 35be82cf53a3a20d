import Foundation
@_spi(Inlay) import InlayAds
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayYabbi

extension YabbiTests {
    /// YABBI's documented sequence of calls, and its failures.
    @Suite @MainActor struct Chain {
        private let unit = YabbiFixture.unit

        @Test func `the documented chain: initialise, load, show, click, close`() async throws {
            let fixture = try await YabbiFixture()
            let delegate = RecordingDelegate()
            Yabbi.setInterstitialDelegate(delegate)
            var results: [AdException?] = []
            Yabbi.initialize(publisherID: YabbiFixture.publisher) { results.append($0) }
            #expect(Yabbi.canLoadAd(Yabbi.INTERSTITIAL, unit))
            Yabbi.loadAd(Yabbi.INTERSTITIAL, unit)
            try await delegate.untilReceived(["loaded \(unit)"])
            #expect(results.count == 1 && results.first == .some(nil))
            #expect(Yabbi.isAdLoaded(Yabbi.INTERSTITIAL, unit))
            #expect(fixture.server.requests.count == 1)
            Yabbi.showAd(
                adType: Yabbi.INTERSTITIAL, placementName: unit, rootViewController: fixture.controller)
            let show = try fixture.show(.interstitial)
            #expect(show.creative == .html("<b>Ferry</b>", size: AdSize(width: 320, height: 50)))
            await show.rendered()
            show.touched()
            #expect(await show.tapped("https://ferries.test/") == .opened)
            #expect(await show.close())
            try await delegate.untilReceived(["loaded", "shown", "closed"].map { "\($0) \(unit)" })
            try await fixture.server.untilRequests("/t/view")
            try await fixture.server.untilRequests("/t/click")
            #expect(fixture.server.requests(YabbiFixture.path).count == 1)
            #expect(fixture.opened.withLock { $0.map(\.absoluteString) } == ["https://ferries.test/"])
        }

        @Test func `a loaded placement has a surface, which renders the shown ad`() async throws {
            let fixture = try await YabbiFixture()
            let delegate = RecordingDelegate()
            Yabbi.setInterstitialDelegate(delegate)
            await fixture.initialize()
            #expect(try Yabbi.surface(Yabbi.INTERSTITIAL, unit) == nil)
            Yabbi.loadAd(Yabbi.INTERSTITIAL, unit)
            try await delegate.untilReceived(["loaded \(unit)"])
            let surface = try #require(try Yabbi.surface(Yabbi.INTERSTITIAL, unit))
            Yabbi.showAd(
                adType: Yabbi.INTERSTITIAL, placementName: unit, rootViewController: fixture.controller)
            let show = try fixture.show(.interstitial)
            let drawn = try await surface.resource("creative/\(show.id).html")
            #expect(drawn.data == Data("<b>Ferry</b>".utf8))
            Yabbi.destroyAd(Yabbi.INTERSTITIAL, unit)
            #expect(try Yabbi.surface(Yabbi.INTERSTITIAL, unit) === surface)
        }

        @Test func `the request goes to the documented endpoint with exactly the seven keys`() async throws {
            let fixture = try await YabbiFixture()
            await fixture.initialize()
            Yabbi.loadAd(Yabbi.BANNER, unit)
            try await fixture.server.untilRequests(YabbiFixture.path)
            let request = try #require(try fixture.requests.first)
            #expect(
                Set(request.keys) == ["ifa", "pubID", "unitID", "bundle", "userAgent", "appName", "geo"])
            #expect(request["pubID"] == .string(YabbiFixture.publisher) && request["unitID"] == .string(unit))
            #expect(request["bundle"] == "com.example.demo" && request["appName"] == "Demo shop")
            #expect(request["geo"] == .null && request["ifa"]?.string != nil)
            let sent = try #require(fixture.server.requests(YabbiFixture.path).first)
            #expect(sent.url.absoluteString == "https://ssp.test/ads/request")
            #expect(sent.headers["Authorization"] == nil && sent.headers[InlayHeader.apiKey] == nil)
        }

        @Test func `initialisation reports one result, success or failure`() async throws {
            _ = try await YabbiFixture()
            var results: [AdException?] = []
            Yabbi.initialize(publisherID: "harbor") { results.append($0) }
            await YabbiRuntime.shared.settled()
            #expect(results.count == 1 && results.first??.caused == "\"harbor\" is no UUID.")
            Yabbi.initialize(publisherID: YabbiFixture.publisher) { results.append($0) }
            await YabbiRuntime.shared.settled()
            #expect(results.count == 2 && results.last == .some(nil))
        }

        @Test func `a load before initialisation is reported as an error and sends no request`() async throws
        {
            let fixture = try await YabbiFixture()
            let delegate = RecordingDelegate()
            Yabbi.setInterstitialDelegate(delegate)
            #expect(!Yabbi.canLoadAd(Yabbi.INTERSTITIAL, unit))
            Yabbi.loadAd(Yabbi.INTERSTITIAL, unit)
            try await delegate.untilReceived(["load failed \(unit)"])
            #expect(delegate.errors.first?.localizedDescription == "The SDK is not initialized.")
            #expect(fixture.server.requests.isEmpty)
        }

        @Test func `a show before a load, or for the second time, is reported as an error`() async throws {
            let fixture = try await YabbiFixture()
            let delegate = RecordingDelegate()
            Yabbi.setInterstitialDelegate(delegate)
            await fixture.initialize()
            func show() {
                Yabbi.showAd(
                    adType: Yabbi.INTERSTITIAL, placementName: unit, rootViewController: fixture.controller)
            }
            show()
            try await delegate.untilReceived(["show failed \(unit)"])
            Yabbi.loadAd(Yabbi.INTERSTITIAL, unit)
            // The callbacks of loads and of shows are not delivered in a common order.
            try await delegate.untilReceived(["show failed \(unit)", "loaded \(unit)"])
            show()
            show()
            try await delegate.untilReceived(
                ["show failed \(unit)", "loaded \(unit)", "show failed \(unit)"])
            #expect(fixture.server.requests("/t/view").isEmpty)
        }

        @Test func `a failed load is reported, and the placement can be loaded again`() async throws {
            let fixture = try await YabbiFixture()
            let delegate = RecordingDelegate()
            Yabbi.setInterstitialDelegate(delegate)
            await fixture.initialize()
            fixture.server.always(YabbiFixture.path, .status(204))
            Yabbi.loadAd(Yabbi.INTERSTITIAL, unit)
            try await delegate.untilReceived(["load failed \(unit)"])
            #expect(
                (delegate.errors.first as? AdException)?.errorDescription == "There is no ad to show now.")
            #expect(Yabbi.canLoadAd(Yabbi.INTERSTITIAL, unit))
            try fixture.serve(1, "<b>x</b>")
            Yabbi.loadAd(Yabbi.INTERSTITIAL, unit)
            try await delegate.untilReceived(["load failed \(unit)", "loaded \(unit)"])
            #expect(!Yabbi.canLoadAd(Yabbi.INTERSTITIAL, unit))
        }

        @Test func `destroyAd releases one placement, or all of a type`() async throws {
            let fixture = try await YabbiFixture()
            await fixture.initialize()
            let other = "0d4e8f5b-1c2d-4a3b-8c9d-333333333333"
            for name in [unit, other] { Yabbi.loadAd(Yabbi.INTERSTITIAL, name) }
            Yabbi.loadAd(Yabbi.BANNER, unit)
            func loaded(_ type: YabbiAdType, _ name: String) -> Bool { Yabbi.isAdLoaded(type, name) }
            try await eventually {
                loaded(.interstitial, unit) && loaded(.interstitial, other) && loaded(.banner, unit)
            }
            Yabbi.destroyAd(Yabbi.INTERSTITIAL, unit)
            #expect(!loaded(.interstitial, unit) && loaded(.interstitial, other))
            Yabbi.destroyAd(Yabbi.INTERSTITIAL)
            #expect(!loaded(.interstitial, other) && loaded(.banner, unit))
            Yabbi.loadAd(Yabbi.INTERSTITIAL, unit)
            try await eventually { loaded(.interstitial, unit) }
            #expect(fixture.server.requests(YabbiFixture.path).count == 4)
        }

        @Test func `an earlier load does not undo a destroy`() async throws {
            let fixture = try await YabbiFixture()
            let delegate = RecordingDelegate()
            Yabbi.setInterstitialDelegate(delegate)
            let (given, kept) = (unit, "0d4e8f5b-1c2d-4a3b-8c9d-333333333333")
            // All of these calls are made before the session is open.
            Yabbi.initialize(publisherID: YabbiFixture.publisher)
            Yabbi.loadAd(Yabbi.INTERSTITIAL, given)
            Yabbi.destroyAd(Yabbi.INTERSTITIAL, given)
            Yabbi.loadAd(Yabbi.INTERSTITIAL, kept)
            try await eventually { Yabbi.isAdLoaded(Yabbi.INTERSTITIAL, kept) }
            #expect(YabbiRuntime.shared.adPlacement(.interstitial, given)?.state == .initial)
            try await delegate.untilReceived(["loaded \(kept)"])
            // A load after the destroy loads another ad.
            Yabbi.destroyAd(Yabbi.INTERSTITIAL)
            Yabbi.loadAd(Yabbi.INTERSTITIAL, given)
            try await delegate.untilReceived(["loaded \(kept)", "loaded \(given)"])
            #expect(!Yabbi.isAdLoaded(Yabbi.INTERSTITIAL, kept))
            withExtendedLifetime(fixture) {}
        }

        @Test func `the load of a destroyed ad is not reported`()
            async throws
        {
            let fixture = try await YabbiFixture()
            let delegate = RecordingDelegate()
            await fixture.initialize()
            Yabbi.loadAd(Yabbi.INTERSTITIAL, unit)
            try await eventually { Yabbi.isAdLoaded(Yabbi.INTERSTITIAL, unit) }
            let placement = try #require(YabbiRuntime.shared.placement(.interstitial, unit))
            Yabbi.setInterstitialDelegate(delegate)
            placement.handle(.loaded)
            #expect(delegate.received.contains("loaded \(unit)"))
            let before = delegate.received
            Yabbi.destroyAd(Yabbi.INTERSTITIAL, unit)
            placement.handle(.loaded)
            #expect(delegate.received == before)
        }

        @Test func `a banner is shown once and gives an impression for each ad it refreshes to`() async throws
        {
            let fixture = try await YabbiFixture()
            let delegate = RecordingDelegate()
            Yabbi.setBannerDelegate(delegate)
            await fixture.initialize()
            Yabbi.setBannerCustomSettings { settings in
                settings.updateShowCloseButton(true).updateRefreshIntervalSeconds(10)
            }
            Yabbi.loadAd(Yabbi.BANNER, unit)
            try await eventually { Yabbi.isAdLoaded(Yabbi.BANNER, unit) }
            Yabbi.showAd(adType: Yabbi.BANNER, placementName: unit, rootViewController: fixture.controller)
            let first = try fixture.show(.banner)
            await first.rendered()
            try await fixture.clock.untilSleeping(for: .seconds(10))
            fixture.clock.advance(by: .seconds(10))
            try await eventually { try fixture.show(.banner).id != first.id }
            await (try fixture.show(.banner)).rendered()
            await (try fixture.show(.banner)).close()
            try await delegate.untilReceived(
                ["loaded", "shown", "impression", "impression", "closed"].map { "\($0) \(unit)" })
        }

        @Test func `without consent, requests contain neither the advertising id nor the location`()
            async throws
        {
            let id = "AAAA1111-2222-3333-4444-555566667777"
            struct FixedProviders: AdIdentifierProvider, AdLocationProvider {
                let id: String
                func identifier() async throws -> String? { id }
                func location() async throws -> AdGeo? { AdGeo(latitude: 55, longitude: 37, precision: 5) }
            }
            let fixture = try await YabbiFixture {
                ($0.identifiers, $0.locations) = (FixedProviders(id: id), FixedProviders(id: id))
            }
            await fixture.initialize()
            let ads = try await YabbiRuntime.shared.session().ads
            try await eventually { ads.knownIdentifier == id }
            Yabbi.loadAd(Yabbi.BANNER, unit)
            try await fixture.server.untilRequests(YabbiFixture.path)
            #expect(try fixture.requests.first?["ifa"] == .string(id))
            Yabbi.setUserConsent(false)
            Yabbi.loadAd(Yabbi.INTERSTITIAL, unit)
            try await fixture.server.untilRequests(YabbiFixture.path, 2)
            #expect(try fixture.requests.last?["ifa"] == "")
            #expect(try fixture.requests.last?["geo"] == .null)
        }
    }
}
