import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers

@testable import InlayAdsServer
@testable import InlayOpenRTB
@testable import InlayServerCore

/// A running server with a publisher and an app, and a device that requests ads.
struct AdSite: Sendable {
    let app: TestApp
    let environmentID: EnvironmentID
    let publisher: AdPublisher
    let inApp: AdApp
    /// The bidders and the receivers of their notices.
    var buyers = FakeBuyers()
    /// A latch with which a test delays a response.
    let gate = Latch()
    /// The addresses of requests for which a test gives none; each is in another network.
    private let devices = DeviceAddresses()

    var ads: AdsFeature { app.server.features.ads }
    var records: AdRecordStore { ads.records }
    var database: any SQLDatabase { app.services.database }

    static func run<R: Sendable>(
        _ engine: SQLEngine = .sqlite, _ environmentID: EnvironmentID = "harbor",
        configure: (inout InlayServerConfiguration) -> Void = { _ in },
        _ body: @Sendable (AdSite) async throws -> R
    ) async throws -> R {
        let buyers = FakeBuyers()
        return try await TestApp.run(
            engine,
            configure: {
                $0.rates.perUser = 0
                $0.rates.adsPerNetwork = 0
                $0.trustsProxy = true
                $0.adsPrivateAddresses = true
                // A busy machine is no reason for a bidder to be late.
                $0.adsMilliseconds = 30_000
                configure(&$0)
            }, features: { _ in [buyers] }
        ) { app in
            var site = try await make(app, environmentID)
            site.buyers = buyers
            return try await body(site)
        }
    }

    static func make(_ app: TestApp, _ environmentID: EnvironmentID) async throws -> AdSite {
        let records = app.server.features.ads.records
        let publisher = try await records.save(environmentID, AdPublisher(name: "Harbor Ferries")).record
        let inApp = try await records.save(
            environmentID,
            AdApp(
                publisherID: publisher.id, name: "Harbor", bundle: "com.example.harbor",
                storeID: "1234567890",
                domain: "example.com")
        ).record
        return AdSite(app: app, environmentID: environmentID, publisher: publisher, inApp: inApp)
    }

    /// Stores a unit, by default a banner of 320 × 50.
    func unit(
        _ format: AdFormat = .banner, change: (inout AdUnit) -> Void = { _ in }
    ) async throws -> AdUnit {
        var unit = AdUnit(
            appID: inApp.id, name: "Front page", format: format, width: 320, height: 50, closeTimeout: 2_000,
            reward: format == .rewarded ? .init(amount: 5, currency: "coins", needsUser: false) : nil)
        change(&unit)
        return try await records.save(environmentID, unit).record
    }

    /// Stores a campaign with one creative for the format.
    @discardableResult
    func campaign(
        _ format: AdFormat = .banner, markup: String? = nil, change: (inout AdCampaign) -> Void = { _ in }
    ) async throws -> AdCampaign {
        var campaign = AdCampaign(name: "Summer", cpmMicros: 2_500_000)
        change(&campaign)
        let kept = try await records.save(environmentID, campaign).record
        let creative = AdCreative(
            campaignID: kept.id, name: "Boat", kind: format.isVideo ? .vast : .html,
            markup: markup ?? (format.isVideo ? Self.vast : "<p>Sail & \"go\"</p>"))
        try await records.save(environmentID, creative)
        return kept
    }

    /// A video of six seconds.
    static let vast = vast(duration: "00:00:06")

    static func vast(duration: String) -> String {
        """
        <VAST version="4.2"><Ad id="1"><InLine><AdSystem>Harbor</AdSystem><AdTitle>Boat</AdTitle>
        <Impression><![CDATA[https://t.test/seen]]></Impression><Creatives><Creative><Linear>
        <Duration>\(duration)</Duration><MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="640"
        height="360"><![CDATA[https://cdn.test/boat.mp4]]></MediaFile></MediaFiles>
        </Linear></Creative></Creatives></InLine></Ad></VAST>
        """
    }

    /// Returns the documented body of an ad request for a unit.
    func body(_ unit: AdUnit, ifa: String = "", pubID: String? = nil) -> String {
        """
        {"ifa":"\(ifa)","pubID":"\(pubID ?? publisher.id.rawValue)","unitID":"\(unit.id)","bundle":"com.example.harbor",\
        "userAgent":"UA-1","appName":"Harbor","geo":null}
        """
    }

    /// Requests an ad as a device at the address, by default one in another network; returns `nil` for no ad.
    func requestAd(
        _ unit: AdUnit, ifa: String = "", from address: String? = nil, headers: [String: String] = [:],
        at path: String = "/v1/ads/request"
    ) async throws -> AdResponse? {
        let headers = headers.merging(["X-Forwarded-For": address ?? devices.nextAddress()]) { $1 }
        let answer = try await app.sendJSON("POST", path, headers: headers, body(unit, ifa: ifa))
        if answer.status == 204 { return nil }
        guard answer.status == 200 else { throw TestFailure("\(answer.status) \(answer.text)") }
        return try JSONDecoder().decode(AdResponse.self, from: answer.body)
    }

    /// Calls a tracker as a device does, and returns the response's status.
    @discardableResult
    func call(_ tracker: String) async throws -> Int {
        try await app.send("GET", String(tracker.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" })).status
    }

    func token(_ tracker: String) -> String {
        String(tracker.split(separator: "/").last?.prefix { $0 != "?" } ?? "")
    }

    /// Waits until the condition holds.
    func until(_ isSo: @escaping @Sendable () async throws -> Bool) async throws {
        try await within(.seconds(60)) {
            // A yield instead would keep a core busy that the awaited work may need.
            for await _ in TimerSequence(every: .milliseconds(10)) {
                if try await isSo() { return }
            }
        }
    }

    /// Waits until the condition holds and advances the server's clock, so that a notice that a busy machine failed to
    /// send is sent again.
    func advanceClock(until isSo: @escaping @Sendable () async throws -> Bool) async throws {
        try await within(.seconds(60)) {
            while try await !isSo() {
                app.clock.advance(by: .seconds(11))
                for await _ in TimerSequence(every: .milliseconds(250)) { break }
            }
        }
    }

    /// Returns the ledger as `event amount` lines.
    func ledger() async throws -> [String] {
        try await database.read { connection in
            try connection.rows("SELECT event, amount_nanos FROM ad_ledger ORDER BY booked_at, event").map {
                "\(try $0.text("event")) \(try $0.int64("amount_nanos"))"
            }
        }
    }

    /// Returns the number of refusals by their reason.
    func refused() async throws -> [String: Int] {
        await ads.writeCounts()
        return try await database.read { connection in
            let rows = try connection.rows(
                "SELECT reason, SUM(times) AS times FROM ad_refusals GROUP BY reason")
            return Dictionary(
                try rows.map { (try $0.text("reason"), try $0.int("times")) }
            ) { $0 + $1 }
        }
    }

    func count(_ table: String, where condition: String = "1 = 1") async throws -> Int {
        try await database.read {
            try $0.row("SELECT COUNT(*) AS n FROM \(table) WHERE \(condition)")?.int("n") ?? 0
        }
    }
}

/// A source of device addresses, each in another network.
private final class DeviceAddresses: Sendable {
    private let count = NIOLockedValueBox(0)

    func nextAddress() -> String {
        let number = count.withLockedValue { count in
            count += 1
            return count
        }
        return "10.\(number / 256 % 256).\(number % 256).7"
    }
}

extension AdSite {
    /// Stores a bidder that answers with one bid, or with no bid without a price.
    @discardableResult
    func bidder(
        _ name: String, _ price: Int64? = nil, timeout: Int = 20_000, deal: String? = nil,
        change: @escaping @Sendable (inout OpenRTB.Bid) -> Void = { _ in }
    ) async throws -> AdBidder {
        let port = app.port
        if let price {
            buyers.setResponder(name) { request in
                FakeBuyers.bids(
                    request, [FakeBuyers.bid(name, price, port: port, deal: deal, change: change)])
            }
        }
        let bidder = AdBidder(
            name: name, endpoint: "http://127.0.0.1:\(port)/test/bidder/\(name)", timeout: timeout)
        return try await records.save(environmentID, bidder).record
    }

    /// Waits until `count` different notices were acknowledged, and returns them sorted.
    func notices(_ count: Int) async throws -> [String] {
        try await advanceClock { [buyers] in Set(buyers.notices).count >= count }
        return Set(buyers.notices).sorted()
    }
}
