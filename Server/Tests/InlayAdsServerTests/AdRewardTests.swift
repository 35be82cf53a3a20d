import Crypto
import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayAdsServer
@testable import InlayServerCore
@testable import InlayServerTesting

@Suite(.timeLimit(.minutes(3))) struct AdRewardTests {
    private struct Keys: Decodable {
        struct Key: Decodable { let id: String, algorithm: String, key: String }

        let keys: [Key]
    }

    /// Returns the published keys by their ids.
    private func keys(_ site: AdSite) async throws -> [String: String] {
        let answer = try await site.app.send("GET", "/ads/reward-keys")
        let page = try JSONDecoder().decode(Keys.self, from: answer.body)
        #expect(page.keys.allSatisfy { $0.algorithm == "Ed25519" })
        return Dictionary(page.keys.map { ($0.id, $0.key) }) { first, _ in first }
    }

    /// Shows one ad to its end and returns the query that the app's server got.
    private func earn(_ site: AdSite, _ unit: AdUnit, calls count: Int) async throws -> (AdResponse, String) {
        let ad = try #require(try await site.requestAd(unit))
        try await site.call(ad.tracker.view)
        site.app.clock.advance(by: .seconds(6))
        try await site.call(try #require(ad.ext?.events?["complete"]))
        try await site.call(try #require(ad.ext?.events?["reward"]))
        let buyers = site.buyers
        try await site.advanceClock { Set(buyers.notices).count >= count }
        let id = try #require(ad.ext?.impressionID)
        let call = try #require(buyers.notices.first { $0.contains(id) })
        return (ad, String(call.drop { $0 != "?" }.dropFirst()))
    }

    @Test(arguments: SQLEngine.allCases)
    func `the app's server receives a reward once, signed so that anybody can check it`(_ engine: SQLEngine)
        async throws
    {
        try await AdSite.run(engine) { site in
            let port = site.app.port
            let unit = try await site.unit(.rewarded) {
                $0.reward = .init(
                    amount: 7, currency: "gold & silver",
                    callbackURL: "http://127.0.0.1:\(port)/test/notice/reward?app=1", needsUser: false)
            }
            try await site.campaign(.rewarded)
            let (ad, query) = try await earn(site, unit, calls: 1)
            let known = try await keys(site)
            #expect(AdRewardCheck.isGenuine(query: query, keys: known))
            let fields = Dictionary(
                query.split(separator: "&").map { pair in
                    let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    return (String(parts[0]), String(parts[1]).removingPercentEncoding ?? "")
                }
            ) { first, _ in first }
            #expect(fields["app"] == "1" && fields["reward_amount"] == "7")
            #expect(fields["reward_currency"] == "gold & silver" && fields["ad_unit"] == unit.id.rawValue)
            #expect(fields["transaction_id"] == ad.ext?.impressionID)
            for changed in [
                query.replacing("amount=7", with: "amount=9"), "x=1&" + query,
                query.replacing("&signature=", with: "&user_id=eve&signature="), String(query.dropLast(2)),
            ] {
                #expect(!AdRewardCheck.isGenuine(query: changed, keys: known))
            }
            // A replay of the tracker earns nothing.
            #expect(
                try await site.ads.booking.book(
                    site.token(try #require(ad.ext?.events?["reward"]))) == .refused(.duplicate))
            #expect(try await site.count("ad_notices", where: "kind = 'reward'") == 1)
        }
    }

    @Test func `a callback URL that is partly percent-encoded is signed in the form in which it is called`()
        async throws
    {
        try await AdSite.run { site in
            let address = "http://127.0.0.1:\(site.app.port)/test/notice/reward?a=%20x&z={b}|1 c"
            let unit = try await site.unit(.rewarded) {
                $0.reward = .init(amount: 1, currency: "coins", callbackURL: address, needsUser: false)
            }
            try await site.campaign(.rewarded)
            let (_, query) = try await earn(site, unit, calls: 1)
            let known = try await keys(site)
            #expect(query.hasPrefix("a=%20x&z=%7Bb%7D%7C1%20c&ad_unit="), "\(query)")
            #expect(AdRewardCheck.isGenuine(query: query, keys: known))
        }
    }

    @Test(arguments: ["ad_unit=x", "a=1&USER_ID=eve", "signature=s", "ad%5Funit=x", "ad%5Funit=x&a={b}"])
    func `a callback URL cannot have the parameters of the signed call`(_ query: String) {
        let reward = AdUnit.Reward(
            amount: 1, currency: "coins", callbackURL: "https://app.example/reward?\(query)")
        let unit = AdUnit(appID: .make(), name: "U", format: .rewarded, reward: reward)
        #expect(throws: FieldErrors.self) { try unit.checked() }
    }

    @Test(arguments: ["https://[x]/", "https://[x]/?ad_unit=x"])
    func `an address whose host no URL can have is not saved`(_ address: String) {
        let reward = AdUnit.Reward(amount: 1, currency: "coins", callbackURL: address)
        let unit = AdUnit(appID: .make(), name: "U", format: .rewarded, reward: reward)
        let fault = #expect(throws: FieldErrors.self) { try unit.checked() }
        #expect(fault?.messages(for: "callbackURL").first?.contains("without a host") == true)
        let bidder = AdBidder(name: "Buyer", endpoint: address)
        #expect(throws: FieldErrors.self) { try bidder.checked() }
    }

    @Test func `keys rotate, and calls signed with the old key can still be verified`() async throws {
        try await AdSite.run { site in
            let port = site.app.port
            let unit = try await site.unit(.rewarded) {
                $0.reward = .init(
                    amount: 1, currency: "coins", callbackURL: "http://127.0.0.1:\(port)/test/notice/reward",
                    needsUser: false)
            }
            try await site.campaign(.rewarded)
            let (_, old) = try await earn(site, unit, calls: 1)
            try await site.ads.keys.rotate(site.environmentID)
            let (_, new) = try await earn(site, unit, calls: 2)
            let known = try await keys(site)
            #expect(known.count == 2)
            for query in [old, new] { #expect(AdRewardCheck.isGenuine(query: query, keys: known)) }
            site.app.clock.advance(by: .seconds(8 * 86_400))
            let later = try await keys(site)
            #expect(later.count == 1 && !AdRewardCheck.isGenuine(query: old, keys: later))
            #expect(AdRewardCheck.isGenuine(query: new, keys: later))
        }
    }

    @Test func `an app's server that fails is notified again, with the same transaction`() async throws {
        try await AdSite.run { site in
            let port = site.app.port
            let unit = try await site.unit(.rewarded) {
                $0.reward = .init(
                    amount: 1, currency: "coins", callbackURL: "http://127.0.0.1:\(port)/test/notice/reward",
                    needsUser: false)
            }
            try await site.campaign(.rewarded)
            let buyers = site.buyers
            buyers.refuseNotices { _ in true }
            let ad = try #require(try await site.requestAd(unit))
            try await site.call(ad.tracker.view)
            site.app.clock.advance(by: .seconds(6))
            try await site.call(try #require(ad.ext?.events?["complete"]))
            try await site.call(try #require(ad.ext?.events?["reward"]))
            try await site.advanceClock { !buyers.refusedNotices.isEmpty }
            buyers.refuseNotices { _ in false }
            try await site.advanceClock { !buyers.notices.isEmpty }
            #expect(Set(buyers.notices) == buyers.refusedNotices && buyers.refusedNotices.count == 1)
            #expect(buyers.notices[0].contains("transaction_id=\(try #require(ad.ext?.impressionID))"))
        }
    }

    @Test func `private keys are not readable in the database`() async throws {
        try await AdSite.run { site in
            let key = try await site.ads.keys.current(site.environmentID, .reward)
            let sealed = try await site.database.read {
                try $0.row("SELECT sealed FROM ad_keys WHERE purpose = 'reward'")?.blob("sealed")
            }
            #expect(try #require(sealed).range(of: key.secret) == nil)
        }
    }
}
