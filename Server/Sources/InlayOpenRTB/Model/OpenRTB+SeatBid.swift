@_spi(Inlay) package import InlayWire

extension OpenRTB {
    /// The bids of one seat, which stands for a buyer.
    package struct SeatBid: RTBObject {
        /// The bids; at least one.
        package var bids: [Bid] = []
        /// The id of the seat.
        package var seat: String?
        /// 1 when the bids win or lose together.
        package var isGroup: Int?
        package var ext: JSONValue?

        package init() {}

        package mutating func fields<Fields: RTBFields>(_ fields: inout Fields) {
            fields.objects("bid", &bids)
            fields.text("seat", &seat)
            fields.integer("group", &isGroup)
        }
    }
}
