import InlayServerCore
@_spi(Inlay) import InlayWire

/// A buyer's system that receives bid requests over OpenRTB 2.6.
package struct AdBidder: AdRecord {
    package static let table = AdRecordTable.bidders

    package let id: AdBidderID
    package var name: String
    /// The URL that receives bid requests.
    package var endpoint: String
    /// The seat that the bidder buys for; empty for any.
    package var seat: String
    /// The bidder's id in the TCF's Global Vendor List; without one, it gets no personal data under the GDPR.
    package var vendorID: Int?
    /// The maximum time of a response in milliseconds; the auction may allow less.
    package var timeout: Int
    /// The maximum number of requests a second; 0 for no limit.
    package var qps: Int
    /// The units for which the bidder gets requests; empty for all.
    package var unitIDs: [AdUnitID]
    package var isEnabled: Bool
    package var calledAddresses: [(field: String, url: String)] { [("endpoint", endpoint)] }

    /// Creates a bidder; by default with 300 ms, without a rate limit and for all units.
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

    /// The value for a campaign's ad, in counts and impressions.
    package static let noBidder = AdBidderID("")
}
