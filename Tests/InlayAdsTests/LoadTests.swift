import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayAds

/// The loading of ads: the request, and the placement's state before and after it.
@Suite(.timeLimit(.minutes(5))) struct LoadTests {
    @Test func `a publisher's id is accepted, and anything else is refused as invalid`() async throws {
        let fixture = try await AdsFixture.start(publisher: nil)
        #expect(!fixture.session.ads.isInitialized)
        #expect(throws: AdError.invalidPublisher("harbor")) {
            try fixture.session.ads.initialize(publisherID: "harbor")
        }
        #expect(!fixture.session.ads.isInitialized)
        try fixture.session.ads.initialize(publisherID: AdsFixture.publisher)
        #expect(fixture.session.ads.isInitialized)
    }

    @Test func `no ad is requested before the publisher is known`() async throws {
        let fixture = try await AdsFixture.start(publisher: nil)
        await #expect(throws: AdError.notInitialized) { try await fixture.placement().load() }
        #expect(fixture.server.requests.isEmpty)
    }

    @Test func `an ad request has the seven documented keys, and more values in ext`()
        async throws
    {
        let fixture = try await AdsFixture.start()
        try await fixture.placement(size: AdSize(width: 320, height: 50)).load()
        let request = try #require(try fixture.requests().first)
        #expect(
            Set(request.keys) == [
                "ifa", "pubID", "unitID", "bundle", "userAgent", "appName", "geo", "ext",
            ])
        #expect(request["pubID"] == .string(AdsFixture.publisher))
        #expect(request["unitID"] == .string(AdsFixture.unit))
        #expect(request["bundle"] == "com.example.demo" && request["appName"] == "Demo shop")
        #expect(request["userAgent"] == "UA-1" && request["ifa"] == "" && request["geo"] == .null)
        #expect(request["ext"]?["format"] == "banner")
        #expect(request["ext"]?["size"] == ["width": 320, "height": 50])
        #expect(request["ext"]?["sdkVersion"] == .string(SDKIdentity.version))
    }

    @Test func `a loaded ad is not drawn and calls no tracker before show`() async throws {
        let fixture = try await AdsFixture.start()
        let placement = fixture.placement()
        try await placement.load()
        await fixture.flush()
        #expect(placement.state == .ready && placement.current == nil && fixture.called.isEmpty)
    }

    @Test func `show draws the loaded ad without another request`() async throws {
        let fixture = try await AdsFixture.start()
        let placement = fixture.placement()
        try await placement.load()
        try placement.show()
        #expect(placement.current?.creative == .html("<b>Ferry</b>", size: AdSize(width: 320, height: 50)))
        #expect(try fixture.requests().count == 1)
    }
}
