/// A bid that may win: checked, above its floor.
struct AuctionBid: Hashable, Sendable {
    let bidderID: String
    let bidID: String
    /// For a thousand impressions.
    let priceMicros: Int64
    /// What it had to reach: its deal's floor, or the unit's.
    let floorMicros: Int64
    /// How its deal is paid; `nil` without one.
    var deal: AdDeal.Price?
}
