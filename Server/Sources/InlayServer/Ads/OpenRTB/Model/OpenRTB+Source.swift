import InlayWire

extension OpenRTB {
    /// Who sells, and through whom.
    package struct Source: RTBObject {
        /// 1: somebody behind the exchange decides.
        package var finalDecision: Int?
        /// The same in all requests for one impression.
        package var transactionID: String?
        /// Superseded by `supplyChain`.
        package var paymentChain: String?
        /// Everybody who is paid.
        package var supplyChain: SupplyChain?
        package var ext: JSONValue?

        package init() {}

        package mutating func fields<Fields: RTBFields>(_ fields: inout Fields) {
            fields.integer("fd", &finalDecision)
            fields.text("tid", &transactionID)
            fields.text("pchain", &paymentChain)
            fields.object("schain", &supplyChain)
        }
    }
}
