import InlayOpenRTB
import InlayWorkbench

/// The addresses of a creative that have http: apps fetch them with https, and never otherwise.
struct PlainAddresses {
    /// One of them, with the part of the creative that names it.
    struct Row {
        let plainAddress: String
        let plainPlace: String
    }

    /// The number of addresses as a text, for example `3 addresses`.
    let plainCount: String
    let plainAddressText: String
    let plainRows: [Row]
    let plainMore: String?

    /// `nil` when there are none.
    init?(_ rows: [(place: String, address: String)], count: Int) {
        guard count > 0 else { return nil }
        plainCount = count == 1 ? "1 address" : "\(Count.grouped(count)) addresses"
        plainAddressText =
            "Apps fetch \(count == 1 ? "it" : "them") over https. A server that does not answer over https is not "
            + "called, and its file is missing from the ad."
        plainRows = rows.map { Row(plainAddress: $0.address, plainPlace: $0.place) }
        plainMore = count > rows.count ? "and \(Count.grouped(count - rows.count)) more" : nil
    }

    /// The addresses that HTML loads.
    init?(html: String, plainHosts: Set<String>) {
        let found = OpenRTB.Address.insecureLoads(html, except: plainHosts)
        self.init(found.prefix(50).map { ("HTML", $0) }, count: found.count)
    }
}
