import InlayOpenRTB
import InlayWorkbench

/// The addresses of a creative that use http. Apps load them over https only.
struct InsecureAddresses {
    /// An address, with the part of the creative that names it.
    struct Row {
        let plainAddress: String
        let plainPlace: String
    }

    /// The number of addresses as a text, for example `3 addresses`.
    let plainCount: String
    let plainAddressText: String
    let plainRows: [Row]
    let plainMore: String?

    /// Creates the list; `nil` when `count` is 0, the number of addresses with those that are not listed.
    init?(_ rows: [(place: String, address: String)], count: Int) {
        guard count > 0 else { return nil }
        plainCount = count == 1 ? "1 address" : "\(Count.grouped(count)) addresses"
        plainAddressText =
            "Apps fetch \(count == 1 ? "it" : "them") over https. A server that does not answer over https is not "
            + "called, and its file is missing from the ad."
        plainRows = rows.map { Row(plainAddress: $0.address, plainPlace: $0.place) }
        plainMore = count > rows.count ? "and \(Count.grouped(count - rows.count)) more" : nil
    }

    /// Creates the list of the addresses that HTML loads, at most 50 of them.
    init?(html: String, cleartextHosts: Set<String>) {
        let found = OpenRTB.Address.insecureLoads(html, except: cleartextHosts)
        self.init(found.prefix(50).map { ("HTML", $0) }, count: found.count)
    }
}
