import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayAdsServer
@testable import InlayServerTesting

/// Tests that requests of bots are answered, and neither billed nor rewarded.
@Suite(.timeLimit(.minutes(3))) struct AdInvalidTrafficTests {
    private static let crawler = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
    private static let phone =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148"

    /// Requests an ad with the user agents of the device and of the HTTP call; returns `nil` when there is none.
    private func ask(
        _ site: AdSite, _ unit: AdUnit, device: String = phone, caller: String = phone,
        from address: String = "203.0.113.9", token: [String: String] = [:]
    ) async throws -> AdResponse? {
        let headers = token.merging(["User-Agent": caller, "X-Forwarded-For": address]) { $1 }
        let answer = try await site.app.sendJSON(
            "POST", "/v1/ads/request", headers: headers, site.body(unit).replacing("UA-1", with: device))
        return answer.status == 200 ? try answer.as(AdResponse.self) : nil
    }

    @Test(arguments: SQLEngine.allCases)
    func
        `a request of a known crawler is answered and flagged, with no ledger line and one of invalid traffic`(
            _ engine: SQLEngine
        ) async throws
    {
        try await AdSite.run(engine) { site in
            let unit = try await site.unit()
            let campaign = try await site.campaign { $0.goal = 10 }
            try await site.bidder("buyer", 9_000_000)
            let ad = try #require(try await ask(site, unit, device: Self.crawler))
            #expect(ad.adm.contains("Sail"))
            #expect(try await site.refused() == ["known-bot": 1])
            #expect(try await site.count("ad_refusals") == 1)
            #expect(try await site.call(ad.tracker.view) == 204)
            site.app.clock.advance(by: .seconds(1))
            #expect(try await site.call(ad.tracker.click) == 204)
            #expect(try await site.ledger().isEmpty)
            #expect(try await site.refused() == ["known-bot": 3])
            #expect(site.buyers.requests(to: "buyer").isEmpty, "no buyer is offered it")
            #expect(
                try await site.ads.reports.progress(site.environmentID, campaignID: campaign.id) == (0, 0))
            let day = AdPace.day(of: site.app.clock.now)
            #expect(
                try await site.ads.reports.total(site.environmentID, days: day...day) == AdDayCount(),
                "it is counted as invalid traffic only")
            let refused = try await site.ads.reports.refused(site.environmentID, days: day...day)
            #expect(Set(refused.map(\.event)) == ["request", "view", "click"])
            #expect(Set(refused.map(\.unitID)) == [unit.id])
        }
    }

    @Test func `a crawler's user agent in the call alone, or a blocked network, makes a request invalid`()
        async throws
    {
        try await AdSite.run(configure: {
            $0.adsBlockedNetworks = ["198.51.100.0/25", "2001:db8:bad::/48"]
            $0.adsBotAgents = ["Acme-Probe"]
        }) { site in
            let unit = try await site.unit()
            try await site.campaign()
            for (device, caller, address, reason) in [
                (Self.phone, Self.crawler, "203.0.113.9", "known-bot"),
                ("acme-probe/7", Self.phone, "203.0.113.9", "known-bot"),
                (Self.phone, Self.phone, "198.51.100.77", "blocked-network"),
                (Self.phone, Self.phone, "2001:db8:bad:1::1", "blocked-network"),
            ] {
                let before = try await site.refused()[reason] ?? 0
                let ad = try #require(
                    try await ask(site, unit, device: device, caller: caller, from: address))
                try await site.call(ad.tracker.view)
                #expect(try await site.refused()[reason] == before + 2, "\(device) \(caller) \(address)")
            }
            #expect(try await site.ledger().isEmpty)
            // The other half of the network is not blocked, and an app's own server may forward requests.
            for (caller, address) in [
                (Self.phone, "198.51.100.200"), ("python-requests/2.32", "203.0.113.9"),
            ] {
                let ad = try #require(try await ask(site, unit, caller: caller, from: address))
                try await site.call(ad.tracker.view)
            }
            #expect(try await site.ledger() == ["view 2500000", "view 2500000"])
        }
    }

    @Test func `a bot gets no reward, even with a user's token`() async throws {
        try await AdSite.run { site in
            let tenant = try await TestTenant.make(site.app, site.environmentID)
            let unit = try await site.unit(.rewarded)
            try await site.campaign(.rewarded)
            let headers = try tenant.headers(site.app, user: "ada")
            let ad = try #require(try await ask(site, unit, device: "HeadlessChrome/130.0", token: headers))
            let events = try #require(ad.ext?.events)
            try await site.call(ad.tracker.view)
            site.app.clock.advance(by: .seconds(60))
            for name in ["complete", "reward"] { try await site.call(try #require(events[name])) }
            #expect(try await site.ledger().isEmpty)
            #expect(try await site.count("ad_notices") == 0)
            #expect(try await site.refused() == ["known-bot": 4])
        }
    }

    @Test func `the tracker of an honest ad that a crawler calls is not booked, and the device's call is`()
        async throws
    {
        try await AdSite.run { site in
            let unit = try await site.unit()
            try await site.campaign()
            let ad = try #require(try await site.requestAd(unit))
            let path = "/ads/t/\(site.token(ad.tracker.view))"
            let headers = ["User-Agent": Self.crawler]
            #expect(try await site.app.send("GET", path, headers: headers).status == 204)
            #expect(try await site.ledger().isEmpty)
            #expect(try await site.refused() == ["known-bot": 1])
            #expect(try await site.app.send("GET", path, headers: ["User-Agent": Self.phone]).status == 204)
            #expect(try await site.ledger() == ["view 2500000"])
        }
    }

    @Test(arguments: [
        phone, "inlay-swift/0.1.0 (linux)", "UA-1", "", "okhttp/4.12.0",
        "MyApp/3 CFNetwork/1410 Darwin/22.6.0",
        "Dalvik/2.1.0 (Linux; U; Android 9; CUBOT_X18_Plus Build/P)",
        "Mozilla/5.0 (Linux; Android 14; Pixel 8)",
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Safari/605.1.15",
        "Bottles/2", "Abbott-App/1",
    ])
    func `devices and apps are no bots`(_ agent: String) {
        #expect(!AdBots().matches(device: agent) && !AdBots().matches(caller: agent))
    }

    @Test(arguments: [
        crawler, "AdsBot-Google (+http://www.google.com/adsbot.html)", "bingbot/2.0", "Mediapartners-Google",
        "facebookexternalhit/1.1", "Bytespider; spider-feedback@bytedance.com", "UptimeRobot/2.0",
        "my-crawler/1", "Yahoo! Slurp", "GPTBot/1.2", "SomeNewBot", "search_bot_7",
    ])
    func `crawlers and monitors are bots by the device's or the caller's user agent`(_ agent: String) {
        #expect(AdBots().matches(device: agent) && AdBots().matches(caller: agent))
    }

    @Test(arguments: [
        "curl/8.5.0", "Wget/1.21", "python-requests/2.32.0", "Go-http-client/2.0", "HeadlessChrome/130.0.0.0",
        "PhantomJS/2.1", "Scrapy/2.11",
    ])
    func `command-line tools are bots as devices, but not as callers`(_ agent: String) {
        #expect(AdBots().matches(device: agent) && !AdBots().matches(caller: agent))
    }
}
