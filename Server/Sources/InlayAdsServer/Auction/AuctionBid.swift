/// A valid bid that takes part in the auction; its price is at least its floor.
struct AuctionBid: Hashable, Sendable {
    let bidderID: AdBidderID
    let bidID: String
    /// The price of a thousand impressions.
    let priceMicros: Int64
    /// The floor that the bid had to reach: its deal's, or the unit's.
    let floorMicros: Int64
    /// The price rule of the bid's deal; `nil` for a bid without a deal.
    var deal: AdDeal.Price?
}
