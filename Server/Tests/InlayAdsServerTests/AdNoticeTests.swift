import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers
import Testing

@testable import InlayAdsServer
@testable import InlayServerTesting

@Suite(.timeLimit(.minutes(3))) struct AdNoticeTests {
    @Test func `a notice is sent again until it is acknowledged, and never to a private network`()
        async throws
    {
        try await AdSite.run { site in
            let unit = try await site.unit()
            try await site.bidder("buyer", 1_000_000)
            let buyers = site.buyers
            buyers.refuseNotices { _ in true }
            _ = try #require(try await site.requestAd(unit))
            try await site.advanceClock { !buyers.refusedNotices.isEmpty }
            #expect(buyers.notices.isEmpty)
            buyers.refuseNotices { _ in false }
            #expect(try await site.notices(1) == ["win/buyer?p=1&m=0"])
        }
        try await AdSite.run(configure: { $0.adsPrivateAddresses = false }) { site in
            let notice = AdNotice(
                lost: "auction", site.environmentID, bidderID: "buyer", number: 0,
                url: "http://127.0.0.1:\(site.app.port)/test/notice/lost", at: site.app.clock.now)
            try await site.database.write { try AdNotice.queue([notice], $0) }
            // The host may resolve to another address later, so the notice is tried again like an unanswered one.
            let refused = "state = 'waiting' AND last_answer LIKE '%private network%'"
            try await site.advanceClock {
                try await site.count("ad_notices", where: "\(refused) AND tries >= 2") == 1
            }
            #expect(site.buyers.notices.isEmpty)
        }
    }

    @Test func `a notice is called byte for byte, with every spelling of a macro filled`() async throws {
        try await AdSite.run { site in
            let unit = try await site.unit(), base = "http://127.0.0.1:\(site.app.port)/test/notice"
            try await site.bidder("buyer", 1_000_000) {
                let inner = "https%3A%2F%2Fb.test%2F%3Fp%3D%24%7BAUCTION_PRICE%7D"
                $0.winURL = " \(base)/win?x=%20y&z={ord}|1&n=\u{C6}&u=\(inner)\n"
                $0.billingURL = "\(base)/bill?a=b c&x=%C3%86&t=%24%7bAUCTION_IMP_TS%7d"
            }
            let ad = try #require(try await site.requestAd(unit))
            try await site.call(ad.tracker.view)
            let notices = try await site.notices(2)
            #expect(
                notices.contains(
                    "win?x=%20y&z=%7Bord%7D%7C1&n=%C3%86&u=https%3A%2F%2Fb.test%2F%3Fp%3D1"), "\(notices)")
            let bill = notices.first { $0.hasPrefix("bill?") }
            #expect(bill?.wholeMatch(of: /bill\?a=b%20c&x=%C3%86&t=[0-9]+/) != nil, "\(notices)")
        }
    }

    @Test func `a notice says no more of the device than the bid request did`() async throws {
        try await AdSite.run { site in
            let unit = try await site.unit(), buyers = site.buyers
            try await site.bidder("buyer", 1_000_000)
            for (consent, address) in [("{}", "127.0.0.1"), ("{\"lmt\":true}", "127.0.0.0")] {
                let body = site.body(unit).dropLast() + ",\"ext\":{\"consent\":\(consent)}}"
                let answer = try await site.app.sendJSON("POST", "/v1/ads/request", String(body))
                let ad = try JSONDecoder().decode(AdResponse.self, from: answer.body)
                try await site.call(ad.tracker.view)
                let bill = "bill/buyer?p=1&i=\(try #require(ad.ext?.impressionID))"
                try await site.advanceClock { buyers.noticeDeviceAddresses[bill] != nil }
                #expect(buyers.noticeDeviceAddresses[bill] == address)
                let condition = "kind = 'burl' AND id LIKE '\(bill.suffix(36))%'"
                try await site.advanceClock {
                    try await site.count("ad_notices", where: "\(condition) AND state = 'acknowledged'") == 1
                }
                #expect(try await site.count("ad_notices", where: "\(condition) AND device_ip <> ''") == 0)
                #expect(buyers.requests(to: "buyer").last?.device?.ip == address)
            }
        }
    }

    @Test func `a buyer that does not answer delays no notice to others`() async throws {
        try await AdSite.run { site in
            let buyers = site.buyers, gate = site.gate, port = site.app.port
            defer { gate.open() }
            var units: [String: AdUnit] = [:]
            for name in ["stuck", "quick"] {
                var buyer = try await site.bidder(name, 1_000_000) {
                    $0.winURL = "http://127.0.0.1:\(port)/test/notice/\(name)/${AUCTION_ID}"
                }
                let unit = try await site.unit()
                buyer.unitIDs = [unit.id]
                try await site.records.save(site.environmentID, buyer)
                units[name] = unit
            }
            let held = NIOLockedValueBox<Set<String>>([])
            buyers.refuseNotices { notice in
                guard notice.hasPrefix("stuck/") else { return false }
                held.withLockedValue { _ = $0.insert(notice) }
                await gate.wait()
                return false
            }
            func ask(_ name: String) async throws -> String {
                let unit = try #require(units[name])
                let ad = try #require(try await site.requestAd(unit))
                return try #require(ad.ext?.impressionID)
            }
            // On a busy machine, the first call may time out before the second is made. Then the test repeats both.
            var isFree = false
            while !isFree {
                let stuck = try await ask("stuck")
                try await site.advanceClock { held.withLockedValue { $0.contains("stuck/\(stuck)") } }
                let quick = try await ask("quick")
                try await site.advanceClock { buyers.notices.contains("quick/\(quick)") }
                let unanswered = "impression_id = '\(stuck)' AND last_answer IS NULL"
                isFree = try await site.count("ad_notices", where: unanswered) == 1
            }
        }
    }

    /// Returns the sum of the ledger, and the sums of its bills by state.
    private func bills(_ site: AdSite) async throws -> (total: Int64, states: [String: Int64]) {
        try await site.database.read { connection in
            let rows = try connection.rows(
                """
                SELECT state, CAST(SUM(amount_nanos) AS BIGINT) AS sum FROM ad_notices
                WHERE kind = 'burl' GROUP BY state
                """)
            let total = try connection.row(
                "SELECT CAST(COALESCE(SUM(amount_nanos), 0) AS BIGINT) AS sum FROM ad_ledger")
            return (
                try total?.int64("sum") ?? 0,
                Dictionary(try rows.map { (try $0.text("state"), try $0.int64("sum")) }) { $0 + $1 }
            )
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `billed amounts are acknowledged or outstanding, exact to the nano`(_ engine: SQLEngine) async throws
    {
        try await AdSite.run(engine) { site in
            let unit = try await site.unit { $0.priceRule = .second }
            try await site.bidder("a", 1_234_567)
            try await site.bidder("b", 1_111_111)
            let buyers = site.buyers
            var ids: [String] = []
            buyers.refuseNotices { $0.hasPrefix("bill/") }
            for _ in 0..<12 {
                let ad = try #require(try await site.requestAd(unit))
                ids.append(try #require(ad.ext?.impressionID))
                try await site.call(ad.tracker.view)
            }
            try await site.advanceClock { buyers.refusedNotices.count == 12 }
            #expect(try await bills(site) == (12 * 1_111_111, ["waiting": 12 * 1_111_111]))
            let stubborn = ids.prefix(5)
            buyers.refuseNotices { notice in stubborn.contains { notice.hasSuffix("i=\($0)") } }
            try await site.advanceClock {
                let (total, states) = try await bills(site)
                #expect(total == 12 * 1_111_111 && states.values.reduce(0, +) == total)
                return states["acknowledged"] == 7 * 1_111_111
            }
            #expect(try await bills(site).states["waiting"] == 5 * 1_111_111)
            let winner = try #require(
                try await site.records.list(site.environmentID, as: AdBidder.self).first {
                    $0.record.name == "a"
                })
            #expect(
                try await site.ads.reports.bills(site.environmentID) == [
                    winner.record.id: [.acknowledged: 7 * 1_111_111, .waiting: 5 * 1_111_111]
                ])
            #expect(try await site.ads.reports.bills("other").isEmpty)
            buyers.refuseNotices { _ in false }
            try await site.advanceClock { try await bills(site).states["acknowledged"] == 12 * 1_111_111 }
            #expect(try await bills(site) == (12 * 1_111_111, ["acknowledged": 12 * 1_111_111]))
        }
    }
}
