import Foundation
import InlayWire

extension OpenRTB {
    /// Replaces the macros of OpenRTB 2.6 §4.4 in markup and notices.
    ///
    /// A macro without a value becomes the empty string. With `:B64` behind its name the value comes in Base64; another
    /// suffix is no agreement of ours, and becomes the empty string as well, so that no price goes out in clear by
    /// mistake. Values are put in as they are, since what surrounds them is the bidder's; what a bidder tells us itself
    /// (its ids) can therefore only break its own markup.
    package struct Macros: Hashable, Sendable {
        /// `${AUCTION_ID}`: the request's id.
        package var auctionID: String?
        /// `${AUCTION_BID_ID}`: the answer's `bidid`.
        package var bidID: String?
        /// `${AUCTION_IMP_ID}`.
        package var impressionID: String?
        /// `${AUCTION_SEAT_ID}`.
        package var seatID: String?
        /// `${AUCTION_AD_ID}`: the bid's `adid`.
        package var adID: String?
        /// `${AUCTION_PRICE}`: what is paid, in millionths; `nil` for who lost, as in the specification's table.
        package var priceMicros: Int64?
        /// `${AUCTION_CURRENCY}`.
        package var currency: String?
        /// What the bid offered, in millionths; `${AUCTION_MBR}` is the price ÷ this.
        package var bidMicros: Int64?
        /// `${AUCTION_LOSS}`.
        package var loss: LossReason?
        /// `${AUCTION_MIN_TO_WIN}`, in millionths.
        package var minimumToWinMicros: Int64?
        /// `${AUCTION_MULTIPLIER}`: how many impressions were bought, in millionths of one.
        package var multiplierMicros: Int64?
        /// `${AUCTION_IMP_TS}`: when it was shown.
        package var shownAt: Timestamp?
        /// Whether markup is looked at and not sold: then what is not known is `AUDIT`.
        package var isAudit = false

        /// No values.
        package init() {}

        /// What a bid itself tells, for an auction.
        package init(auctionID: String, answer: BidResponse, seat: SeatBid, bid: Bid) {
            self.auctionID = auctionID
            bidID = Self.repeatable(answer.bidID)
            impressionID = Self.repeatable(bid.impressionID)
            seatID = Self.repeatable(seat.seat)
            adID = Self.repeatable(bid.adID)
            currency = Self.repeatable(answer.currency ?? "USD")
            bidMicros = bid.priceMicros
        }

        /// A bidder's own word where it may stand as often as the bidder likes; `nil` when it is long, for a hundred
        /// thousand times half a megabyte is no markup, or holds what no database keeps.
        static func repeatable(_ text: String?) -> String? {
            text.flatMap { text in
                text.utf8.count <= OpenRTB.nameBytes && !text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
                    ? text : nil
            }
        }

        /// The text with every macro replaced.
        package func filled(_ text: String) -> String {
            guard text.utf8.contains(UInt8(ascii: "$")) else { return text }
            var text = text
            return text.withUTF8 { bytes in String(decoding: filled(bytes), as: UTF8.self) }
        }

        private func filled(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
            var out: [UInt8] = []
            out.reserveCapacity(bytes.count + 64)
            var index = 0
            while index < bytes.count {
                if bytes[index] == UInt8(ascii: "$"), let (value, end) = macro(bytes, index) {
                    out.append(contentsOf: value.utf8)
                    index = end
                } else {
                    out.append(bytes[index])
                    index += 1
                }
            }
            return out
        }

        /// The value of a macro that begins here, and where it ends. Others' `${...}` are left alone.
        private func macro(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> (String, Int)? {
            guard start + 2 < bytes.count, bytes[start + 1] == UInt8(ascii: "{") else { return nil }
            let rest = bytes[(start + 2)...].prefix(64)
            guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else { return nil }
            let parts = String(decoding: bytes[(start + 2)..<end], as: UTF8.self)
                .split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Name(rawValue: String(parts[0])) else { return nil }
            let plain = value(name) ?? (isAudit ? "AUDIT" : "")
            guard parts.count == 2 else { return (plain, end + 1) }
            guard parts[1] == "B64", !plain.isEmpty else { return ("", end + 1) }
            return (Data(plain.utf8).base64EncodedString(), end + 1)
        }

        private func value(_ name: Name) -> String? {
            switch name {
            case .id: auctionID
            case .bidID: bidID
            case .impressionID: impressionID
            case .seatID: seatID
            case .adID: adID
            case .price: priceMicros.map(Micros.text)
            case .currency: currency
            case .ratio: ratio
            case .loss: loss.map { String($0.rawValue) }
            case .minimumToWin, .minimumBidToWin, .minBidToWin: minimumToWinMicros.map(Micros.text)
            case .multiplier: multiplierMicros.map(Micros.text)
            case .shownAt: shownAt.map { String($0.microseconds / 1000) }
            }
        }

        private var ratio: String? {
            guard let priceMicros, let bidMicros else { return nil }
            return Micros.ratio(priceMicros, bidMicros)
        }

        /// The twelve macros of the specification, and two other spellings of the minimum that bidders use.
        enum Name: String, CaseIterable {
            case id = "AUCTION_ID"
            case bidID = "AUCTION_BID_ID"
            case impressionID = "AUCTION_IMP_ID"
            case seatID = "AUCTION_SEAT_ID"
            case adID = "AUCTION_AD_ID"
            case price = "AUCTION_PRICE"
            case currency = "AUCTION_CURRENCY"
            case ratio = "AUCTION_MBR"
            case loss = "AUCTION_LOSS"
            case minimumToWin = "AUCTION_MIN_TO_WIN"
            case multiplier = "AUCTION_MULTIPLIER"
            case shownAt = "AUCTION_IMP_TS"
            case minimumBidToWin = "AUCTION_MINIMUM_BID_TO_WIN"
            case minBidToWin = "MIN_BID_TO_WIN"
        }
    }
}

extension OpenRTB {
    /// What each bid of an auction is told as its minimum: the price at which it would have tied.
    package enum MinimumToWin {
        /// One allowed bid's outcome: for the winner the next bid or the floor, for others what the winner pays.
        ///
        /// `next` is the best of the other allowed bids, which may lie below the floor; in a second-price auction what
        /// the winner pays is less than what it bid.
        package static func micros(isWinner: Bool, paidMicros: Int64, nextMicros: Int64?, floorMicros: Int64)
            -> Int64
        {
            isWinner ? max(nextMicros ?? floorMicros, floorMicros) : paidMicros
        }
    }
}
