@_spi(Inlay) package import InlayWire

extension OpenRTB {
    /// A bidder's response.
    package struct BidResponse: RTBObject {
        /// The id of the bid request.
        package var id: String = ""
        /// The bids by seat.
        package var seatBids: [SeatBid] = []
        /// The bidder's id of the response.
        package var bidID: String?
        /// The currency of the bids, ISO 4217; USD by default.
        package var currency: String?
        /// Data that the bidder wants stored; ignored.
        package var customData: String?
        /// The reason for not bidding.
        package var noBidReason: Int?
        package var ext: JSONValue?

        package init() {}

        package mutating func fields<Fields: RTBFields>(_ fields: inout Fields) {
            fields.requiredText("id", &id)
            fields.objects("seatbid", &seatBids)
            fields.text("bidid", &bidID)
            fields.text("cur", &currency)
            fields.text("customdata", &customData)
            fields.integer("nbr", &noBidReason)
        }
    }
}
