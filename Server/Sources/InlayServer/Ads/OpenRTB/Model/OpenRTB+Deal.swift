import InlayWire

extension OpenRTB {
    /// Terms that seller and buyer agreed before.
    package struct Deal: RTBObject {
        /// The deal.
        package var id: String = ""
        /// The least price per thousand.
        package var floorMicros: Int64?
        /// ISO 4217; USD when it is not told.
        package var floorCurrency: String?
        /// 1 first price, 2 second price, 3 the floor is the price.
        package var auctionType: Int?
        /// Seats that may use it; all when none is named.
        package var allowedSeats: [String]?
        /// Advertisers' domains that may use it; all when none is named.
        package var allowedAdvertisers: [String]?
        /// 1: the buyer agreed to bid.
        package var isGuaranteed: Int?
        /// The least price per thousand for each second of video.
        package var floorPerSecondMicros: Int64?
        package var ext: JSONValue?

        package init() {}

        package mutating func fields<Fields: RTBFields>(_ fields: inout Fields) {
            fields.needed("id", &id)
            fields.micros("bidfloor", &floorMicros)
            fields.text("bidfloorcur", &floorCurrency)
            fields.integer("at", &auctionType)
            fields.texts("wseat", &allowedSeats)
            fields.texts("wadomain", &allowedAdvertisers)
            fields.integer("guar", &isGuaranteed)
            fields.micros("mincpmpersec", &floorPerSecondMicros)
        }
    }
}
