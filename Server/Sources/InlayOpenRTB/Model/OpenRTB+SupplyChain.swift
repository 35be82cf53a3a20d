@_spi(Inlay) package import InlayWire

extension OpenRTB {
    /// The sellers that are paid for an impression (`schain`).
    package struct SupplyChain: RTBObject {
        /// 1 when the chain starts at the publisher.
        package var isComplete: Int?
        /// The nodes from the publisher to the exchange.
        package var nodes: [SupplyNode] = []
        /// The version of the specification, `1.0`.
        package var chainVersion: String?
        package var ext: JSONValue?

        package init() {}

        package mutating func fields<Fields: RTBFields>(_ fields: inout Fields) {
            fields.integer("complete", &isComplete)
            fields.objects("nodes", &nodes)
            fields.text("ver", &chainVersion)
        }
    }
}
