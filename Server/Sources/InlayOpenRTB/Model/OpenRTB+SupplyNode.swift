@_spi(Inlay) package import InlayWire

extension OpenRTB {
    /// A node of a supply chain.
    package struct SupplyNode: RTBObject {
        /// The domain of the seller's system.
        package var domain: String?
        /// The seller's id in that system.
        package var sellerID: String?
        /// The request's id in that system.
        package var requestID: String?
        /// The seller's name.
        package var name: String?
        /// The seller's domain.
        package var sellerDomain: String?
        /// 1 when the node is paid.
        package var isPaid: Int?
        package var ext: JSONValue?

        package init() {}

        package mutating func fields<Fields: RTBFields>(_ fields: inout Fields) {
            fields.text("asi", &domain)
            fields.text("sid", &sellerID)
            fields.text("rid", &requestID)
            fields.text("name", &name)
            fields.text("domain", &sellerDomain)
            fields.integer("hp", &isPaid)
        }
    }
}
