import Foundation
import InlayAdsServer
import InlayServer
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The ad unit of the benchmark, with its publisher, app and bidders.
struct BenchAds {
    let server: InlayServer

    /// Creates the records and returns the body of a request for the unit.
    func prepare(_ endpoints: [String]) async throws -> String {
        let records = server.features.ads.records, environment = ServerAccess.environment
        let publisher = try await records.save(environment, AdPublisher(name: "Bench")).record
        let app = try await records.save(
            environment,
            AdApp(publisherID: publisher.id, name: "Bench", bundle: "com.example.bench")
        ).record
        let unit = try await records.save(
            environment,
            AdUnit(
                appID: app.id, name: "Top", format: .banner, width: 320, height: 50, floorMicros: 500_000)
        ).record
        for (number, endpoint) in endpoints.enumerated() {
            try await records.save(
                environment, AdBidder(name: "Bidder \(number)", endpoint: endpoint, timeout: 900))
        }
        let request = AdRequest(
            ifa: "6D92078A-8246-4BA4-AE5B-76104861E7DC", pubID: publisher.id.rawValue,
            unitID: unit.id.rawValue,
            bundle: "com.example.bench", userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X)",
            appName: "Bench", geo: AdGeo(latitude: 55.75, longitude: 37.62, precision: 25))
        return String(decoding: try JSONEncoder().encode(request), as: UTF8.self)
    }
}
