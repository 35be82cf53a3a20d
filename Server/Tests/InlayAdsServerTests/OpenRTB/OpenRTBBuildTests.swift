import Foundation
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayOpenRTB

@Suite struct OpenRTBBuildTests {
    private func json(_ request: OpenRTB.BidRequest) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(request.json))
    }

    @Test func `a request has no site, and an app with name and bundle in its place`() throws {
        let json = try json(OpenRTBSamples.request())
        guard case .object(let members) = json else { return #expect(Bool(false)) }
        #expect(members["site"] == nil)
        guard case .object = members["app"] else { return #expect(Bool(false)) }
        #expect(json["app"]?["name"] == "Demo shop")
        #expect(json["app"]?["bundle"] == "com.example.demo")
    }

    @Test func `a template's site is replaced with the app's name and bundle`() throws {
        let template = """
            {"id": "t", "imp": [{"id": "1", "banner": {"w": 320, "h": 50}}], "dooh": {"id": "d"},
             "site": {"page": "https://x.test"}, "app": {"name": "Old", "cat": ["IAB1"]}}
            """
        let request = try RTBDocument<OpenRTB.BidRequest>(reading: Array(template.utf8)).object
            .prepared(for: OpenRTBSamples.adRequest, supply: OpenRTBSamples.supply())
        let json = try json(request)
        guard case .object(let members) = json else { return #expect(Bool(false)) }
        #expect(members["site"] == nil && members["dooh"] == nil)
        #expect(json["app"] == ["name": "Demo shop", "bundle": "com.example.demo", "cat": ["IAB1"]])
    }

    @Test func `the documented request is mapped field by field`() throws {
        let json = try json(OpenRTBSamples.request())
        let impression = OpenRTBSamples.request().impressions[0]
        #expect(json["app"]?["publisher"]?["id"]?.string == OpenRTBSamples.adRequest.pubID)
        #expect(impression.tagID == OpenRTBSamples.adRequest.unitID)
        #expect(json["device"]?["ifa"]?.string == OpenRTBSamples.adRequest.ifa)
        #expect(json["device"]?["lmt"] == 0)
        #expect(json["device"]?["ua"] == "Mozilla/5.0 (iPhone)")
        #expect(json["device"]?["ip"] == "203.0.113.77")
        #expect(
            json["device"]?["geo"] == [
                "lat": 55.751244, "lon": 37.618423, "type": 1, "accuracy": 25,
            ])
        #expect(impression.floorMicros == 500_000 && impression.isSecure == 1)
        #expect(json["tmax"] == 300 && json["at"] == 1 && json["cur"] == ["USD"])
        #expect(json["source"]?["schain"]?["nodes"] != nil)
    }

    @Test func `a request passes its own check`() {
        for format in AdFormat.allCases {
            let request = OpenRTBSamples.request(format)
            #expect(OpenRTB.RequestCheck.faults(request) == [], "\(format)")
        }
    }

    @Test func `the unit decides banner or video, full screen and reward`() {
        let banner = OpenRTBSamples.request(.banner).impressions[0]
        #expect(banner.banner?.width == 320 && banner.video == nil && banner.isInterstitial == 0)
        let interstitial = OpenRTBSamples.request(.interstitial).impressions[0]
        #expect(interstitial.banner?.position == 7 && interstitial.isInterstitial == 1)
        let video = OpenRTBSamples.request(.video) { $0.skipAfterSeconds = 5 }.impressions[0]
        #expect(video.video?.isSkippable == 1 && video.video?.skipAfterSeconds == 5 && video.banner == nil)
        #expect(video.isRewarded == nil)
        let rewarded = OpenRTBSamples.request(.rewarded) { $0.skipAfterSeconds = 5 }.impressions[0]
        #expect(rewarded.isRewarded == 1 && rewarded.video?.isSkippable == 0)
    }

    @Test func `bidders receive whether a banner may be a frame of another site`() {
        let closed = OpenRTBSamples.request(.banner)
        #expect(closed.impressions[0].banner?.blockedTypes == [4])
        #expect(String(decoding: closed.json, as: UTF8.self).contains("\"btype\":[4]"))
        let open = OpenRTBSamples.request(.interstitial) { $0.allowsFrames = true }
        #expect(open.impressions[0].banner?.blockedTypes == nil)
    }

    @Test func `the same input is the same bytes`() {
        let all = (0..<20).map { _ in
            OpenRTBSamples.request(.video, consent: AdConsent(gpp: "DBAA", gppSids: [6])).json
        }
        #expect(Set(all).count == 1)
    }

    @Test(arguments: ["", "00000000-0000-0000-0000-000000000000", "0"])
    func `an empty or zero advertising id is left out, and tracking is limited`(_ ifa: String) {
        var request = OpenRTBSamples.adRequest
        request.ifa = ifa
        let built = OpenRTB.BidRequest(
            id: "a", for: request, supply: OpenRTBSamples.supply(), consent: OpenRTB.Consent())
        #expect(built.device?.advertisingID == nil && built.device?.limitsTracking == 1)
    }

    @Test func `a missing or invalid location is left out`() {
        var request = OpenRTBSamples.adRequest
        for geo in [
            nil, AdGeo(latitude: 91, longitude: 0, precision: 1),
            AdGeo(latitude: 1, longitude: 1, precision: -1),
            AdGeo(latitude: 1, longitude: 1, precision: .infinity),
        ] {
            request.geo = geo
            let built = OpenRTB.BidRequest(
                id: "a", for: request, supply: OpenRTBSamples.supply(), consent: OpenRTB.Consent())
            #expect(built.device?.geo == nil)
        }
    }

    @Test func `the app store id replaces the bundle id when it is known`() {
        #expect(
            OpenRTBSamples.request { $0.storeID = "123456789" }.app?.bundle == "123456789")
        var request = OpenRTBSamples.adRequest
        request.ext = AdRequestExtension(storeID: "42")
        let built = OpenRTB.BidRequest(
            id: "a", for: request, supply: OpenRTBSamples.supply(), consent: OpenRTB.Consent())
        #expect(built.app?.bundle == "42")
    }

    // The purposes 1, 2 and 4 and the exact location decide; `tcf` builds the strings.
    @Test(
        arguments: [
            (AdConsent(), true, true), (AdConsent(lmt: false, att: 3), true, true),
            (AdConsent(lmt: true), false, false), (AdConsent(att: 1), false, false),
            (AdConsent(att: 2), false, false), (AdConsent(att: 0), true, true),
            (AdConsent(gdprApplies: true), false, false),
            (AdConsent(gdprApplies: true, tcf: "nonsense"), false, false),
            (AdConsent(gdprApplies: false, tcf: "nonsense"), true, true),
            (AdConsent(gdprApplies: true, tcf: tcf([1, 2, 4], place: true)), true, true),
            (AdConsent(gdprApplies: true, tcf: tcf([1, 2, 4], place: false)), true, false),
            (AdConsent(gdprApplies: true, tcf: tcf([1, 2], place: true)), false, true),
            (AdConsent(gdprApplies: true, tcf: tcf([2, 4], place: true)), false, false),
            (AdConsent(gpp: "DBABMA~" + tcf([1, 2, 4], place: true), gppSids: [2]), true, true),
            (AdConsent(gpp: "DBABMA~" + tcf([1, 2], place: false), gppSids: [2]), false, false),
        ])
    func `ids and the exact location are sent only as far as the user agreed`(
        _ consent: AdConsent, _ hasID: Bool, _ isExact: Bool
    ) {
        let request = OpenRTBSamples.request(consent: consent, vendorID: 755)
        #expect((request.device?.advertisingID != nil) == hasID)
        #expect(request.device?.limitsTracking == (hasID ? 0 : 1))
        #expect(request.device?.geo?.latitude == (isExact ? 55.751244 : 55.75))
        #expect(request.device?.geo?.longitude == (isExact ? 37.618423 : 37.61))
        #expect((request.device?.geo?.accuracyMeters != nil) == isExact)
        #expect(request.device?.ip == (isExact ? "203.0.113.77" : "203.0.113.0"))
    }

    @Test func `of a child neither id nor location is sent, and COPPA is declared`() {
        let request = OpenRTBSamples.request(consent: AdConsent(coppa: true))
        #expect(request.device?.advertisingID == nil && request.device?.geo == nil)
        #expect(request.device?.ip == "203.0.113.0" && request.regulations?.coppa == 1)
    }

    @Test func `consent strings are sent unchanged`() {
        let request = OpenRTBSamples.request(
            consent: AdConsent(gdprApplies: true, tcf: "COtest", gpp: "DBAA~x", gppSids: [2, 7], att: 2))
        #expect(request.user?.consent == "COtest" && request.regulations?.gdpr == 1)
        #expect(request.regulations?.gpp == "DBAA~x" && request.regulations?.gppSections == [2, 7])
        #expect(request.device?.ext == ["atts": 2])
        let silent = OpenRTBSamples.request()
        #expect(silent.user == nil && silent.regulations == nil && silent.device?.ext == nil)
    }

    @Test func `an opt-out of sale in the US national section strips the id`() {
        for (choice, hasID) in [(1, false), (2, true), (0, true), (3, false)] {
            let section = Self.base64url(
                Self.bits(1, 6) + Self.bits(0, 12) + Self.bits(choice, 2) + Self.bits(0, 22))
            let consent = AdConsent(gpp: USSectionTests.gpp((7, section)), gppSids: [7])
            #expect((OpenRTBSamples.request(consent: consent).device?.advertisingID != nil) == hasID)
        }
    }

    @Test(
        arguments: [
            (AdConsent(gdprApplies: true), 1), (AdConsent(tcf: "COtest"), 1), (AdConsent(gppSids: [2]), 1),
            (AdConsent(gdprApplies: false, gppSids: [2]), 1), (AdConsent(gpp: "DBABMA~COtest"), 1),
            (AdConsent(gdprApplies: false), 0), (AdConsent(gdprApplies: false, tcf: "COtest"), 0),
            (AdConsent(lmt: true), nil), (AdConsent(tcf: "", gpp: "DBAA"), nil),
        ] as [(AdConsent, Int?)])
    func `a bid request declares the GDPR if consent is evaluated under it`(
        _ consent: AdConsent, _ gdpr: Int?
    ) {
        #expect(OpenRTBSamples.request(consent: consent).regulations?.gdpr == gdpr)
    }

    @Test func `without consent, only the network of an IPv6 address is sent`() {
        let shared = NetworkAddress.shared("2001:db8:1234:5678::9", isExact: false)
        #expect(shared.v6 == "2001:db8:1234::" && shared.v4 == nil)
        #expect(NetworkAddress.shared("2001:db8::9", isExact: true).v6 == "2001:db8::9")
        #expect(NetworkAddress.shared("no address", isExact: true) == (nil, nil))
    }

    static func bits(_ value: Int, _ count: Int) -> [Int] {
        (0..<count).map { value >> (count - 1 - $0) & 1 }
    }

    static func base64url(_ bits: [Int]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let padded = bits + Array(repeating: 0, count: (6 - bits.count % 6) % 6)
        return String(
            stride(from: 0, to: padded.count, by: 6).map { start in
                letters[padded[start..<(start + 6)].reduce(0) { $0 * 2 + $1 }]
            })
    }

    /// Returns a TCF string with consent to purposes for vendor 755.
    static func tcf(_ purposes: Set<Int>, place: Bool) -> String {
        TCFSample(purposes: purposes, exactPlace: place, vendors: [755...755]).text + ".YAAAAAAAAAAA"
    }
}
