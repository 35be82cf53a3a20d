import InlayWire

extension OpenRTB {
    /// The bids of one buyer.
    package struct SeatBid: RTBObject {
        /// At least one.
        package var bids: [Bid] = []
        /// The buyer.
        package var seat: String?
        /// 1: all of them or none.
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
