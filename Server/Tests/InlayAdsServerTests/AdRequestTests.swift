import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import NIOCore
import Testing

@testable import InlayAdsServer
@testable import InlayServerTesting

@Suite(.timeLimit(.minutes(5))) struct AdRequestTests {
    @Test(arguments: SQLEngine.allCases)
    func `a documented request for a unit with a campaign gets the documented answer and nothing more`(
        _ engine: SQLEngine
    ) async throws {
        try await AdSite.run(engine) { site in
            let unit = try await site.unit()
            try await site.campaign()
            let answer = try await site.app.sendJSON("POST", "/ads/request", site.body(unit))
            #expect(answer.status == 200 && answer.headers["content-type"] == "application/json")
            #expect(answer.headers["cache-control"] == "no-store")
            let fields = try #require(
                try JSONSerialization.jsonObject(with: answer.body) as? [String: Any])
            #expect(
                Set(fields.keys) == ["type", "adm", "closeTimeout", "width", "height", "tracker"])
            #expect(fields["type"] as? Int == 1 && fields["closeTimeout"] as? Int == 2_000)
            #expect(fields["width"] as? Int == 320 && fields["height"] as? Int == 50)
            #expect(fields["adm"] as? String == "<p>Sail & \"go\"</p>")
            let tracker = try #require(fields["tracker"] as? [String: String])
            #expect(Set(tracker.keys) == ["view", "click"])
            for address in tracker.values {
                #expect(address.hasPrefix("http://127.0.0.1:\(site.app.port)/ads/t/"))
                #expect(!address.contains("2500000") && !address.contains("2.5"))
            }
        }
    }

    @Test func `each format has its documented type, and its trackers`() async throws {
        try await AdSite.run { site in
            for format in AdFormat.allCases { try await site.campaign(format) }
            for (format, type) in [
                (AdFormat.banner, AdType.banner), (.interstitial, .banner), (.video, .video),
                (.rewarded, .rewarded),
            ] {
                let unit = try await site.unit(format)
                let answer = try #require(try await site.requestAd(unit))
                #expect(answer.type == type && answer.ext?.format == format)
                #expect(answer.ext?.impressionID?.count == 36)
                #expect(answer.ext?.expiresIn == (format == .banner ? 300 : 1_800))
                #expect(answer.ext?.reward?.amount == (format == .rewarded ? 5 : nil))
                #expect((answer.ext?.events?["reward"] != nil) == (format == .rewarded))
                #expect((answer.ext?.events?["complete"] != nil) == format.isVideo)
                #expect(answer.ext?.events?["error"]?.hasSuffix("?code=[ERRORCODE]") == true)
            }
        }
    }

    @Test func `frames of other sites are off by default, and the response says if the unit allows them`()
        async throws
    {
        try await AdSite.run { site in
            try await site.campaign()
            let usual = try await site.unit(), open = try await site.unit { $0.allowsFrames = true }
            #expect(try await site.requestAd(usual)?.ext?.frames == nil)
            #expect(try await site.requestAd(open)?.ext?.frames == true)
            let kept = try await site.records.find(site.environmentID, open.id, as: AdUnit.self)?.record
            #expect(kept?.allowsFrames == true)
        }
    }

    @Test func `a unit that was stored without the setting allows no frames`() throws {
        let unit = AdUnit(appID: .make(), name: "Old", format: .banner, allowsFrames: true)
        var fields = try JSONDecoder().decode([String: JSONValue].self, from: JSONEncoder().encode(unit))
        #expect(fields.removeValue(forKey: "frames") == true)
        let old = try JSONDecoder().decode(AdUnit.self, from: JSONEncoder().encode(fields))
        #expect(!old.allowsFrames && old.allowsMRAID && old.id == unit.id)
        #expect(try unit.checked().allowsFrames)
    }

    @Test func `a request for an unknown, disabled or foreign unit is refused in the same words`()
        async throws
    {
        try await AdSite.run { site in
            let unit = try await site.unit()
            try await site.campaign()
            let off = try await site.unit { $0.isEnabled = false }
            let other = try await AdSite.make(site.app, "other")
            let foreign = try await other.unit()
            let bodies = [
                site.body(unit, pubID: UUID().uuidString),
                site.body(unit, pubID: other.publisher.id.rawValue),
                site.body(off), site.body(foreign),
                site.body(unit).replacing(unit.id.rawValue, with: UUID().uuidString),
            ]
            var answers: Set<Problem> = []
            for body in bodies {
                let answer = try await site.app.sendJSON("POST", "/ads/request", body)
                #expect(answer.status == 404)
                #expect(try answer.code == "unknown-unit")
                answers.insert(try answer.problem)
            }
            #expect(answers.count == 1)
            #expect(try await site.count("ad_impressions") == 0)
            #expect(try await site.app.sendJSON("POST", "/ads/request", site.body(unit)).status == 200)

            var publisher = site.publisher
            publisher.isEnabled = false
            try await site.records.save(site.environmentID, publisher)
            #expect(try await site.app.sendJSON("POST", "/ads/request", site.body(unit)).status == 404)
        }
    }

    @Test func `a body that is not a request is refused before an auction`() async throws {
        try await AdSite.run { site in
            let unit = try await site.unit()
            try await site.campaign()
            let good = site.body(unit)
            let cases: [(String, Int, String)] = [
                ("", 400, "malformed-body"), ("[]", 400, "malformed-body"), ("{}", 400, "malformed-body"),
                (good.replacing("\"ifa\":\"\"", with: "\"ifa\":7"), 400, "malformed-body"),
                (good.replacing(unit.id.rawValue, with: "unit"), 422, "invalid-value"),
                (good.replacing(site.publisher.id.rawValue, with: ""), 422, "invalid-value"),
                (
                    good.replacing("null", with: #"{"latitude":91,"longitude":0,"precision":1}"#), 422,
                    "invalid-value"
                ),
                (
                    good.replacing("null", with: #"{"latitude":1,"longitude":0,"precision":-1}"#), 422,
                    "invalid-value"
                ),
                (
                    good.replacing("UA-1", with: String(repeating: "x", count: 1_025)), 422,
                    "invalid-value"
                ),
                (good.replacing("UA-1", with: "UA\u{7F}"), 422, "invalid-value"),
                (
                    good.replacing("UA-1", with: String(repeating: "x", count: AdLimits.maximumRequestBytes)),
                    413,
                    "body-too-large"
                ),
            ]
            for path in ["/ads/request", "/v1/ads/request"] {
                for (body, status, code) in cases {
                    let answer = try await site.app.sendJSON("POST", path, body)
                    #expect(answer.status == status, "\(body.prefix(80))")
                    #expect(try answer.code == code)
                }
                let text = try await site.app.send(
                    "POST", path, headers: ["Content-Type": "text/plain"],
                    body: .bytes(ByteBuffer(string: good)))
                #expect(try text.code == "unsupported-media-type")
            }
            #expect(try await site.count("ad_impressions") == 0)
        }
    }

    @Test func `an unreadable request is refused with the field's path, in the words of every other route`()
        async throws
    {
        try await AdSite.run { site in
            let good = site.body(try await site.unit())
            for (body, detail) in [
                ("[]", "The field (body) has another type."), ("{}", "The field pubID is missing."),
                (good + "x", "It is not valid JSON."), (String(good.dropLast()), "It is not valid JSON."),
                (good.replacing("\"ifa\":\"\"", with: "\"ifa\":7"), "The field ifa has another type."),
                (good.replacing("null", with: "{\"latitude\":1}"), "The field geo.longitude is missing."),
                (
                    good.replacing("null", with: "{\"latitude\":\"1\"}"),
                    "The field geo.latitude has another type."
                ),
            ] {
                for path in ["/ads/request", "/v1/ads/request"] {
                    let answer = try await site.app.sendJSON("POST", path, body)
                    #expect(answer.status == 400)
                    #expect(try answer.problem.detail == detail)
                    do {
                        _ = try JSONDecoder().decode(AdRequest.self, from: Data(body.utf8))
                        Issue.record("Foundation's decoder reads \(body)")
                    } catch {}
                }
            }
        }
    }

    @Test func `nothing to show is an empty answer, and units of one environment show nothing of another`()
        async throws
    {
        try await AdSite.run { site in
            let unit = try await site.unit()
            let other = try await AdSite.make(site.app, "other")
            try await other.campaign()
            let answer = try await site.app.sendJSON("POST", "/ads/request", site.body(unit))
            #expect(answer.status == 204 && answer.body.isEmpty)
            try await site.campaign(.video)
            #expect(try await site.requestAd(unit) == nil)
            try await site.campaign { $0.unitIDs = [AdUnitID(UUID().uuidString)] }
            #expect(try await site.requestAd(unit) == nil)
            try await site.campaign { $0.unitIDs = [unit.id] }
            #expect(try await site.requestAd(unit) != nil)
        }
    }

    @Test func `a forwarded address counts only behind a proxy that is trusted`() async throws {
        for trusts in [true, false] {
            try await AdSite.run(configure: { $0.trustsProxy = trusts }) { site in
                let unit = try await site.unit()
                try await site.campaign()
                let answer = try await site.app.sendJSON(
                    "POST", "/ads/request", headers: ["X-Forwarded-For": "203.0.113.9, 198.51.100.7"],
                    site.body(unit))
                #expect(answer.status == 200)
                let address = try await site.database.read {
                    try $0.row("SELECT device_ip FROM ad_impressions")?.text("device_ip")
                }
                #expect(address == (trusts ? "198.51.100.7" : "127.0.0.1"))
            }
        }
    }

    @Test func `the requests of a unit and of a person are limited per second`() async throws {
        try await AdSite.run(configure: {
            $0.rates.perKey = 2
            $0.rates.perUser = 1
        }) { site in
            let unit = try await site.unit()
            var statuses: [Int] = []
            for _ in 0..<10 {
                statuses.append(try await site.app.sendJSON("POST", "/ads/request", site.body(unit)).status)
            }
            #expect(statuses == [204, 204, 204, 204, 204, 204, 204, 204, 429, 429])
            let second = try await site.unit()
            statuses = []
            for _ in 0..<5 {
                let body = site.body(second, ifa: "6D92078A-8246-4BA4-AE5B-76104861E7DC")
                statuses.append(try await site.app.sendJSON("POST", "/ads/request", body).status)
            }
            #expect(statuses == [204, 204, 204, 204, 429])
        }
    }
}
