import Crypto
import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayAdsServer
@testable import InlayServerCore
@testable import InlayServerTesting

@Suite(.timeLimit(.minutes(3))) struct AdTrackerTests {
    @Test(arguments: SQLEngine.allCases)
    func `a view is booked once with its price, and a click after it`(_ engine: SQLEngine) async throws {
        try await AdSite.run(engine) { site in
            let unit = try await site.unit()
            try await site.campaign()
            let ad = try #require(try await site.requestAd(unit))
            #expect(try await site.ledger().isEmpty)
            #expect(try await site.call(ad.tracker.view) == 204)
            #expect(try await site.ledger() == ["view 2500000"])
            site.app.clock.advance(by: .seconds(1))
            #expect(try await site.call(ad.tracker.click) == 204)
            #expect(try await site.call(ad.tracker.view) == 204)
            #expect(try await site.call(ad.tracker.click) == 204)
            #expect(try await site.ledger() == ["view 2500000", "click 0"])
            #expect(try await site.refused() == ["copy": 2])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a hundred copies at once are booked once`(_ engine: SQLEngine) async throws {
        try await AdSite.run(engine) { site in
            let unit = try await site.unit()
            try await site.campaign { $0.budgetMicros = 1_000_000 }
            let ad = try #require(try await site.requestAd(unit))
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<100 { group.addTask { try await site.call(ad.tracker.view) } }
                return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            }
            #expect(statuses == [204: 100])
            #expect(try await site.ledger() == ["view 2500000"])
            #expect(try await site.refused() == ["copy": 99])
        }
    }

    @Test func `no click, quartile, end or reward is booked before the view`() async throws {
        try await AdSite.run { site in
            let unit = try await site.unit(.rewarded)
            try await site.campaign(.rewarded)
            let ad = try #require(try await site.requestAd(unit))
            let events = try #require(ad.ext?.events)
            let later =
                ["firstQuartile", "complete", "reward"].compactMap { events[$0] } + [ad.tracker.click]
            for tracker in later { #expect(try await site.call(tracker) == 204) }
            #expect(try await site.ledger().isEmpty)
            #expect(try await site.refused() == ["before-view": 4])
            try await site.call(ad.tracker.view)
            site.app.clock.advance(by: .seconds(6))
            for tracker in later { try await site.call(tracker) }
            #expect(
                Set(try await site.ledger()) == [
                    "view 2500000", "firstQuartile 0", "complete 0", "reward 0", "click 0",
                ])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an error of an ad that was never seen is booked with its number`(_ engine: SQLEngine) async throws {
        try await AdSite.run(engine) { site in
            let unit = try await site.unit(.video)
            try await site.campaign(.video)
            let ad = try #require(try await site.requestAd(unit))
            let error = try #require(ad.ext?.events?["error"])
            #expect(try await site.call(error.replacing("[ERRORCODE]", with: "40%003")) == 204)
            #expect(try await site.ledger() == ["error 0"])
            #expect(try await site.refused().isEmpty)
            #expect(try await site.count("ad_ledger", where: "detail = '403'") == 1)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a reward is booked only after the end of its video`(_ engine: SQLEngine) async throws {
        try await AdSite.run(engine) { site in
            let unit = try await site.unit(.rewarded) {
                $0.reward = .init(
                    amount: 1, currency: "coins", callbackURL: "https://app.example/reward", needsUser: false)
            }
            try await site.campaign(.rewarded)
            let ad = try #require(try await site.requestAd(unit))
            let events = try #require(ad.ext?.events)
            let reward = site.token(try #require(events["reward"]))
            try await site.call(ad.tracker.view)
            site.app.clock.advance(by: .seconds(6))
            for name in ["start", "firstQuartile", "midpoint", "thirdQuartile", "skip", "close"] {
                try await site.call(try #require(events[name]))
                #expect(try await site.ads.booking.book(reward) == .refused(.beforeComplete), "\(name)")
            }
            #expect(try await site.refused() == ["before-complete": 6])
            #expect(try await site.count("ad_notices") == 0)
            #expect(try await site.call(try #require(events["reward"])) == 204)
            try await site.call(try #require(events["complete"]))
            #expect(try await site.ads.booking.book(reward) == .booked)
            #expect(try await site.count("ad_notices", where: "kind = 'reward'") == 1)
            #expect(try await site.ads.booking.book(reward) == .refused(.duplicate))
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a click sooner than a person can react is refused`(_ engine: SQLEngine) async throws {
        try await AdSite.run(engine) { site in
            let unit = try await site.unit()
            try await site.campaign()
            let ad = try #require(try await site.requestAd(unit))
            try await site.call(ad.tracker.view)
            site.app.clock.advance(by: .milliseconds(199))
            #expect(try await site.call(ad.tracker.click) == 204)
            #expect(try await site.ledger() == ["view 2500000"])
            #expect(try await site.refused() == ["too-soon": 1])
            site.app.clock.advance(by: .milliseconds(1))
            #expect(try await site.call(ad.tracker.click) == 204)
            #expect(try await site.ledger() == ["view 2500000", "click 0"])
        }
    }

    @Test func `a view and a click that waited in an outbox and come together are both booked`() async throws
    {
        try await AdSite.run { site in
            let unit = try await site.unit()
            try await site.campaign()
            let ad = try #require(try await site.requestAd(unit))
            site.app.clock.advance(by: .seconds(3_600))
            try await site.call(ad.tracker.view)
            try await site.call(ad.tracker.click)
            #expect(Set(try await site.ledger()) == ["view 2500000", "click 0"])
            #expect(try await site.refused().isEmpty)
        }
    }

    @Test func `every flipped bit of a token is refused, and answered like a good one`() async throws {
        try await AdSite.run { site in
            let unit = try await site.unit()
            try await site.campaign()
            let ad = try #require(try await site.requestAd(unit))
            let token = site.token(ad.tracker.view)
            let good = try #require(AdTrackerToken.read(token))
            for bit in 0..<(good.bytes.count * 8) {
                var bytes = good.bytes
                bytes[bit / 8] ^= 1 << (bit % 8)
                let outcome = try await site.ads.booking.book(Secret.base64URL(bytes))
                #expect(outcome != .booked, "bit \(bit)")
            }
            for text in ["", "x", token + "A", String(token.dropLast()), token.uppercased(), "../\(token)"] {
                #expect(try await site.ads.booking.book(text) != .booked)
            }
            // Some bits of the last letter belong to no byte. A token that differs only in them is refused too.
            let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
            for letter in letters where letter != token.last {
                #expect(
                    try await site.ads.booking.book(token.dropLast() + String(letter))
                        != .booked)
            }
            #expect(try await site.app.send("GET", "/ads/t/\(token.reversed())").status == 204)
            #expect(try await site.app.send("GET", "/ads/t/%00").status == 204)
            #expect(try await site.ledger().isEmpty)
            #expect(try await site.count("ad_refusals", where: "impression_id <> ''") == 0)
            #expect(try await site.ads.booking.book(token) == .booked)
        }
    }

    @Test func `a token is valid until its end, whatever the device's clock says`() async throws {
        try await AdSite.run { site in
            let unit = try await site.unit()
            try await site.campaign()
            let first = try #require(try await site.requestAd(unit))
            let second = try #require(try await site.requestAd(unit))
            let end = try #require(AdTrackerToken.read(site.token(first.tracker.view))).token.endsAt
            site.app.clock.advance(by: end - site.app.clock.now)
            #expect(try await site.ads.booking.book(site.token(first.tracker.view)) == .booked)
            site.app.clock.advance(by: .seconds(1))
            #expect(
                try await site.ads.booking.book(site.token(second.tracker.view)) == .refused(.expired))
        }
    }

    @Test func `a retired key is accepted until its end`() async throws {
        try await AdSite.run { site in
            let unit = try await site.unit()
            try await site.campaign()
            let old = try #require(try await site.requestAd(unit))
            try await site.ads.keys.rotate(site.environmentID)
            let new = try #require(try await site.requestAd(unit))
            let keyIDs = try [old, new].map {
                try #require(AdTrackerToken.read(site.token($0.tracker.view))).token.keyID
            }
            #expect(keyIDs[0] != keyIDs[1])
            #expect(try await site.ads.booking.book(site.token(old.tracker.view)) == .booked)
            // A replay is refused as a copy, also after the rotation.
            #expect(try await site.ads.booking.book(site.token(old.tracker.view)) == .refused(.duplicate))
            #expect(try await site.ads.booking.book(site.token(new.tracker.view)) == .booked)
            site.app.clock.advance(by: .seconds(3 * 86_400))
            #expect(
                try await site.ads.booking.book(site.token(old.tracker.click)) == .refused(.unknownKey))
        }
    }

    @Test func `leaked keys are replaced at once, and one process's rotation reaches another`() async throws {
        try await AdSite.run { site in
            let unit = try await site.unit()
            try await site.campaign()
            let old = try #require(try await site.requestAd(unit))
            // The command line runs in another process, and a server on SQLite is not notified of its writes.
            let server = site.app.server.features.ads.keys, now = site.app.clock
            let command = AdKeyStore(
                database: site.database,
                box: SecretBox(file: site.app.services.configuration.contentSecretPath)
            ) { now.now }
            let signing = try await server.current(site.environmentID, .tracker)
            try await site.database.write { connection in
                try connection.execute(
                    "UPDATE ad_keys SET ends_at = ?, retires_at = ?", [.moment(now.now), .moment(now.now)])
            }
            #expect(try await server.current(site.environmentID, .tracker).id == signing.id)
            now.advance(by: .seconds(60))
            #expect(try await server.current(site.environmentID, .tracker).id != signing.id)
            #expect(
                try await site.ads.booking.book(site.token(old.tracker.view)) == .refused(.unknownKey))

            let new = try #require(try await site.requestAd(unit))
            try await command.rotate(site.environmentID)
            #expect(try await command.list(site.environmentID).allSatisfy { $0.retiresAt == now.now })
            #expect(try await !command.list(site.environmentID).isEmpty)
            try await command.rotate(site.environmentID, overlap: false)
            #expect(try await command.list(site.environmentID).isEmpty, "those that had retired too")
            now.advance(by: .seconds(60))
            #expect(
                try await site.ads.booking.book(site.token(new.tracker.view)) == .refused(.unknownKey))
            #expect(try await site.requestAd(unit) != nil)
        }
    }

    @Test func `a key of one environment signs nothing for another`() async throws {
        try await AdSite.run { site in
            let unit = try await site.unit()
            try await site.campaign()
            let ad = try #require(try await site.requestAd(unit))
            let impressionID = AdImpressionID(try #require(ad.ext?.impressionID))
            let other = try await AdSite.make(site.app, "other")
            let foreign = try await other.ads.keys.current("other", .tracker)
            let forged = AdTrackerToken.text(
                impressionID, .view, until: site.app.clock.now + .seconds(60), foreign)
            #expect(try await site.ads.booking.book(forged) == .refused(.unknownImpression))
            let reward = try await site.ads.keys.current(site.environmentID, .reward)
            let wrong = AdTrackerToken.text(
                impressionID, .view, until: site.app.clock.now + .seconds(60), reward)
            #expect(try await site.ads.booking.book(wrong) == .refused(.unknownKey))
            #expect(try await site.ledger().isEmpty)
        }
    }

    @Test func `the tag is HMAC-SHA-256 over everything before it, cut to 128 bits`() throws {
        let key = AdKey(
            environmentID: "e", id: "00112233aabb", purpose: .tracker, secret: Data(repeating: 7, count: 32),
            createdAt: Timestamp(microseconds: 0), retiresAt: Timestamp(microseconds: 0),
            endsAt: Timestamp(microseconds: 0))
        let id: AdImpressionID = "0198c0de-0000-7000-8000-00000000beef"
        let text = AdTrackerToken.text(id, .click, until: Timestamp(seconds: 1_800_000_000), key)
        let (token, bytes) = try #require(AdTrackerToken.read(text))
        #expect(token.impressionID == id && token.event == .click && token.keyID == key.id)
        #expect(token.endsAt == Timestamp(seconds: 1_800_000_000))
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("inlay ad tracker".utf8) + bytes.prefix(28), using: SymmetricKey(data: key.secret))
        #expect(Array(code.prefix(16)) == Array(bytes.suffix(16)))
        #expect(AdTrackerToken.isSigned(bytes, by: key))
    }
}
