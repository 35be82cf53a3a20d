import Foundation
@_spi(Inlay) package import InlayWire

extension OpenRTB {
    /// The values of the macros of OpenRTB 2.6 §4.4, for substitution in markup and notices.
    ///
    /// A macro without a value becomes the empty string. The suffix `:B64` encodes the value in Base64; with any other
    /// suffix the macro becomes the empty string, so that no price is sent in clear text by mistake. Values are not
    /// escaped, because the text around them is the bidder's: its own ids can only break its own markup. A macro that
    /// is percent-encoded itself, inside of another URL, gets its value percent-encoded once.
    package struct Macros: Hashable, Sendable {
        /// `${AUCTION_ID}`: the request's id.
        package var auctionID: String?
        /// `${AUCTION_BID_ID}`: the response's `bidid`.
        package var bidID: String?
        /// `${AUCTION_IMP_ID}`.
        package var impressionID: String?
        /// `${AUCTION_SEAT_ID}`.
        package var seatID: String?
        /// `${AUCTION_AD_ID}`: the bid's `adid`.
        package var adID: String?
        /// `${AUCTION_PRICE}`: the clearing price in millionths; `nil` for a bid that lost, as the specification says.
        package var priceMicros: Int64?
        /// `${AUCTION_CURRENCY}`.
        package var currency: String?
        /// The bid's price in millionths; `${AUCTION_MBR}` is the clearing price ÷ this.
        package var bidMicros: Int64?
        /// `${AUCTION_LOSS}`.
        package var loss: LossReason?
        /// `${AUCTION_MIN_TO_WIN}`, in millionths.
        package var minimumToWinMicros: Int64?
        /// `${AUCTION_MULTIPLIER}`: the number of impressions bought, in millionths.
        package var multiplierMicros: Int64?
        /// `${AUCTION_IMP_TS}`: the time of the impression.
        package var shownAt: Timestamp?
        /// Whether the markup is reviewed and not sold. Macros without a value then become `AUDIT`.
        package var isAudit = false

        /// Creates macros without values.
        package init() {}

        /// Creates the macros of a bid from its auction and response.
        package init(auctionID: String, response: BidResponse, seat: SeatBid, bid: Bid) {
            self.auctionID = auctionID
            bidID = Self.sanitized(response.bidID)
            impressionID = Self.sanitized(bid.impressionID)
            seatID = Self.sanitized(seat.seat)
            adID = Self.sanitized(bid.adID)
            currency = Self.sanitized(response.currency ?? "USD")
            bidMicros = bid.priceMicros
        }

        /// Returns a bidder's text, or `nil` when it is too long or has control characters.
        ///
        /// Markup may repeat a macro 100,000 times, so the value must be short. No database stores NUL.
        package static func sanitized(_ text: String?) -> String? {
            text.flatMap { text in
                text.utf8.count <= OpenRTB.maximumNameBytes && !text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
                    ? text : nil
            }
        }

        /// Returns the text with every macro replaced.
        package func filled(_ text: String) -> String {
            guard text.utf8.contains(where: MacroToken.mayBegin) else { return text }
            var text = text
            return text.withUTF8 { bytes in String(decoding: filled(bytes), as: UTF8.self) }
        }

        private func filled(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
            var out: [UInt8] = []
            out.reserveCapacity(bytes.count + 64)
            var index = 0
            while index < bytes.count {
                if MacroToken.mayBegin(bytes[index]), let (value, end) = macro(bytes, index) {
                    out.append(contentsOf: value.utf8)
                    index = end
                } else {
                    out.append(bytes[index])
                    index += 1
                }
            }
            return out
        }

        /// Returns the value of the macro that begins here and the index after it; `nil` for an unknown `${...}`.
        private func macro(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> (String, Int)? {
            guard let token = MacroToken(bytes, at: start), let name = Name(rawValue: token.name) else {
                return nil
            }
            var text = value(name) ?? (isAudit ? "AUDIT" : "")
            if let suffix = token.suffix {
                text = suffix == "B64" ? Data(text.utf8).base64EncodedString() : ""
            }
            return (token.isEncoded ? PercentEncoding.encode(text) : text, token.end)
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

        /// The twelve macros of the specification, and two other spellings of `AUCTION_MIN_TO_WIN` that bidders use.
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
    /// The `${AUCTION_MIN_TO_WIN}` of a bid: the price at which it would have tied.
    package enum MinimumToWin {
        /// Returns the minimum for an accepted bid: for the winner the next bid or the floor, for others the clearing
        /// price.
        ///
        /// `nextMicros` is the highest of the other accepted bids, which may be below the floor. In a second-price
        /// auction the clearing price is below the winner's bid.
        package static func micros(isWinner: Bool, paidMicros: Int64, nextMicros: Int64?, floorMicros: Int64)
            -> Int64
        {
            isWinner ? max(nextMicros ?? floorMicros, floorMicros) : paidMicros
        }
    }
}
