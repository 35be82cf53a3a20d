import Foundation
import InlayServer
import InlayWire

/// Harbor's places for ads, what is shown there, and a buyer that bids for the banner.
struct HarborAds {
    static let publisherID = "5e3c1a52-0b7d-4a36-9d3e-6b1f0c7a2d10"
    static let bannerID = "8a7e2f64-3c19-4d0b-b5a8-1e9d4c6f7a21"
    static let filmID = "c4d9b0e8-71f2-4e65-8f3a-2b6a9e5d8c32"

    let records: AdRecordStore
    /// The server's own address.
    let address: String
    /// Where the simulated buyer takes bid requests.
    let bidder: URL
    let hasFilm: Bool

    private var environmentID: String { HarborCompany.environmentID }

    /// Makes the places and fills them.
    func found() async throws {
        try await records.save(environmentID, AdPublisher(id: Self.publisherID, name: "Harbor Ferries"))
        let app = AdApp(
            publisherID: Self.publisherID, name: "Harbor", bundle: "com.example.harbor",
            domain: "harbor.example")
        try await records.save(environmentID, app)
        try await records.save(
            environmentID,
            AdUnit(
                id: Self.bannerID, appID: app.id, name: "Today, at the bottom", format: .banner, width: 320,
                height: 50, floorMicros: 500_000, refresh: 30))
        try await records.save(
            environmentID,
            AdBidder(name: "A simulated buyer", endpoint: bidder.absoluteString, unitIDs: [Self.bannerID]))
        try await house()
        if hasFilm { try await film(app) }
    }

    /// What stands in the place when nobody bids enough.
    private func house() async throws {
        let campaign = AdCampaign(name: "Island pass", priority: 8, isHouse: true, unitIDs: [Self.bannerID])
        try await records.save(environmentID, campaign)
        try await records.save(
            environmentID,
            AdCreative(
                campaignID: campaign.id, name: "Three islands, one ticket", markup: Self.banner,
                clickURL: "\(address)/harbor/island.svg", width: 320, height: 50,
                advertiserDomain: "harbor.example"))
    }

    private func film(_ app: AdApp) async throws {
        try await records.save(
            environmentID,
            AdUnit(
                id: Self.filmID, appID: app.id, name: "A film for a coffee", format: .rewarded,
                reward: .init(amount: 1, currency: "coffee")))
        let campaign = AdCampaign(
            name: "The bay, in six seconds", cpmMicros: 4_000_000,
            cap: .init(count: 20, seconds: 86_400), unitIDs: [Self.filmID])
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
        <Duration>00:00:0\(HarborFilm.seconds)</Duration><MediaFiles>
        <MediaFile delivery="progressive" type="video/webm" width="480" height="270"><![CDATA[\(address)/harbor/film.webm]]></MediaFile>
        </MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>
        """
    }

    private static let banner = strip(
        "Three islands, one ticket", "The pass", "${CLICK_URL}", paper: "#0e5f66", ink: "#fff")

    /// What the simulated buyer shows.
    static func cafe(_ address: String) -> String {
        strip(
            "Pier Café: buns from 6:30", "Menu", "\(address)/harbor/cafe.svg", paper: "#e9cfae",
            ink: "#3d2416")
    }

    /// A line of words and a button, as wide as its place, with room for the cross at its end.
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
