import InlayWire

extension OpenRTB {
    /// Everybody who is paid for an impression.
    package struct SupplyChain: RTBObject {
        /// 1: it begins at the publisher.
        package var isComplete: Int?
        /// From publisher to exchange.
        package var nodes: [SupplyNode] = []
        /// `1.0`.
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
