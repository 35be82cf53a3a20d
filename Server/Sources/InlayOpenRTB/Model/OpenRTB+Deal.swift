@_spi(Inlay) package import InlayWire

extension OpenRTB {
    /// A deal: terms that seller and buyer have agreed on.
    package struct Deal: RTBObject {
        /// The deal's id.
        package var id: String = ""
        /// The floor price per thousand impressions, in millionths.
        package var floorMicros: Int64?
        /// The currency of the floor, ISO 4217; USD by default.
        package var floorCurrency: String?
        /// 1 for first price, 2 for second price, 3 when the floor is the price.
        package var auctionType: Int?
        /// The seats that may use the deal; `nil` for all.
        package var allowedSeats: [String]?
        /// The domains of the advertisers that may use the deal; `nil` for all.
        package var allowedAdvertisers: [String]?
        /// 1 when the buyer has agreed to bid.
        package var isGuaranteed: Int?
        /// The floor price per thousand impressions and second of video, in millionths.
        package var floorPerSecondMicros: Int64?
        package var ext: JSONValue?

        package init() {}

        package mutating func fields<Fields: RTBFields>(_ fields: inout Fields) {
            fields.requiredText("id", &id)
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
