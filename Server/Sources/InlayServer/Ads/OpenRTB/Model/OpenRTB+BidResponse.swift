import InlayWire

extension OpenRTB {
    /// What a bidder answers.
    package struct BidResponse: RTBObject {
        /// The request's id.
        package var id: String = ""
        /// Bids by seat.
        package var seatBids: [SeatBid] = []
        /// The bidder's id of this answer.
        package var bidID: String?
        /// ISO 4217; USD when it is not told.
        package var currency: String?
        /// To be kept for the bidder; not kept by us.
        package var customData: String?
        /// Why there is no bid.
        package var noBidReason: Int?
        package var ext: JSONValue?

        package init() {}

        package mutating func fields<Fields: RTBFields>(_ fields: inout Fields) {
            fields.needed("id", &id)
            fields.objects("seatbid", &seatBids)
            fields.text("bidid", &bidID)
            fields.text("cur", &currency)
            fields.text("customdata", &customData)
            fields.integer("nbr", &noBidReason)
        }
    }
}
