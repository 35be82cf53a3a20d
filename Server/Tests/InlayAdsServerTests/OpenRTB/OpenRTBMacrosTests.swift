@_spi(Inlay) import InlayWire
import Testing

@testable import InlayOpenRTB
@testable import InlayServerTesting

@Suite struct OpenRTBMacrosTests {
    private var macros: OpenRTB.Macros {
        var answer = OpenRTBSamples.answer(OpenRTBSamples.bid { $0.adID = "ad-9" })
        answer.bidID = "bidid-3"
        var macros = OpenRTB.Macros(
            auctionID: "auction-1", response: answer, seat: answer.seatBids[0],
            bid: answer.seatBids[0].bids[0])
        macros.priceMicros = 1_000_000
        macros.loss = .won
        macros.minimumToWinMicros = 900_000
        macros.multiplierMicros = 1_000_000
        macros.shownAt = Timestamp(seconds: 1_700_000_000.25)
        return macros
    }

    @Test(arguments: [String(repeating: "x", count: 257), "a\u{0}b", "a\r\nb"])
    func `a bidder's own values are not filled in if they are long or contain control characters`(
        _ word: String
    ) {
        let bid = OpenRTBSamples.bid { ($0.adID, $0.impressionID) = (word, word) }
        var answer = OpenRTBSamples.answer(bid, seat: word)
        (answer.bidID, answer.currency) = (word, word)
        let macros = OpenRTB.Macros(
            auctionID: "a", response: answer, seat: answer.seatBids[0], bid: answer.seatBids[0].bids[0])
        let names = ["AD_ID", "IMP_ID", "SEAT_ID", "BID_ID", "CURRENCY"].map { "${AUCTION_\($0)}" }
        #expect(macros.filled(names.joined(separator: "|")) == "||||")
    }

    @Test(
        arguments: [
            ("${AUCTION_ID}", "auction-1"), ("${AUCTION_BID_ID}", "bidid-3"), ("${AUCTION_IMP_ID}", "1"),
            ("${AUCTION_SEAT_ID}", "s1"), ("${AUCTION_AD_ID}", "ad-9"), ("${AUCTION_PRICE}", "1"),
            ("${AUCTION_CURRENCY}", "USD"), ("${AUCTION_MBR}", "0.8"), ("${AUCTION_LOSS}", "0"),
            ("${AUCTION_MIN_TO_WIN}", "0.9"), ("${AUCTION_MULTIPLIER}", "1"),
            ("${AUCTION_IMP_TS}", "1700000000250"), ("${AUCTION_MINIMUM_BID_TO_WIN}", "0.9"),
            ("${MIN_BID_TO_WIN}", "0.9"),
        ])
    func `each macro is replaced wherever it stands`(_ macro: String, _ value: String) {
        #expect(
            macros.filled("https://b.test/?a=\(macro)&b=\(macro)x")
                == "https://b.test/?a=\(value)&b=\(value)x")
        #expect(macros.filled("<img src=\"\(macro)\">é") == "<img src=\"\(value)\">é")
        #expect(OpenRTB.Macros().filled("[\(macro)]") == "[]")
        var audit = OpenRTB.Macros()
        audit.isAudit = true
        #expect(audit.filled("[\(macro)]") == "[AUDIT]")
    }

    @Test func `a macro with the suffix B64 gets its value in Base64, and with another suffix no value`() {
        #expect(macros.filled("p=${AUCTION_PRICE:B64}") == "p=MQ==")
        #expect(macros.filled("p=${AUCTION_ID:B64}") == "p=YXVjdGlvbi0x")
        #expect(macros.filled("p=${AUCTION_PRICE:X9}") == "p=")
        #expect(OpenRTB.Macros().filled("p=${AUCTION_PRICE:B64}") == "p=")
    }

    @Test func `text that is no macro is unchanged`() {
        for text in [
            "$", "${", "${}", "${OTHER}", "${auction_price}", "$AUCTION_PRICE", "${AUCTION_PRICE", "{}$",
        ] {
            #expect(macros.filled(text) == text)
        }
        #expect(macros.filled("$${AUCTION_IMP_ID}}") == "$1}")
    }

    @Test(arguments: [
        ("%24%7BAUCTION_PRICE%7D", "1"), ("%24%7bAUCTION_CURRENCY%7d", "USD"),
        ("$%7BAUCTION_ID%7D", "auction-1"),
        ("%24{AUCTION_IMP_ID}", "1"), ("${AUCTION_IMP_ID%7d", "1"), ("%24%7BAUCTION_LOSS%7D", "0"),
        ("%24%7BAUCTION_PRICE%3AB64%7D", "MQ%3D%3D"), ("%24%7BAUCTION_PRICE:B64%7D", "MQ%3D%3D"),
        ("%24%7BAUCTION_PRICE%3aX9%7D", ""), ("%24%7BAUCTION_SEAT_ID%7D", "s%201%26%C3%A9%2F"),
        ("$%7BAUCTION_SEAT_ID%7D", "s%201%26%C3%A9%2F"), ("${AUCTION_SEAT_ID}", "s 1&é/"),
    ])
    func `a macro that came percent-encoded is filled with its value percent-encoded`(
        _ macro: String, _ value: String
    ) {
        var macros = macros
        macros.seatID = "s 1&é/"
        let address = "https://b.test/?u=https%3A%2F%2Fc.test%2F%3Fp%3D"
        #expect(macros.filled("\(address)\(macro)%20\(macro)&%24") == "\(address)\(value)%20\(value)&%24")
        #expect(OpenRTB.Macros().filled("[\(macro)]") == "[]")
    }

    @Test func `a macro that is encoded twice, truncated or unknown is unchanged`() {
        for text in [
            "%2524%257BAUCTION_PRICE%257D", "%24%7BOTHER%7D", "%24%7Bauction_price%7D",
            "%24%7BAUCTION_PRICE", "%", "%2", "%24", "%24%", "%24%7", "%24%7B", "%24%7BAUCTION_PRICE%7",
            "%24%7BAUCTION_PRICE%7E", "100%",
            "%24%7BAUCTION_PRICE:" + String(repeating: "x", count: 65) + "%7D",
        ] {
            #expect(macros.filled(text) == text)
        }
        let starts = String(repeating: "%24%7B", count: 40_000) + String(repeating: "${A:", count: 40_000)
        #expect(macros.filled(starts) == starts)
    }

    @Test func `a value is never taken for a macro`() {
        var macros = macros
        macros.seatID = "${AUCTION_PRICE}"
        #expect(macros.filled("${AUCTION_SEAT_ID}") == "${AUCTION_PRICE}")
    }

    // The tables of the specification: bids of 1.00, 0.90 and 0.80, a floor of 0.85.
    static let tables: [(Int64, [String], [String])] = [
        (1_000_000, ["1", "", ""], ["0.9", "1", "1"]), (910_000, ["0.91", "", ""], ["0.9", "0.91", "0.91"]),
    ]

    @Test(arguments: tables)
    func `price and minimum are those of the specification's tables`(
        _ paid: Int64, _ prices: [String], _ minimums: [String]
    ) {
        let bids: [Int64] = [1_000_000, 900_000, 800_000]
        for (index, bid) in bids.enumerated() {
            var macros = OpenRTB.Macros()
            macros.bidMicros = bid
            macros.priceMicros = index == 0 ? paid : nil
            macros.minimumToWinMicros = OpenRTB.MinimumToWin.micros(
                isWinner: index == 0, paidMicros: paid, nextMicros: bids[1], floorMicros: 850_000)
            #expect(
                macros.filled("${AUCTION_PRICE}|${AUCTION_MIN_TO_WIN}")
                    == "\(prices[index])|\(minimums[index])")
        }
        #expect(
            OpenRTB.MinimumToWin.micros(
                isWinner: true, paidMicros: paid, nextMicros: nil, floorMicros: 850_000)
                == 850_000)
        #expect(
            OpenRTB.MinimumToWin.micros(isWinner: true, paidMicros: paid, nextMicros: 1, floorMicros: 850_000)
                == 850_000)
        #expect(OpenRTB.Macros().filled("${AUCTION_MIN_TO_WIN}").isEmpty)
    }

    @Test func `only a bidder that lost by price receives a price`() {
        #expect(
            OpenRTB.LossReason.allCases.filter(\.isAboutPrice).map(\.rawValue) == [0, 100, 101, 102, 103])
    }
}
