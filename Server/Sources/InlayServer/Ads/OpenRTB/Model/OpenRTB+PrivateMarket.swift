import InlayWire

extension OpenRTB {
    /// The deals of an impression.
    package struct PrivateMarket: RTBObject {
        /// 1: only bids with a deal are taken.
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
