import Foundation
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayAdsServer
@testable import InlayServerTesting

@Suite(.timeLimit(.minutes(5))) struct BidderDeadlineTests {
    @Test(arguments: DrippingBidder.Behavior.allCases)
    func `a bidder that never finishes its answer costs the auction nothing but its own bid`(
        _ behavior: DrippingBidder.Behavior
    ) async throws {
        try await DrippingBidder.run(behavior) { dripping in
            try await AdSite.run { site in
                let unit = try await site.unit()
                try await site.bidder("good", 500_000)
                let endpoint = "http://127.0.0.1:\(dripping.port)/bid"
                let bidder = try await site.records.save(
                    site.environmentID, AdBidder(name: "dripping", endpoint: endpoint, timeout: 300)
                ).record
                for _ in 0..<BidderGate.maximumFailures {
                    let ad = try await within(.seconds(20)) { try await site.requestAd(unit) }
                    #expect(ad?.adm.contains("good") == true)
                }
                #expect(site.ads.gate.isClosed(bidder.id), "late answers count as failures")
                #expect((1...BidderGate.maximumFailures).contains(dripping.requests))
                // The client closes the connection of a late answer instead of reading on.
                try await site.until { dripping.openConnections == 0 }
            }
        }
    }
}
