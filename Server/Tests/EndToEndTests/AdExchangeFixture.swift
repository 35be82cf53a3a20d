import Foundation
import InlaySQL
import InlayServer
@_spi(Inlay) import InlayWire

@testable import InlayAdsServer

/// A banner ad unit and one campaign at the exchange, with access to the exchange's ledger and reports.
struct AdExchangeFixture: Sendable {
    let publisherID: String
    let unitID: String
    private let server: InlayServer

    private static let environment = RunningServer.environmentID

    static func make(on running: RunningServer) async throws -> AdExchangeFixture {
        let records = running.server.features.ads.records
        let publisher = try await records.save(environment, AdPublisher(name: "Harbor")).record
        let app = try await records.save(
            environment,
            AdApp(publisherID: publisher.id, name: "Harbor", bundle: "com.example.harbor")
        ).record
        let unit = try await records.save(
            environment, AdUnit(appID: app.id, name: "Front", format: .banner, width: 320, height: 50)
        ).record
        let campaign = try await records.save(
            environment, AdCampaign(name: "Summer", cpmMicros: 2_500_000)
        ).record
        try await records.save(
            environment, AdCreative(campaignID: campaign.id, name: "Boat", markup: "<p>Sail</p>"))
        return AdExchangeFixture(
            publisherID: publisher.id.rawValue, unitID: unit.id.rawValue, server: running.server)
    }

    /// Returns the ledger's lines as `event amount`, in the order of booking.
    func ledger() async throws -> [String] {
        try await server.services.database.read { connection in
            try connection.rows("SELECT event, amount_nanos FROM ad_ledger ORDER BY booked_at").map {
                "\(try $0.text("event")) \(try $0.int64("amount_nanos"))"
            }
        }
    }

    /// Returns the distinct reasons for which trackers were refused.
    func refused() async throws -> [String] {
        try await server.services.database.read { connection in
            try connection.rows("SELECT DISTINCT reason FROM ad_refusals").map { try $0.text("reason") }
        }
    }

    /// Returns the sums of all days.
    func report() async throws -> AdDayCount {
        try await server.features.ads.reports.total(Self.environment, days: 0...1_000_000)
    }
}
