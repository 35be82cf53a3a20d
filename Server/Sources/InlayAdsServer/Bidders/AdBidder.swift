import InlayServerCore
@_spi(Inlay) import InlayWire

/// A buyer's system that is asked for bids, over OpenRTB 2.6.
package struct AdBidder: AdRecord {
    package static let table = AdRecordTable.bidders

    package let id: AdBidderID
    package var name: String
    /// The URL that receives bid requests.
    package var endpoint: String
    /// The seat that it buys on; empty for any.
    package var seat: String
    /// Its id in the Global Vendor List of the TCF; without one it gets no personal data under the GDPR.
    package var vendorID: Int?
    /// Milliseconds at most, within the time that the auction has.
    package var timeout: Int
    /// Requests a second at most; 0 without limit.
    package var qps: Int
    /// Only these units; empty for all.
    package var unitIDs: [AdUnitID]
    package var isEnabled: Bool
    package var calledAddresses: [(field: String, url: String)] { [("endpoint", endpoint)] }

    /// A bidder with an endpoint.
    package init(
        id: AdBidderID = .make(), name: String, endpoint: String, seat: String = "",
        vendorID: Int? = nil,
        timeout: Int = 300, qps: Int = 0, unitIDs: [AdUnitID] = [], isEnabled: Bool = true
    ) {
        self.id = id
        self.name = name
        self.endpoint = endpoint
        self.seat = seat
        self.vendorID = vendorID
        (self.timeout, self.qps) = (timeout, qps)
        self.unitIDs = unitIDs
        self.isEnabled = isEnabled
    }

    package func checked() throws -> Self {
        var bidder = self
        bidder.name = try AdText.name(name)
        bidder.endpoint = try AdText.link(endpoint, "endpoint")
        guard !bidder.endpoint.isEmpty else {
            throw FieldErrors("endpoint", "Where bid requests go.")
        }
        bidder.seat = try AdText.line(seat, "seat", maximum: 64)
        if let vendorID { try AdText.number(vendorID, "vendorID", 1...65_535) }
        try AdText.number(timeout, "timeout", 10...30_000)
        try AdText.number(qps, "qps", 0...1_000_000)
        bidder.unitIDs = try unitIDs.map { try $0.checked("unitIDs") }
        return bidder
    }
}

/// The id of an ``AdBidder``; unique within an environment.
package struct AdBidderID: AdUUID {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }

    /// In counts and impressions: the ad is a campaign's.
    package static let noBidder = AdBidderID("")
}
