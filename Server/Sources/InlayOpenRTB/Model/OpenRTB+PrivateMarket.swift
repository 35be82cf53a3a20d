@_spi(Inlay) package import InlayWire

extension OpenRTB {
    /// The private marketplace of an impression (`pmp`).
    package struct PrivateMarket: RTBObject {
        /// 1 when only bids with a deal are accepted.
        package var isPrivate: Int?
        /// The deals.
        package var deals: [Deal] = []
        package var ext: JSONValue?

        package init() {}

        package mutating func fields<Fields: RTBFields>(_ fields: inout Fields) {
            fields.integer("private_auction", &isPrivate)
            fields.objects("deals", &deals)
        }
    }
}
