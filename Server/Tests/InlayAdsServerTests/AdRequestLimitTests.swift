import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayAdsServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// Tests of the rate limit of ad requests for each network.
@Suite(.timeLimit(.minutes(3))) struct AdRequestLimitTests {
    @Test(arguments: ["/ads/request", "/v1/ads/request"])
    func `a burst of ad requests from one network gets 429 with Retry-After and leaves no row`(_ path: String)
        async throws
    {
        try await AdSite.run(configure: { $0.rates.adsPerNetwork = 2 }) { site in
            let unit = try await site.unit()
            try await site.campaign()
            func ask(_ address: String) async throws -> TestAppResponse {
                try await site.app.sendJSON(
                    "POST", path, headers: ["X-Forwarded-For": address], site.body(unit))
            }
            for _ in 0..<10 { #expect(try await ask("192.0.2.1").status == 200) }
            await site.ads.writeCounts()
            let impressions = try await site.count("ad_impressions")
            #expect(try await requestsToday(site) == 10)
            for _ in 0..<50 {
                let refused = try await ask("192.0.2.1")
                #expect(refused.status == 429 && refused.headers["retry-after"] == "5")
                #expect(try refused.code == "rate-limited")
            }
            await site.ads.writeCounts()
            #expect(try await site.count("ad_impressions") == impressions && impressions == 10)
            #expect(try await requestsToday(site) == 10)
            #expect(try await site.count("ad_refusals") == 0)
            // Other networks are answered, and this one is again after five seconds.
            #expect(try await ask("198.51.100.1").status == 200)
            site.app.clock.advance(by: .seconds(5))
            #expect(try await ask("192.0.2.1").status == 200)
        }
    }

    @Test(arguments: [
        ("203.0.113.9, 198.51.100.7:40000", "198.51.100.7", "198.51.100.0/24"),
        ("[2001:DB8:7:1::9]:40000", "2001:db8:7:1::9", "20-1-d-b8-0-7/48"),
    ])
    func `an ad keeps the address and the network of its caller, whatever port a proxy writes beside it`(
        _ entry: String, _ address: String, _ network: String
    ) async throws {
        try await AdSite.run { site in
            let unit = try await site.unit()
            try await site.campaign()
            #expect(try await site.requestAd(unit, from: entry) != nil)
            let kept = try await site.database.read {
                try $0.row("SELECT device_ip, network FROM ad_impressions").map {
                    [try $0.text("device_ip"), try $0.text("network")]
                }
            }
            #expect(kept == [address, network])
        }
    }

    /// Returns the number of today's requests in the report.
    private func requestsToday(_ site: AdSite) async throws -> Int64 {
        let day = AdPace.day(of: site.app.clock.now)
        return try await site.ads.reports.total(site.environmentID, days: day...day).requests
    }

    @Test func `the limit of ad requests is well below the server's, and 0 switches it off`() throws {
        let limit = CallerLimit.adRequests(RateLimits())
        #expect(limit.maximumPerNetwork == 100 && limit.period == .seconds(5))
        #expect(limit.maximumPerIPv4Block == 500 && limit.maximumPerIPv6Block == 500)
        #expect(limit.maximumPerIPv4Block < RateLimits().perAddress)
        let limiter = CallerLimiter(now: { TestClock().now })
        for _ in 0..<1_000 { try limiter.spend(.adRequests(.off), from: "192.0.2.1") }
    }
}
