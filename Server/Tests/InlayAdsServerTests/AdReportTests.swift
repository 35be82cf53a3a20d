import Foundation
import InlaySQL
import InlaySQLTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayAdsServer
@testable import InlayServerTesting

@Suite(.timeLimit(.minutes(3))) struct AdReportTests {
    @Test(arguments: SQLEngine.allCases)
    func `every sum of a report equals the ledger`(_ engine: SQLEngine) async throws {
        try await AdSite.run(engine) { site in
            let units = [try await site.unit(), try await site.unit()]
            try await site.campaign {
                $0.cpmMicros = 1_234_567
                $0.goal = 9
            }
            try await site.campaign {
                $0.cpmMicros = 7
                $0.goal = 9
                $0.priority = 9
            }
            let first = AdPace.day(of: site.app.clock.now)
            var fills = 0
            for round in 0..<24 {
                site.app.clock.advance(by: .seconds(5_400))
                guard let ad = try await site.requestAd(units[round % 2]) else { continue }
                fills += 1
                site.app.clock.advance(by: .seconds(1))
                if round % 3 != 0 { try await site.call(ad.tracker.view) }
                if round % 4 == 1 { try await site.call(ad.tracker.click) }
                try await site.call(ad.tracker.view)
            }
            await site.ads.writeCounts()
            let report = AdReportStore(database: site.database)
            let days = first...(first + 5)
            let total = try await report.total(site.environmentID, days: days)
            let ledger = try await site.database.read { connection -> (Int64, Int64, Int64) in
                func sum(_ event: String, _ term: String) throws -> Int64 {
                    try connection.row(
                        "SELECT CAST(COALESCE(SUM(\(term)), 0) AS BIGINT) AS n FROM ad_ledger WHERE event = ?",
                        [.text(event)])?.int64("n") ?? 0
                }
                return (try sum("view", "1"), try sum("click", "1"), try sum("view", "amount_nanos"))
            }
            #expect(total.requests == 24 && total.fills == Int64(fills) && fills == 18)
            #expect((total.impressions, total.clicks, total.revenueNanos) == ledger)
            #expect(ledger.0 > 0 && ledger.1 > 0 && ledger.2 > 0)
            for grouping in AdReportStore.Grouping.allCases {
                let lines = try await report.lines(site.environmentID, by: grouping, days: days)
                #expect(lines.reduce(AdDayCount()) { $0 + $1.count } == total, "\(grouping)")
            }
            #expect(try await report.lines(site.environmentID, by: .day, days: days).count > 1)
            #expect(try await report.lines(site.environmentID, by: .unit, days: days).count == 2)
            #expect(try await report.lines("other", by: .day, days: days).isEmpty)
        }
    }

    @Test func `refused traffic is listed by its reason, and all forgeries share one row`() async throws {
        try await AdSite.run { site in
            let unit = try await site.unit()
            try await site.campaign()
            let ad = try #require(try await site.requestAd(unit))
            try await site.call(ad.tracker.click)
            try await site.call(ad.tracker.view)
            try await site.call(ad.tracker.view)
            for _ in 0..<20 { try await site.call("http://x/ads/t/forged") }
            await site.ads.writeCounts()
            let day = AdPace.day(of: site.app.clock.now)
            let refused = try await AdReportStore(database: site.database).refused(
                site.environmentID, days: day...day)
            #expect(
                refused.map { "\($0.reason) \($0.event) \($0.times)" } == [
                    "malformed  20", "before-view click 1", "copy view 1",
                ])
            #expect(refused.map(\.unitID) == [.noUnit, unit.id, unit.id])
            #expect(try await site.count("ad_refusals") == 3)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `records of one environment cannot be seen, changed or used from another`(_ engine: SQLEngine)
        async throws
    {
        try await AdSite.run(engine) { site in
            let unit = try await site.unit()
            let campaign = try await site.campaign()
            let records = site.records
            #expect(try await records.find("other", unit.id, as: AdUnit.self) == nil)
            #expect(try await records.list("other", as: AdCampaign.self).isEmpty)
            await #expect(throws: Problem.self) { try await records.save("other", unit) }
            await #expect(throws: Problem.self) { try await records.save("other", site.publisher) }
            await #expect(throws: Problem.self) {
                try await records.save(
                    "other", AdCreative(campaignID: campaign.id, name: "C", markup: "<p>"))
            }
            await #expect(throws: Problem.self) {
                try await records.remove("other", campaign.id, as: AdCampaign.self)
            }
            try await records.save("other", AdCampaign(id: campaign.id, name: "Same id, other place"))
            #expect(
                try await records.find(site.environmentID, campaign.id, as: AdCampaign.self)?.record.name
                    == "Summer")
            try await records.remove(site.environmentID, site.publisher.id, as: AdPublisher.self)
            #expect(try await records.find(site.environmentID, unit.id, as: AdUnit.self) == nil)
        }
    }

    @Test func `two people who change one record at once do not overwrite each other`() async throws {
        try await AdSite.run { site in
            var unit = try await site.unit()
            unit.name = "First"
            #expect(try await site.records.save(site.environmentID, unit, over: 1).revision == 2)
            unit.name = "Second"
            await #expect(throws: Problem.self) {
                try await site.records.save(site.environmentID, unit, over: 1)
            }
            #expect(
                try await site.records.find(site.environmentID, unit.id, as: AdUnit.self)?.record.name
                    == "First")
        }
    }

    @Test func `what is changed on one node is known to the other at once`() async throws {
        try await TestDatabase.withURL(.postgresql) { url in
            try await TestApp.run(url: url, features: { _ in [] }) { first in
                try await TestApp.run(url: url, features: { _ in [] }) { second in
                    let site = try await AdSite.make(first, "harbor")
                    var unit = try await site.unit()
                    try await site.campaign()
                    #expect(try await second.sendJSON("POST", "/ads/request", site.body(unit)).status == 200)
                    unit.isEnabled = false
                    try await site.records.save(site.environmentID, unit)
                    let body = site.body(unit)
                    try await site.until {
                        try await second.sendJSON("POST", "/ads/request", body).status == 404
                    }
                }
            }
        }
    }
}
