import InlayWire

extension OpenRTB {
    /// One who is paid.
    package struct SupplyNode: RTBObject {
        /// The system's domain.
        package var domain: String?
        /// The seller in that system.
        package var sellerID: String?
        /// The request there.
        package var requestID: String?
        /// Of the seller.
        package var name: String?
        /// Of the seller.
        package var sellerDomain: String?
        /// 1: money goes through it.
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
