import Foundation
import InlayTesting
@_spi(Inlay) import InlayWire
import NIOCore
import Testing

@testable import InlayOpenRTB
@testable import InlayServerTesting

@Suite struct OpenRTBJSONTests {
    @Test func `a request that is written and read again is equal, and is written as the same bytes`() throws
    {
        for format in AdFormat.allCases {
            var request = OpenRTBSamples.request(
                format, consent: AdConsent(gdprApplies: false, tcf: "x", gpp: "DBAA", gppSids: [6], att: 3)
            ) { supply in
                var deal = OpenRTB.Deal()
                (deal.id, deal.floorMicros, deal.allowedSeats) = ("d1", 2_000_000, ["s1"])
                supply.deals = [deal]
                supply.blockedCategories = ["IAB25"]
            }
            request.ext = ["a": [1, 2.5, "x\u{1}\"\\\n", true, .null], "b": [:]]
            let document = try RTBDocument<OpenRTB.BidRequest>(reading: request.json)
            #expect(document.faults.isEmpty, "\(document.faults)")
            #expect(document.object == request)
            #expect(document.object.json == request.json)
            #expect(try JSONDecoder().decode(JSONValue.self, from: Data(request.json))["id"] == "auction-1")
        }
    }

    @Test func `the smallest integer in an ext is written`() throws {
        var request = OpenRTBSamples.request(.banner)
        request.ext = ["least": .number(-0x1p63)]
        let read = try RTBDocument<OpenRTB.BidRequest>(reading: request.json).object
        #expect(read.ext?["least"] == .number(-0x1p63))
        #expect(read.json == request.json)
    }

    @Test func `every field of an answer is read again`() throws {
        let answer = OpenRTBSamples.answer(
            OpenRTBSamples.bid { bid in
                (bid.winURL, bid.billingURL, bid.lossURL) = ("https://b/n", "https://b/b", "https://b/l")
                (bid.categories, bid.attributes, bid.apis) = (["IAB1"], [1, 2], [5])
                (bid.dealID, bid.expirySeconds, bid.language) = ("d", 60, "en")
                bid.ext = ["x": 1]
            })
        #expect(
            try RTBDocument<OpenRTB.BidResponse>(reading: ByteBuffer(bytes: answer.json)).object == answer)
    }

    @Test func `unknown fields are skipped, ext is kept`() throws {
        let text = """
            {"new": {"deep": [1, {"x": "}"}]}, "id": "7", "ext": {"own": [1, 1.5, "a"]},
             "imp": [{"id": "1", "shiny": null, "banner": {"w": 320.0, "h": 5e1, "neu": true}}]}
            """
        let request = try RTBDocument<OpenRTB.BidRequest>(reading: Array(text.utf8)).object
        #expect(request.id == "7" && request.ext == ["own": [1, 1.5, "a"]])
        #expect(request.impressions.first?.banner?.width == 320)
        #expect(request.impressions.first?.banner?.height == 50)
    }

    @Test func `a field of another type is left out and reported with its path`() throws {
        let text = """
            {"id": 5, "at": "1", "imp": [{"id": "1", "secure": true, "banner": {"w": "320", "api": [5, "x"]}},
             {"id": "2", "bidfloor": "free", "video": []}, 3], "app": "x", "cur": {"a": 1}}
            """
        let document = try RTBDocument<OpenRTB.BidRequest>(reading: Array(text.utf8))
        #expect(
            document.faults.map(\.path) == [
                "id", "at", "imp[0].banner.w", "imp[0].banner.api[1]", "imp[1].bidfloor", "imp[1].video",
                "imp[2]", "app", "cur",
            ])
        #expect(document.faults.allSatisfy { $0.reason == .wrongType })
        #expect(document.object.impressions.first?.isSecure == 1)
        #expect(document.object.impressions.first?.banner?.apis == [5])
    }

    @Test(arguments: [
        "", " ", "{", "[]", "null", "\"x\"", "{\"id\"}", "{\"id\":}", "{\"id\":\"x\"", "{\"id\":\"x\",}",
        "{\"id\" \"x\"}", "{id:1}", "{\"id\":\"x\"} {}", "{\"id\":\"x\ny\"}", "{\"id\":\"\\q\"}",
        "{\"id\":\"\\u12\"}", "{\"at\":01}", "{\"at\":1.}", "{\"at\":.5}", "{\"at\":1e}", "{\"at\":--1}",
        "{\"at\":nul}", "{\"x\":tru}", "{\"x\":[1 2]}", "{\"x\":[1,]}", "{\"x\":\"", "{\"x\":\"\\",
        "{\"imp\":[",
        "{\"imp\":[{]}", "{\"imp\":[{\"id\":\"1\"}", "{\"ext\":{\"a\":[}}", "\u{FEFF}{}",
    ])
    func `broken JSON is refused`(_ text: String) {
        #expect(throws: OpenRTB.Fault.self) {
            try RTBDocument<OpenRTB.BidRequest>(reading: Array(text.utf8))
        }
    }

    @Test func `deeply nested values are refused before the stack overflows`() {
        for text in [
            "{\"ext\":" + String(repeating: "[", count: 200_000),
            "{\"x\":" + String(repeating: "{\"a\":", count: 200_000),
        ] {
            #expect(throws: OpenRTB.Fault.self) {
                try RTBDocument<OpenRTB.BidRequest>(reading: Array(text.utf8))
            }
        }
    }

    @Test func `escapes are read, also beyond the first plane`() throws {
        let text = #"{"id":"\"\\\/\b\f\n\r\té\ud83d\ude00\ud83d"}"#
        let id = try RTBDocument<OpenRTB.BidRequest>(reading: Array(text.utf8)).object.id
        #expect(id == "\"\\/\u{8}\u{C}\n\r\té😀\u{FFFD}")
    }

    static let amounts: [(String, Int64)] = [
        ("1.25", 1_250_000), ("0.000001", 1), ("0.0000019", 1), ("1e2", 100_000_000),
        ("12.5E-1", 1_250_000), ("0", 0), ("-0.5", -500_000), ("1234567.654321", 1_234_567_654_321),
        ("0.1", 100_000), ("0.30000000000000004", 300_000), ("3", 3_000_000),
        ("9000000000000", 9_000_000_000_000_000_000), ("1e-400", 0), ("0e999999999", 0),
    ]

    @Test(arguments: amounts)
    func `money is read exactly, cut to millionths`(_ text: String, _ micros: Int64) throws {
        let json = "{\"id\":\"b\",\"impid\":\"1\",\"price\":\(text)}"
        let document = try RTBDocument<OpenRTB.Bid>(reading: Array(json.utf8))
        #expect(document.object.priceMicros == micros && document.faults.isEmpty)
    }

    @Test func `an amount beyond 64 bits is a fault and no crash`() throws {
        for text in ["9300000000000", "1e300", "99999999999999999999999999", "1e99999999999999999999"] {
            let document = try RTBDocument<OpenRTB.Bid>(reading: Array("{\"price\":\(text)}".utf8))
            #expect(document.object.priceMicros == nil, "\(text)")
            #expect(document.faults.map(\.reason) == [.outOfRange])
        }
    }

    @Test func `money is printed exactly`() {
        for (micros, text) in [
            (Int64(1_250_000), "1.25"), (1, "0.000001"), (0, "0"), (3_000_000, "3"), (-500_000, "-0.5"),
            (1_234_567_654_321, "1234567.654321"), (100_000, "0.1"), (.max, "9223372036854.775807"),
            (.min, "-9223372036854.775808"),
        ] { #expect(Micros.text(micros) == text) }
        #expect(Micros.ratio(900_000, 1_200_000) == "0.75" && Micros.ratio(1, 0) == nil)
        #expect(Micros.ratio(1_000_000, 3_000_000) == "0.333333" && Micros.ratio(.max, 1) == nil)
    }

    @Test(arguments: 0..<6)
    func `a randomly changed answer is read or refused`(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let source = OpenRTBSamples.answer(OpenRTBSamples.bid(), OpenRTBSamples.bid { $0.id = "b2" }).json
        let request = OpenRTBSamples.request()
        for _ in 0..<300 {
            var bytes = source
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
                case 1: bytes.removeSubrange(place..<min(place + 9, bytes.count))
                default:
                    bytes.insert(
                        contentsOf: Array("{}[],:\"\\u1e-9".utf8).shuffled(using: &random).prefix(3),
                        at: place)
                }
            }
            guard let document = try? RTBDocument<OpenRTB.BidResponse>(reading: bytes) else { continue }
            let check = OpenRTB.ResponseCheck(document, to: request)
            #expect(check.acceptedBids.allSatisfy { $0.priceMicros >= 500_000 && $0.bid.impressionID == "1" })
            #expect(
                check.acceptedBids.count + check.rejectedBids.count
                    == document.object.seatBids.reduce(0) { $0 + $1.bids.count })
        }
    }
}
