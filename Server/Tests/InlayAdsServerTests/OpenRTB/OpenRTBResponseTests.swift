@_spi(Inlay) import InlayWire
import Testing

@testable import InlayOpenRTB
@testable import InlayServerTesting

@Suite struct OpenRTBResponseTests {
    typealias Loss = OpenRTB.LossReason
    typealias Reason = OpenRTB.Reason
    typealias Change = @Sendable (inout OpenRTB.Bid) -> Void

    @Test func `a good bid becomes an offer with its price in millionths`() throws {
        let check = try OpenRTBSamples.check(OpenRTBSamples.answer(OpenRTBSamples.bid()))
        #expect(check.rejectedBids.isEmpty && check.faults.isEmpty)
        let offer = try #require(check.acceptedBids.first)
        #expect(offer.priceMicros == 1_250_000 && offer.floorMicros == 500_000 && offer.kind == .banner)
        #expect(offer.seat.seat == "s1" && offer.bid.id == "b1")
    }

    static let faults: [(String, Loss, Reason, Change)] = [
        ("id", .invalidResponse, .missing, { $0.id = "" }),
        ("impid", .invalidResponse, .missing, { $0.impressionID = "" }),
        ("impid", .invalidResponse, .unknown, { $0.impressionID = "2" }),
        ("price", .missingPrice, .missing, { $0.priceMicros = nil }),
        ("price", .missingPrice, .outOfRange, { $0.priceMicros = 0 }),
        ("price", .missingPrice, .outOfRange, { $0.priceMicros = -1 }),
        ("price", .belowFloor, .belowFloor, { $0.priceMicros = 499_999 }),
        ("dealid", .invalidDealID, .unknown, { $0.dealID = "d" }),
        ("adm", .missingMarkup, .missing, { $0.markup = nil }),
        ("adm", .missingMarkup, .missing, { $0.markup = "" }),
        ("adm", .filtered, .tooLarge, { $0.markup = "<p>" + String(repeating: "x", count: 256 << 10) }),
        ("adm", .notSecure, .notSecure, { $0.markup = "<img src=\"http://cdn.test/x.png\">" }),
        ("mtype", .wrongFormat, .notAllowed, { $0.markupType = 2 }),
        ("mtype", .wrongFormat, .notAllowed, { $0.markupType = 4 }),
        ("mtype", .wrongFormat, .missing, { ($0.markupType, $0.markup) = (nil, "{\"native\":{}}") }),
        (
            "mtype", .wrongFormat, .notAllowed,
            { ($0.markupType, $0.markup) = (nil, "<VAST version=\"4.2\"/>") }
        ),
        ("w", .sizeNotAllowed, .notAllowed, { ($0.width, $0.height) = (300, 250) }),
        ("w", .sizeNotAllowed, .conflict, { $0.height = nil }),
        ("exp", .invalidResponse, .outOfRange, { $0.expirySeconds = 0 }),
        ("nurl", .invalidResponse, .outOfRange, { $0.winURL = "file:///etc/passwd" }),
        ("burl", .invalidResponse, .outOfRange, { $0.billingURL = "https://me@b.test/a" }),
        ("lurl", .invalidResponse, .outOfRange, { $0.lossURL = "x" }),
        ("iurl", .invalidResponse, .outOfRange, { $0.sampleURL = "javascript:1" }),
        ("apis", .wrongFormat, .notAllowed, { $0.apis = [7] }),
        ("api", .wrongFormat, .notAllowed, { $0.api = 7 }),
    ]

    @Test(arguments: faults.indices)
    func `a bid that breaks a rule is refused with its place and its reason`(_ index: Int) throws {
        let (field, loss, reason, change) = Self.faults[index]
        let check = try OpenRTBSamples.check(
            OpenRTBSamples.answer(OpenRTBSamples.bid(change), OpenRTBSamples.bid { $0.id = "good" }))
        let refusal = try #require(check.rejectedBids.first)
        #expect(refusal.fault.path == "seatbid[0].bid[0].\(field)")
        #expect(refusal.loss == loss && refusal.fault.reason == reason, "\(refusal.fault)")
        #expect(check.acceptedBids.map(\.bid.id) == ["good"])
    }

    @Test(arguments: [
        (" //b.test/n \n", "https://b.test/n"), ("https://b.test/a b?x=%20", "https://b.test/a%20b?x=%20"),
        ("http://b.test/\n  n?p=${AUCTION_PRICE}", "http://b.test/n?p=${AUCTION_PRICE}"), (" \n ", nil),
    ])
    func `a bid's URL is read as browsers read it`(_ written: String, _ called: String?) throws {
        let check = try OpenRTBSamples.check(
            OpenRTBSamples.answer(
                OpenRTBSamples.bid {
                    ($0.winURL, $0.billingURL) = (written, written)
                    ($0.lossURL, $0.sampleURL) = (written, written)
                }))
        #expect(check.rejectedBids.isEmpty && check.acceptedBids.count == 1)
        #expect((try? OpenRTB.Address.read(written)) == called)
    }

    @Test(arguments: [
        ("/n", "relative"), ("https://me:pw@b.test/n", "user name"), ("https://b.test/\u{1}n", "control"),
        ("https:///n", "host"), ("ftp://b.test/n", "http or https"),
        ("https://b.test/" + String(repeating: "x", count: 5 << 10), "4096 bytes"),
    ])
    func `a URL that is refused is reported with its reason`(_ address: String, _ reason: String) throws {
        let check = try OpenRTBSamples.check(
            OpenRTBSamples.answer(OpenRTBSamples.bid { $0.billingURL = address }))
        #expect(check.rejectedBids.first?.fault.path == "seatbid[0].bid[0].burl")
        #expect(check.rejectedBids.first?.fault.detail.contains(reason) == true, "\(check.rejectedBids)")
    }

    @Test func `of an answer with more than a hundred bids, the first hundred are checked`() throws {
        var answer = OpenRTBSamples.answer()
        answer.seatBids[0].bids = (0..<150).map { number in OpenRTBSamples.bid { $0.id = "b\(number)" } }
        let check = try OpenRTBSamples.check(answer)
        #expect(check.acceptedBids.count == OpenRTB.maximumResponseBids)
        #expect(check.faults.map(\.path) == ["seatbid[0].bid[100]"])
    }

    static let lists: [(String, Loss, Change)] = [
        ("adomain", .advertiserExcluded, { $0.advertiserDomains = ["ok.test", "WWW.Bad.test"] }),
        ("adomain", .advertiserExcluded, { $0.advertiserDomains = ["deep.bad.test"] }),
        ("adomain", .invalidAdvertiserDomain, { $0.advertiserDomains = nil }),
        ("bundle", .appExcluded, { $0.bundle = "666" }),
        ("cat", .categoryExcluded, { $0.categories = ["IAB1", "IAB25-3"] }),
        ("cattax", .categoryExcluded, { ($0.categories, $0.categoryTaxonomy) = (["30"], 6) }),
        ("attr", .attributeExcluded, { $0.attributes = [1, 13] }),
    ]

    @Test(arguments: lists.indices)
    func `what the publisher blocks is refused`(_ index: Int) throws {
        let (field, loss, change) = Self.lists[index]
        let request = OpenRTBSamples.request { supply in
            supply.blockedAdvertisers = ["bad.test"]
            supply.blockedCategories = ["IAB25"]
            supply.blockedApps = ["666"]
            supply.blockedAttributes = [13]
        }
        let good = OpenRTBSamples.bid { bid in
            (bid.id, bid.advertiserDomains, bid.categories) = ("good", ["notbad.test"], ["IAB2", "IAB250"])
        }
        let check = try OpenRTBSamples.check(
            OpenRTBSamples.answer(OpenRTBSamples.bid(change), good), to: request)
        #expect(check.rejectedBids.map(\.fault.path) == ["seatbid[0].bid[0].\(field)"])
        #expect(check.rejectedBids.map(\.loss) == [loss])
        #expect(check.acceptedBids.map(\.bid.id) == ["good"])
    }

    @Test func `languages, allowed categories and seats of the request are enforced`() throws {
        var request = OpenRTBSamples.request()
        request.languages = ["en"]
        request.allowedCategories = ["IAB1"]
        request.blockedSeats = ["s2"]
        func loss(_ seat: String, _ change: Change) throws -> Loss? {
            try OpenRTBSamples.check(
                OpenRTBSamples.answer(OpenRTBSamples.bid(change), seat: seat), to: request
            ).rejectedBids.first?.loss
        }
        #expect(try loss("s1") { ($0.language, $0.categories) = ("EN", ["IAB1-2"]) } == nil)
        #expect(try loss("s1") { ($0.language, $0.categories) = ("xx", ["IAB1"]) } == nil)
        #expect(try loss("s1") { ($0.language, $0.categories) = ("de", ["IAB1"]) } == .languageExcluded)
        #expect(try loss("s1") { $0.categories = ["IAB2"] } == .categoryExcluded)
        #expect(try loss("s1") { _ in } == .categoryExcluded)
        #expect(try loss("s2") { $0.categories = ["IAB1"] } == .seatBlocked)
        (request.blockedSeats, request.allowedSeats) = (nil, ["s1"])
        #expect(try loss("s3") { $0.categories = ["IAB1"] } == .seatBlocked)
    }

    @Test func `a deal has its own floor, seats and advertisers`() throws {
        var deal = OpenRTB.Deal()
        (deal.id, deal.floorMicros) = ("d", 2_000_000)
        (deal.allowedSeats, deal.allowedAdvertisers) = (["s1"], ["shop.test"])
        func check(_ seat: String = "s1", isPrivate: Bool = false, _ change: Change) throws
            -> OpenRTB.ResponseCheck
        {
            let request = OpenRTBSamples.request { supply in
                (supply.deals, supply.sellsDealsOnly) = ([deal], isPrivate)
            }
            return try OpenRTBSamples.check(
                OpenRTBSamples.answer(OpenRTBSamples.bid(change), seat: seat), to: request)
        }
        let good = try check { ($0.dealID, $0.priceMicros) = ("d", 2_000_000) }
        #expect(good.acceptedBids.first?.deal?.id == "d" && good.acceptedBids.first?.floorMicros == 2_000_000)
        #expect(
            try check { ($0.dealID, $0.priceMicros) = ("d", 1_999_999) }.rejectedBids.first?.loss
                == .belowDealFloor)
        #expect(
            try check("s9") { ($0.dealID, $0.priceMicros) = ("d", 3_000_000) }.rejectedBids.first?.loss
                == .notAllowedInDeal)
        let other = try check {
            ($0.dealID, $0.priceMicros, $0.advertiserDomains) = ("d", 3_000_000, ["x.test"])
        }
        #expect(other.rejectedBids.first?.loss == .notAllowedInDeal)
        #expect(try check(isPrivate: true) { _ in }.rejectedBids.first?.loss == .invalidDealID)
        #expect(try check { _ in }.acceptedBids.count == 1)
    }

    @Test func `a video bid is checked for its protocol and its length`() throws {
        func loss(_ change: Change) throws -> Loss? {
            let bid = OpenRTBSamples.bid { bid in
                (bid.markup, bid.markupType) = ("<VAST version=\"4.2\"/>", nil)
                (bid.width, bid.height) = (nil, nil)
                change(&bid)
            }
            let check = try OpenRTBSamples.check(
                OpenRTBSamples.answer(bid), to: OpenRTBSamples.request(.video))
            #expect(check.acceptedBids.allSatisfy { $0.kind == .video })
            return check.rejectedBids.first?.loss
        }
        #expect(try loss { _ in } == nil)
        #expect(try loss { $0.markup = "<?xml version=\"1.0\"?>\n<VAST version=\"4.2\"/>" } == nil)
        #expect(try loss { ($0.durationSeconds, $0.videoProtocol) = (30, 3) } == nil)
        #expect(try loss { $0.durationSeconds = 61 } == .wrongFormat)
        #expect(try loss { $0.durationSeconds = 2 } == .wrongFormat)
        #expect(try loss { $0.videoProtocol = 1 } == .wrongFormat)
        #expect(try loss { $0.markup = "<p>x</p>" } == .wrongFormat)
        #expect(
            try loss {
                $0.markup = "<VAST><MediaFile type=\"video/mp4\">http://c.test/a.mp4</MediaFile></VAST>"
            }
                == .notSecure)
    }

    @Test func `an answer to another request or in another currency is refused whole`() throws {
        var other = OpenRTBSamples.answer(OpenRTBSamples.bid())
        other.id = "auction-2"
        let check = try OpenRTBSamples.check(other)
        #expect(check.acceptedBids.isEmpty && check.rejectedBids.map(\.loss) == [.invalidAuctionID])
        #expect(check.faults.map(\.path) == ["id"])
        var yen = OpenRTBSamples.answer(OpenRTBSamples.bid())
        yen.currency = "JPY"
        #expect(try OpenRTBSamples.check(yen).rejectedBids.map(\.loss) == [.invalidResponse])
        #expect(try OpenRTBSamples.check(yen).faults.map(\.path) == ["cur"])
    }

    @Test func `an unreadable field rejects its bid, and a duplicate id the second bid`() throws {
        let text = """
            {"id": "auction-1", "seatbid": [{"seat": "s", "bid": [
             {"id": "1", "impid": "1", "price": "2", "adm": "<p>"}, {"id": "2", "impid": "1", "price": 2, "adm": "<p>"},
             {"id": "2", "impid": "1", "price": 3, "adm": "<p>"}]}, {"bid": []}]}
            """
        let check = OpenRTB.ResponseCheck(
            try RTBDocument(reading: Array(text.utf8)), to: OpenRTBSamples.request())
        #expect(check.acceptedBids.map(\.bid.id) == ["2"])
        #expect(
            check.rejectedBids.map(\.fault.path) == ["seatbid[0].bid[0].price", "seatbid[0].bid[2].id"])
        #expect(check.rejectedBids.map(\.fault.reason) == [.wrongType, .duplicate])
        #expect(check.faults.map(\.path) == ["seatbid[1].bid"])
    }

    @Test func `a bid with an unreadable field is rejected also after more faults than are listed`() throws {
        let odd = (1...30).map { #"{"id": "\#($0)", "impid": "1", "price": "2", "adm": "<p>"}"# }
        let last = #"{"id": "last", "impid": "1", "price": 2, "adm": "<p>", "attr": "x"}"#
        let bids = (odd + [last]).joined(separator: ",")
        let text = #"{"id": "auction-1", "seatbid": [{"seat": "s", "bid": [\#(bids)]}]}"#
        let check = OpenRTB.ResponseCheck(
            try RTBDocument(reading: Array(text.utf8)), to: OpenRTBSamples.request())
        #expect(check.acceptedBids.isEmpty && check.rejectedBids.count == 31)
        #expect(check.rejectedBids.last?.loss == .invalidResponse)
    }

    @Test func `a good bid is accepted also after more faults than are listed`() throws {
        let odd = (1...30).map { #"{"id": "\#($0)", "impid": "1", "price": "2", "adm": "<p>"}"# }
        let last = #"{"id": "last", "impid": "1", "price": 2, "adm": "<p>"}"#
        let bids = (odd + [last]).joined(separator: ",")
        let text = #"{"id": "auction-1", "seatbid": [{"seat": "s", "bid": [\#(bids)]}]}"#
        let check = OpenRTB.ResponseCheck(
            try RTBDocument(reading: Array(text.utf8)), to: OpenRTBSamples.request())
        #expect(check.acceptedBids.map(\.bid.id) == ["last"])
        #expect(check.rejectedBids.map(\.bid.id) == (1...30).map { "\($0)" })
    }

    @Test func `a bid with an unreadable field is rejected also after something that is no bid`() throws {
        let text = """
            {"id": "auction-1", "seatbid": [{"seat": "s", "bid": [7,
             {"id": "good", "impid": "1", "price": 2, "adm": "<p>"},
             {"id": "odd", "impid": "1", "price": 2, "adm": "<p>", "attr": "x"}]}]}
            """
        let check = OpenRTB.ResponseCheck(
            try RTBDocument(reading: Array(text.utf8)), to: OpenRTBSamples.request())
        #expect(check.acceptedBids.map(\.bid.id) == ["good"])
        #expect(check.rejectedBids.map(\.bid.id) == ["odd"])
    }

    @Test func `a link or a namespace over http loads nothing`() {
        let long = String(repeating: "x", count: 500)
        for markup in [
            "<a href=\"http://shop.test\">x</a>", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
            "see http://x.test",
            "<img src='https://c.test/?u=http://x.test'>",
            "<ClickThrough><![CDATA[http://shop.test]]></ClickThrough>",
            "<img srcset=\"https://c.test/a.png 1x\"> near, http://x.test", "<p title=\"a, http://x.test\">",
            "<image href=\"https://c.test/a.png\"/><a xlink:href=\"http://shop.test\">",
        ] { #expect(!OpenRTB.Address.loadsInsecurely(markup), "\(markup)") }
        for markup in [
            "<img src='http://c.test/a.png'>", "<script SRC=http://c.test/a.js></script>",
            "<p style=\"background:url( 'http://c.test/a.png')\">", "<video poster=\"HTTP://c.test/a\">",
            "<VAST><Impression><![CDATA[http://i.test]]></Impression></VAST>",
            "<MediaFile type=\"video/mp4\">http://c.test/a.mp4</MediaFile>",
            "<MediaFile id='\(long)'><![CDATA[http://c.test/a.mp4]]></MediaFile>",
            "<link rel=\"stylesheet\" href=\"http://c.test/a.css\">", "<style>@import 'http://c.test/a.css';",
            "<base href=http://c.test/>", "<svg><image xlink:href=\"http://c.test/a.png\"/></svg>",
            "<img srcset=\"https://c.test/a.png 1x, http://c.test/b.png 2x\">",
            "<source srcset='https://c.test/\(long) 1x,\nhttp://c.test/b 2x'>",
        ] { #expect(OpenRTB.Address.loadsInsecurely(markup), "\(markup)") }
        let local = "<MediaFile>http://127.0.0.1:80/a.mp4</MediaFile>"
        #expect(!OpenRTB.Address.loadsInsecurely(local, except: ["127.0.0.1"]))
        #expect(
            OpenRTB.Address.loadsInsecurely(
                "<img src=http://127.0.0.1.evil.test/><img src='http://127.0.0.1/x'>", except: ["127.0.0.1"]))
        for authority in [
            "127.0.0.1:80@evil.test", "127.0.0.1@evil.test", "a@127.0.0.1:80@evil.test",
            "127.0.0.1:80 @evil.test", "127.0.0.1:80\"@evil.test", "127.0.0.1:80&commat;evil.test",
            "evil.test\\@127.0.0.1", "127.0.0.1:" + String(repeating: "x", count: 300) + "@evil.test",
        ] {
            let markup = "<img src='http://\(authority)/a.png'>"
            #expect(OpenRTB.Address.loadsInsecurely(markup, except: ["127.0.0.1"]), "\(markup)")
        }
    }
}
