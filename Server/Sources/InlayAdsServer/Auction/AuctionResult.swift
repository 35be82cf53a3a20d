/// The winner of an auction, and the price that it pays.
///
/// Prices are integers, and the same bids in any order give the same result. Of equal prices, a deal wins over a bid
/// without one, then the bid whose hash with the auction's id is lower, so that no bidder wins every tie.
struct AuctionResult: Hashable, Sendable {
    /// The winner's index in the list of bids.
    let winner: Int
    /// The price that the winner pays for a thousand impressions.
    let paidMicros: Int64
    /// The best price of the other bidders, `nil` when there was no other bid.
    let nextMicros: Int64?

    /// The result, or `nil` without bids.
    init?(_ bids: [AuctionBid], auctionID: AdImpressionID, rule: AdUnit.PriceRule) {
        let ranks = bids.map { Rank($0, auctionID) }
        guard let winner = bids.indices.min(by: { ranks[$0] < ranks[$1] }) else { return nil }
        let best = bids[winner]
        // A bidder does not bid against itself: only another bidder's price can be the second.
        let next = bids.filter { $0.bidderID != best.bidderID }.map(\.priceMicros).max()
        self.winner = winner
        nextMicros = next
        paidMicros =
            switch best.deal {
            case .fixed: best.floorMicros
            case .first: best.priceMicros
            case .second: max(next ?? 0, best.floorMicros)
            case nil: rule == .first ? best.priceMicros : max(next ?? 0, best.floorMicros)
            }
    }

    /// The rank of a bid; the lowest wins.
    private struct Rank: Comparable {
        let bid: AuctionBid
        let hash: UInt64

        init(_ bid: AuctionBid, _ auctionID: AdImpressionID) {
            self.bid = bid
            // FNV-1a: no secret is at stake, only that the order is the same everywhere and favours nobody.
            hash = "\(auctionID) \(bid.bidderID) \(bid.bidID)".utf8.reduce(0xcbf2_9ce4_8422_2325) {
                ($0 ^ UInt64($1)) &* 0x100_0000_01b3
            }
        }

        static func < (left: Self, right: Self) -> Bool {
            if left.bid.priceMicros != right.bid.priceMicros {
                return left.bid.priceMicros > right.bid.priceMicros
            }
            if (left.bid.deal == nil) != (right.bid.deal == nil) { return left.bid.deal != nil }
            if left.hash != right.hash { return left.hash < right.hash }
            return (left.bid.bidderID, left.bid.bidID) < (right.bid.bidderID, right.bid.bidID)
        }
    }
}
