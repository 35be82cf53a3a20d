import Foundation
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayAdsServer
@testable import InlayServerTesting

@Suite(.timeLimit(.minutes(3))) struct ConsentTests {
    /// Returns whether a bidder with this vendor id gets the advertising id, and whether the exact location.
    private func travels(_ sample: TCFSample, to vendor: Int?) -> [Bool] {
        let consent = AdConsent(gdprApplies: true, tcf: sample.text)
        let device = OpenRTBSamples.request(consent: consent, vendorID: vendor).device
        let isExact = device?.geo?.latitude == 55.751244
        #expect((device?.ip == "203.0.113.77") == isExact, "the address goes with the place")
        return [device?.advertisingID != nil, isExact]
    }

    private var all: TCFSample {
        TCFSample(purposes: Set(1...11), exactPlace: true, vendors: [10...20, 755...755])
    }

    @Test func `a bidder gets personal data only with the user's consent to itself`() {
        for isBitField in [false, true] {
            var sample = all
            sample.isBitField = isBitField
            for vendor in [10, 15, 20, 755] {
                #expect(travels(sample, to: vendor) == [true, true], "\(vendor)")
            }
            for vendor in [nil, 9, 21, 754, 756, 65_535] {
                #expect(travels(sample, to: vendor) == [false, false], "\(vendor ?? 0)")
            }
        }
        var nobody = all
        nobody.vendors = []
        #expect(travels(nobody, to: 755) == [false, false])
    }

    /// Whether vendor 755, to which every sample consents, gets only the rounded location and the network.
    private func isStripped(_ consent: AdConsent) -> Bool {
        let device = OpenRTBSamples.request(consent: consent, vendorID: 755).device
        return device?.advertisingID == nil && device?.limitsTracking == 1 && device?.ip == "203.0.113.0"
            && device?.geo?.latitude != 55.751244
    }

    @Test func `a truncated consent string gives no consent`() {
        var sample = all
        sample.restrictions = [(2, 0, 755...755)]
        for text in [all.text, sample.text] {
            for length in 0..<text.count {
                #expect(
                    isStripped(AdConsent(gdprApplies: true, tcf: String(text.prefix(length)))), "\(length)")
            }
        }
        #expect(!isStripped(AdConsent(gdprApplies: true, tcf: all.text)))
    }

    @Test func `a consent string applies also where nothing says that the GDPR applies`() {
        #expect(!isStripped(AdConsent(tcf: all.text)))
        #expect(isStripped(AdConsent(tcf: TCFSample(exactPlace: true).text)), "it agrees to nothing")
        #expect(isStripped(AdConsent(tcf: "garbage")) && isStripped(AdConsent(tcf: " ")))
        for consent in [AdConsent(), AdConsent(tcf: ""), AdConsent(tcf: "", gpp: "", gppSids: [])] {
            #expect(!isStripped(consent), "nothing is stated")
        }
    }

    @Test func `with gdprApplies false a TCF string is not in force, unless the app names its section`() {
        for text in ["garbage", TCFSample().text] {
            #expect(!isStripped(AdConsent(gdprApplies: false, tcf: text)))
            #expect(!isStripped(AdConsent(gdprApplies: false, gpp: "DBABMA~\(text)")))
            #expect(isStripped(AdConsent(gdprApplies: false, tcf: text, gppSids: [2])))
            #expect(isStripped(AdConsent(gdprApplies: false, gpp: "DBABMA~\(text)", gppSids: [2])))
        }
        // `gdprApplies` has no effect on the sections of the United States.
        #expect(isStripped(AdConsent(gdprApplies: false, gppSids: [7])))
    }

    @Test func `of two TCF strings the one outside of GPP decides, also when it cannot be read`() {
        let gpp = "DBABMA~\(all.text)"
        #expect(!isStripped(AdConsent(gpp: gpp)) && !isStripped(AdConsent(tcf: "", gpp: gpp)))
        #expect(isStripped(AdConsent(tcf: "garbage", gpp: gpp)))
        #expect(isStripped(AdConsent(tcf: TCFSample().text, gpp: gpp)))
    }

    @Test func `a string of another version, with invalid letters or half a segment gives no consent`() {
        var disclosing = all
        disclosing.disclosed = [1...755]
        let text = disclosing.text
        #expect(!isStripped(AdConsent(tcf: text)) && !isStripped(AdConsent(tcf: all.text + ".YAAAAAAAAAAA")))
        let changed: [String] = [
            "D\(text.dropFirst())", "B\(text.dropFirst())", "\(text)=", " \(text)", "+\(text.dropFirst())",
            "\(text.dropLast())", "\(text.dropLast(4))", "\(all.text).", "\(all.text).?", "\(text).Y!",
        ]
        let long = [
            all.text + String(repeating: "A", count: 100_000), "C" + String(repeating: "/", count: 100_000),
            all.text + String(repeating: ".", count: 100_000),
        ]
        for text in changed + long { #expect(isStripped(AdConsent(tcf: text)), "\(text.prefix(80))") }
    }

    @Test func `a string with a restriction of an unknown kind or a backwards range gives no consent`() {
        var unknown = all
        unknown.restrictions = [(7, 3, 1...1)]
        #expect(isStripped(AdConsent(tcf: unknown.text)))
        unknown.restrictions = [(7, 2, 1...1)]
        #expect(!isStripped(AdConsent(tcf: unknown.text)))
        let backwards = TCFSample(
            purposes: Set(1...11), exactPlace: true, vendors: [755...755], isBackwards: true)
        #expect(isStripped(AdConsent(tcf: backwards.text)))
    }

    @Test(arguments: [-1, 1, 2, 4, 99])
    func `a tracking authorization that is a refusal strips personal data`(
        _ att: Int
    ) {
        #expect(isStripped(AdConsent(att: att)))
        for other in [0, 3] { #expect(!isStripped(AdConsent(att: other))) }
    }

    @Test func `legitimate interest is enough for choosing ads, never for storage or profiles`() {
        var sample = all
        sample.purposes = [1, 4]
        #expect(travels(sample, to: 755) == [false, true])
        sample.interests = [2]
        sample.interestedVendors = [700...800]
        #expect(travels(sample, to: 755) == [true, true])
        #expect(travels(sample, to: 15) == [false, true], "no interest of this vendor")
        // From TCF 2.3 on, legitimate interest counts only for vendors that were disclosed.
        sample.disclosed = [1...20]
        #expect(travels(sample, to: 755) == [false, true])
        sample.disclosed = [1...755]
        #expect(travels(sample, to: 755) == [true, true])
        (sample.purposes, sample.interests) = ([1, 2], [4])
        #expect(travels(sample, to: 755) == [false, true])
        sample.policyVersion = 3
        #expect(travels(sample, to: 755) == [true, true], "before TCF 2.2")
        (sample.purposes, sample.interests) = ([2, 4], [1])
        #expect(travels(sample, to: 755) == [false, false])
    }

    @Test func `a publisher's restriction holds for its purpose and its vendors alone`() {
        for purpose in [1, 2, 4] {
            var sample = all
            sample.restrictions = [(purpose, 0, 750...760)]
            #expect(travels(sample, to: 755) == [false, purpose != 1], "\(purpose)")
            #expect(travels(sample, to: 15) == [true, true])
        }
        var sample = all
        sample.restrictions = [(7, 0, 755...755)]
        #expect(travels(sample, to: 755) == [true, true])
        // Kind 2 requires legitimate interest, so consent does not count. With kind 1 it is the other way round.
        sample.restrictions = [(2, 2, 755...755)]
        #expect(travels(sample, to: 755) == [false, true])
        (sample.interests, sample.interestedVendors) = ([2], [755...755])
        #expect(travels(sample, to: 755) == [true, true])
        (sample.purposes, sample.restrictions) = ([1, 4], [(2, 1, 755...755)])
        #expect(travels(sample, to: 755) == [false, true])
    }

    // MARK: Over HTTP

    @Test func `each bidder, in its notices too, gets only the data that the user agreed to for it`()
        async throws
    {
        try await AdSite.run { site in
            let unit = try await site.unit(), buyers = site.buyers
            for (name, vendor, price) in [
                ("listed", 755, 500_000), ("other", 42, 900_000), ("none", nil, 400_000),
            ] {
                var bidder = try await site.bidder(name, Int64(price))
                bidder.vendorID = vendor
                try await site.records.save(site.environmentID, bidder)
            }
            let consent = #"{"gdprApplies":true,"tcf":"\#(all.text)"}"#
            let answer = try await site.app.sendJSON(
                "POST", "/v1/ads/request", body(site, unit, consent: consent))
            let ad = try JSONDecoder().decode(AdResponse.self, from: answer.body)
            let listed = try #require(buyers.requests(to: "listed").last?.device)
            #expect(listed.advertisingID == OpenRTBSamples.adRequest.ifa && listed.limitsTracking == 0)
            #expect(listed.ip == "127.0.0.1" && listed.geo?.latitude == 55.751244)
            for name in ["other", "none"] {
                let device = try #require(buyers.requests(to: name).last?.device)
                #expect(device.advertisingID == nil && device.limitsTracking == 1, "\(name)")
                #expect(device.ip == "127.0.0.0" && device.geo?.latitude == 55.75, "\(name)")
            }
            // The winner is a bidder to which the user did not consent.
            try await site.call(ad.tracker.view)
            let bill = "bill/other?p=0.9&i=\(try #require(ad.ext?.impressionID))"
            try await site.advanceClock { buyers.noticeDeviceAddresses[bill] != nil }
            #expect(buyers.noticeDeviceAddresses[bill] == "127.0.0.0")
        }
    }

    private func body(_ site: AdSite, _ unit: AdUnit, consent: String) -> String {
        let body = site.body(unit, ifa: OpenRTBSamples.adRequest.ifa).replacing(
            "\"geo\":null", with: #""geo":{"latitude":55.751244,"longitude":37.618423,"precision":25}"#)
        return "\(body.dropLast()),\"ext\":{\"consent\":\(consent)}}"
    }

    @Test func `unreadable consent from a device strips personal data`() async throws {
        try await AdSite.run { site in
            let unit = try await site.unit(), buyers = site.buyers
            try await site.bidder("buyer", 500_000)
            for (consent, isAllowed) in [
                (#"{"gpp":"garbage","gppSids":[7]}"#, false), (#"{"gppSids":[7]}"#, false),
                (#"{"tcf":"\#(TCFSample().text)"}"#, false), ("7", false), (#""DBAA""#, false), ("[]", false),
                (#"{"tcf":7}"#, false), (#"{"gpp":{}}"#, false), (#"{"gppSids":"7"}"#, false),
                (#"{"gppSids":[1.5]}"#, false), (#"{"lmt":1}"#, false), (#"{"coppa":"true"}"#, false),
                (#"{"gdprApplies":"1"}"#, false), (#"{"att":"3"}"#, false), ("null", true), ("{}", true),
                (#"{"tcf":null,"gpp":"","gppSids":[],"lmt":false,"att":3,"new":[7]}"#, true),
            ] {
                let answer = try await site.app.sendJSON(
                    "POST", "/v1/ads/request", body(site, unit, consent: consent))
                #expect(answer.status == 200, "\(consent)")
                let device = try #require(buyers.requests(to: "buyer").last?.device)
                #expect((device.advertisingID != nil) == isAllowed, "\(consent)")
                #expect(device.ip == (isAllowed ? "127.0.0.1" : "127.0.0.0"), "\(consent)")
                #expect((device.geo?.latitude == 55.751244) == isAllowed, "\(consent)")
            }
        }
    }

    @Test(arguments: ["tcf", "gpp"])
    func `a consent string of 100 KB is refused by name, and no bidder is asked`(_ name: String) async throws
    {
        try await AdSite.run { site in
            let unit = try await site.unit(), buyers = site.buyers
            try await site.bidder("buyer", 500_000)
            let consent = "{\"\(name)\":\"\(String(repeating: "C", count: 100_000))\"}"
            let answer = try await site.app.sendJSON(
                "POST", "/v1/ads/request", body(site, unit, consent: consent))
            #expect(answer.status == 422 && answer.text.contains("ext.consent.\(name)"))
            #expect(buyers.requests(to: "buyer").isEmpty)
        }
    }
}
