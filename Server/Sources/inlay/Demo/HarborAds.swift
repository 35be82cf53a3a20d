import Foundation
import InlayAdsServer
import InlayServer
import InlayServerCore
@_spi(Inlay) import InlayWire

/// Harbor's ad units, their campaigns, and a bidder for the banner.
struct HarborAds {
    static let publisherID = "5e3c1a52-0b7d-4a36-9d3e-6b1f0c7a2d10"
    static let bannerUnitID = "8a7e2f64-3c19-4d0b-b5a8-1e9d4c6f7a21"
    static let videoUnitID = "c4d9b0e8-71f2-4e65-8f3a-2b6a9e5d8c32"

    let records: AdRecordStore
    /// The server's own address.
    let address: String
    /// The URL at which the simulated bidder receives bid requests.
    let bidder: URL
    /// Milliseconds that a request for an ad may take; the bidder has all of them.
    let milliseconds: Int
    let hasVideo: Bool

    private var environmentID: EnvironmentID { HarborCompany.environmentID }

    /// Creates the ad units and campaigns.
    func create() async throws {
        try await records.save(
            environmentID, AdPublisher(id: AdPublisherID(Self.publisherID), name: "Harbor Ferries"))
        let app = AdApp(
            publisherID: AdPublisherID(Self.publisherID), name: "Harbor", bundle: "com.example.harbor",
            domain: "harbor.example")
        try await records.save(environmentID, app)
        try await records.save(
            environmentID,
            AdUnit(
                id: AdUnitID(Self.bannerUnitID), appID: app.id, name: "Today, at the bottom", format: .banner,
                width: 320,
                height: 50, floorMicros: 500_000, refresh: 30))
        try await records.save(
            environmentID,
            AdBidder(
                name: "A simulated buyer", endpoint: bidder.absoluteString, timeout: milliseconds,
                unitIDs: [AdUnitID(Self.bannerUnitID)])
        )
        try await createHouseAd()
        if hasVideo { try await createVideoAd(app) }
    }

    /// Creates the house ad, which fills the banner when no bid reaches the floor.
    private func createHouseAd() async throws {
        let campaign = AdCampaign(
            name: "Island pass", priority: 8, isHouse: true, unitIDs: [AdUnitID(Self.bannerUnitID)])
        try await records.save(environmentID, campaign)
        try await records.save(
            environmentID,
            AdCreative(
                campaignID: campaign.id, name: "Three islands, one ticket", markup: Self.banner,
                clickURL: "\(address)/harbor/island.svg", width: 320, height: 50,
                advertiserDomain: "harbor.example"))
    }

    private func createVideoAd(_ app: AdApp) async throws {
        try await records.save(
            environmentID,
            AdUnit(
                id: AdUnitID(Self.videoUnitID), appID: app.id, name: "A film for a coffee", format: .rewarded,
                reward: .init(amount: 1, currency: "coffee")))
        let campaign = AdCampaign(
            name: "The bay, in six seconds", cpmMicros: 4_000_000,
            cap: .init(count: 20, seconds: 86_400), unitIDs: [AdUnitID(Self.videoUnitID)])
        try await records.save(environmentID, campaign)
        try await records.save(
            environmentID,
            AdCreative(
                campaignID: campaign.id, name: "A crossing", kind: .vast, markup: vast,
                advertiserDomain: "harbor.example"))
    }

    private var vast: String {
        """
        <VAST version="4.2"><Ad id="crossing"><InLine><AdSystem>Harbor</AdSystem><AdTitle>A crossing</AdTitle>
        <Impression><![CDATA[\(address)/harbor/seen]]></Impression><Creatives><Creative><Linear>
        <Duration>00:00:0\(HarborVideo.seconds)</Duration><MediaFiles>
        <MediaFile delivery="progressive" type="video/webm" width="480" height="270"><![CDATA[\(address)/harbor/film.webm]]></MediaFile>
        </MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>
        """
    }

    private static let banner = strip(
        "Three islands, one ticket", "The pass", "${CLICK_URL}", paper: "#0e5f66", ink: "#fff")

    /// Returns the simulated bidder's banner.
    static func cafe(_ address: String) -> String {
        strip(
            "Pier Café: buns from 6:30", "Menu", "\(address)/harbor/cafe.svg", paper: "#e9cfae",
            ink: "#3d2416")
    }

    /// Returns a banner with a text and a button, and space for the close button at its end.
    private static func strip(
        _ words: String, _ button: String, _ link: String, paper: String, ink: String
    ) -> String {
        """
        <!doctype html><meta charset="utf-8"><style>
        body { margin: 0; font: 600 13px/1.2 system-ui, sans-serif; background: \(paper); color: \(ink) }
        a { display: flex; align-items: center; justify-content: space-between; height: 50px; padding: 0 44px 0 12px;
            box-sizing: border-box; color: inherit; text-decoration: none }
        span { border: 1px solid; border-radius: 999px; padding: 5px 10px; white-space: nowrap }
        </style><a href="\(link)">\(words)<span>\(button)</span></a>
        """
    }
}
