import Foundation
@_spi(Inlay) import InlayAds
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayYabbi

extension YabbiTests {
    /// YABBI's chain of interaction, and what may go wrong on it.
    @Suite @MainActor struct Chain {
        private let unit = YabbiStage.unit

        @Test func `the documented chain: initialise, load, show, click, close`() async throws {
            let stage = try await YabbiStage()
            let ear = Ear()
            Yabbi.setInterstitialDelegate(ear)
            var results: [AdException?] = []
            Yabbi.initialize(publisherID: YabbiStage.publisher) { results.append($0) }
            #expect(Yabbi.canLoadAd(Yabbi.INTERSTITIAL, unit))
            Yabbi.loadAd(Yabbi.INTERSTITIAL, unit)
            try await ear.untilHeard(["loaded \(unit)"])
            #expect(results.count == 1 && results.first == .some(nil))
            #expect(Yabbi.isAdLoaded(Yabbi.INTERSTITIAL, unit))
            #expect(stage.server.requests.count == 1)
            Yabbi.showAd(
                adType: Yabbi.INTERSTITIAL, placementName: unit, rootViewController: stage.controller)
            let show = try stage.show(.interstitial)
            #expect(show.creative == .html("<b>Ferry</b>", size: AdSize(width: 320, height: 50)))
            await show.rendered()
            show.touched()
            #expect(await show.tapped("https://ferries.test/") == .opened)
            #expect(await show.close())
            try await ear.untilHeard(["loaded", "shown", "closed"].map { "\($0) \(unit)" })
            try await stage.server.untilRequests("/t/view")
            try await stage.server.untilRequests("/t/click")
            #expect(stage.server.requests(YabbiStage.path).count == 1)
            #expect(stage.opened.withLock { $0.map(\.absoluteString) } == ["https://ferries.test/"])
        }

        @Test func `a place that was loaded has a surface, which draws what is shown`() async throws {
            let stage = try await YabbiStage()
            let ear = Ear()
            Yabbi.setInterstitialDelegate(ear)
            await stage.initialize()
            #expect(try Yabbi.surface(Yabbi.INTERSTITIAL, unit) == nil)
            Yabbi.loadAd(Yabbi.INTERSTITIAL, unit)
            try await ear.untilHeard(["loaded \(unit)"])
            let surface = try #require(try Yabbi.surface(Yabbi.INTERSTITIAL, unit))
            Yabbi.showAd(
                adType: Yabbi.INTERSTITIAL, placementName: unit, rootViewController: stage.controller)
            let show = try stage.show(.interstitial)
            let drawn = try await surface.resource("creative/\(show.id).html")
            #expect(drawn.data == Data("<b>Ferry</b>".utf8))
            Yabbi.destroyAd(Yabbi.INTERSTITIAL, unit)
            #expect(try Yabbi.surface(Yabbi.INTERSTITIAL, unit) === surface)
        }

        @Test func `the request goes to the documented endpoint with exactly the seven keys`() async throws {
            let stage = try await YabbiStage()
            await stage.initialize()
            Yabbi.loadAd(Yabbi.BANNER, unit)
            try await stage.server.untilRequests(YabbiStage.path)
            let request = try #require(try stage.requests.first)
            #expect(
                Set(request.keys) == ["ifa", "pubID", "unitID", "bundle", "userAgent", "appName", "geo"])
            #expect(request["pubID"] == .string(YabbiStage.publisher) && request["unitID"] == .string(unit))
            #expect(request["bundle"] == "com.example.demo" && request["appName"] == "Demo shop")
            #expect(request["geo"] == .null && request["ifa"]?.string != nil)
            let sent = try #require(stage.server.requests(YabbiStage.path).first)
            #expect(sent.url.absoluteString == "https://ssp.test/ads/request")
            #expect(sent.headers["Authorization"] == nil && sent.headers[InlayHeader.apiKey] == nil)
        }

        @Test func `initialisation tells its one result, good or bad`() async throws {
            _ = try await YabbiStage()
            var results: [AdException?] = []
            Yabbi.initialize(publisherID: "harbor") { results.append($0) }
            await YabbiHost.shared.settled()
            #expect(results.count == 1 && results.first??.caused == "\"harbor\" is no UUID.")
            Yabbi.initialize(publisherID: YabbiStage.publisher) { results.append($0) }
            await YabbiHost.shared.settled()
            #expect(results.count == 2 && results.last == .some(nil))
        }

        @Test func `a load before initialisation is told as an error and asks nobody`() async throws {
            let stage = try await YabbiStage()
            let ear = Ear()
            Yabbi.setInterstitialDelegate(ear)
            #expect(!Yabbi.canLoadAd(Yabbi.INTERSTITIAL, unit))
            Yabbi.loadAd(Yabbi.INTERSTITIAL, unit)
            try await ear.untilHeard(["load failed \(unit)"])
            #expect(ear.errors.first?.localizedDescription == "The SDK is not initialized.")
            #expect(stage.server.requests.isEmpty)
        }

        @Test func `a show before a load, or for the second time, is told as an error`() async throws {
            let stage = try await YabbiStage()
            let ear = Ear()
            Yabbi.setInterstitialDelegate(ear)
            await stage.initialize()
            func show() {
                Yabbi.showAd(
                    adType: Yabbi.INTERSTITIAL, placementName: unit, rootViewController: stage.controller)
            }
            show()
            try await ear.untilHeard(["show failed \(unit)"])
            Yabbi.loadAd(Yabbi.INTERSTITIAL, unit)
            // The word about the load and that of a show come by ways of their own.
            try await ear.untilHeard(["show failed \(unit)", "loaded \(unit)"])
            show()
            show()
            try await ear.untilHeard(
                ["show failed \(unit)", "loaded \(unit)", "show failed \(unit)"])
            #expect(stage.server.requests("/t/view").isEmpty)
        }

        @Test func `a failed load is told, and the place can be loaded again`() async throws {
            let stage = try await YabbiStage()
            let ear = Ear()
            Yabbi.setInterstitialDelegate(ear)
            await stage.initialize()
            stage.server.always(YabbiStage.path, .status(204))
            Yabbi.loadAd(Yabbi.INTERSTITIAL, unit)
            try await ear.untilHeard(["load failed \(unit)"])
            #expect((ear.errors.first as? AdException)?.errorDescription == "There is no ad to show now.")
            #expect(Yabbi.canLoadAd(Yabbi.INTERSTITIAL, unit))
            try stage.serve(1, "<b>x</b>")
            Yabbi.loadAd(Yabbi.INTERSTITIAL, unit)
            try await ear.untilHeard(["load failed \(unit)", "loaded \(unit)"])
            #expect(!Yabbi.canLoadAd(Yabbi.INTERSTITIAL, unit))
        }

        @Test func `destroying gives up one place, or all of a type`() async throws {
            let stage = try await YabbiStage()
            await stage.initialize()
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
            #expect(stage.server.requests(YabbiStage.path).count == 4)
        }

        @Test func `a destroy is not overtaken by the load before it`() async throws {
            let stage = try await YabbiStage()
            let ear = Ear()
            Yabbi.setInterstitialDelegate(ear)
            let (given, kept) = (unit, "0d4e8f5b-1c2d-4a3b-8c9d-333333333333")
            // One after the other, while the session still opens.
            Yabbi.initialize(publisherID: YabbiStage.publisher)
            Yabbi.loadAd(Yabbi.INTERSTITIAL, given)
            Yabbi.destroyAd(Yabbi.INTERSTITIAL, given)
            Yabbi.loadAd(Yabbi.INTERSTITIAL, kept)
            try await eventually { Yabbi.isAdLoaded(Yabbi.INTERSTITIAL, kept) }
            #expect(YabbiHost.shared.place(.interstitial, given)?.state == .initial)
            try await ear.untilHeard(["loaded \(kept)"])
            // A load behind the destroy is a new one.
            Yabbi.destroyAd(Yabbi.INTERSTITIAL)
            Yabbi.loadAd(Yabbi.INTERSTITIAL, given)
            try await ear.untilHeard(["loaded \(kept)", "loaded \(given)"])
            #expect(!Yabbi.isAdLoaded(Yabbi.INTERSTITIAL, kept))
            withExtendedLifetime(stage) {}
        }

        @Test func `an ad that was destroyed before its load was told is not told any more`() async throws {
            let stage = try await YabbiStage()
            let ear = Ear()
            await stage.initialize()
            Yabbi.loadAd(Yabbi.INTERSTITIAL, unit)
            try await eventually { Yabbi.isAdLoaded(Yabbi.INTERSTITIAL, unit) }
            let place = try #require(YabbiHost.shared.knownPlace(.interstitial, unit))
            Yabbi.setInterstitialDelegate(ear)
            place.handle(.loaded)
            #expect(ear.handle.contains("loaded \(unit)"))
            let before = ear.handle
            Yabbi.destroyAd(Yabbi.INTERSTITIAL, unit)
            place.handle(.loaded)
            #expect(ear.handle == before)
        }

        @Test func `a banner is shown once and gives an impression for each ad it refreshes to`() async throws
        {
            let stage = try await YabbiStage()
            let ear = Ear()
            Yabbi.setBannerDelegate(ear)
            await stage.initialize()
            Yabbi.setBannerCustomSettings { settings in
                settings.updateShowCloseButton(true).updateRefreshIntervalSeconds(10)
            }
            Yabbi.loadAd(Yabbi.BANNER, unit)
            try await eventually { Yabbi.isAdLoaded(Yabbi.BANNER, unit) }
            Yabbi.showAd(adType: Yabbi.BANNER, placementName: unit, rootViewController: stage.controller)
            let first = try stage.show(.banner)
            await first.rendered()
            try await stage.clock.untilSleeping(for: .seconds(10))
            stage.clock.advance(by: .seconds(10))
            try await eventually { try stage.show(.banner).id != first.id }
            await (try stage.show(.banner)).rendered()
            await (try stage.show(.banner)).close()
            try await ear.untilHeard(
                ["loaded", "shown", "impression", "impression", "closed"].map { "\($0) \(unit)" })
        }

        @Test func `a no to consent takes id and place out of requests`() async throws {
            let id = "AAAA1111-2222-3333-4444-555566667777"
            struct Known: AdIdentifierProvider, AdLocationProvider {
                let id: String
                func identifier() async throws -> String? { id }
                func location() async throws -> AdGeo? { AdGeo(latitude: 55, longitude: 37, precision: 5) }
            }
            let stage = try await YabbiStage {
                ($0.identifiers, $0.locations) = (Known(id: id), Known(id: id))
            }
            await stage.initialize()
            let ads = try await YabbiHost.shared.session().ads
            try await eventually { ads.knownIdentifier == id }
            Yabbi.loadAd(Yabbi.BANNER, unit)
            try await stage.server.untilRequests(YabbiStage.path)
            #expect(try stage.requests.first?["ifa"] == .string(id))
            Yabbi.setUserConsent(false)
            Yabbi.loadAd(Yabbi.INTERSTITIAL, unit)
            try await stage.server.untilRequests(YabbiStage.path, 2)
            #expect(try stage.requests.last?["ifa"] == "")
            #expect(try stage.requests.last?["geo"] == .null)
        }
    }
}
