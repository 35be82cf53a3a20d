import Foundation
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerTesting

@Suite(.timeLimit(.minutes(3))) struct ConsentTests {
    /// Whether the id and the exact place travel to a bidder with this vendor id.
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

    @Test func `a string that is cut off agrees to nothing that is missing`() {
        let text = all.text
        for length in [0, 10, 34, 36, 40, 44] {
            let consent = AdConsent(gdprApplies: true, tcf: String(text.prefix(length)))
            let device = OpenRTBSamples.request(consent: consent, vendorID: 755).device
            #expect(device?.advertisingID == nil && device?.ip == "203.0.113.0", "\(length)")
        }
    }

    @Test func `legitimate interest is enough for choosing ads, never for storage or profiles`() {
        var sample = all
        sample.purposes = [1, 4]
        #expect(travels(sample, to: 755) == [false, true])
        sample.interests = [2]
        sample.interestedVendors = [700...800]
        #expect(travels(sample, to: 755) == [true, true])
        #expect(travels(sample, to: 15) == [false, true], "no interest of this vendor")
        // From TCF 2.3 on it counts only for vendors that were disclosed.
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
        // 2: legitimate interest is required, so consent is none; 1: the other way round.
        sample.restrictions = [(2, 2, 755...755)]
        #expect(travels(sample, to: 755) == [false, true])
        (sample.interests, sample.interestedVendors) = ([2], [755...755])
        #expect(travels(sample, to: 755) == [true, true])
        (sample.purposes, sample.restrictions) = ([1, 4], [(2, 1, 755...755)])
        #expect(travels(sample, to: 755) == [false, true])
    }

    @Test func `each bidder of an auction, and its notices, gets what the user agreed to for it`()
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
            let body =
                site.body(unit, ifa: OpenRTBSamples.adRequest.ifa).dropLast()
                .replacing(
                    "\"geo\":null",
                    with: #""geo":{"latitude":55.751244,"longitude":37.618423,"precision":25}"#)
                + ",\"ext\":{\"consent\":\(consent)}}"
            let answer = try await site.app.sendJSON("POST", "/v1/ads/request", String(body))
            let ad = try JSONDecoder().decode(AdResponse.self, from: answer.body)
            let listed = try #require(buyers.asked("listed").last?.device)
            #expect(listed.advertisingID == OpenRTBSamples.adRequest.ifa && listed.limitsTracking == 0)
            #expect(listed.ip == "127.0.0.1" && listed.geo?.latitude == 55.751244)
            for name in ["other", "none"] {
                let device = try #require(buyers.asked(name).last?.device)
                #expect(device.advertisingID == nil && device.limitsTracking == 1, "\(name)")
                #expect(device.ip == "127.0.0.0" && device.geo?.latitude == 55.75, "\(name)")
            }
            // The winner is one that the user did not agree to.
            try await site.call(ad.tracker.view)
            let bill = "bill/other?p=0.9&i=\(try #require(ad.ext?.impressionID))"
            try await site.passTime { buyers.devices[bill] != nil }
            #expect(buyers.devices[bill] == "127.0.0.0")
        }
    }
}
