/// A bid that may win: checked, above its floor.
struct AuctionBid: Hashable, Sendable {
    let bidderID: AdBidderID
    let bidID: String
    /// For a thousand impressions.
    let priceMicros: Int64
    /// The floor that the bid had to reach: its deal's, or the unit's.
    let floorMicros: Int64
    /// The price rule of its deal; `nil` without one.
    var deal: AdDeal.Price?
}
