@_spi(Inlay) package import InlayWire

extension OpenRTB {
    /// The source of a request.
    package struct Source: RTBObject {
        /// 1 when an upstream system makes the final decision.
        package var finalDecision: Int?
        /// The id that all requests for one impression share.
        package var transactionID: String?
        /// The payment chain; superseded by `supplyChain`.
        package var paymentChain: String?
        /// The supply chain.
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
