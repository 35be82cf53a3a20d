import InlayServerCore
@_spi(Inlay) import InlayWire

/// An agreement with some bidders: a floor of their own, and how they pay.
package struct AdDeal: AdRecord {
    package static let table = AdRecordTable.deals

    /// The price that the winner of a deal pays.
    package enum Price: String, Codable, Sendable, CaseIterable {
        /// The price that it bid.
        case first
        /// The price of the next bid, or the deal's floor.
        case second
        /// The deal's floor, whatever it bid.
        case fixed
    }

    /// The id that bidders know it by.
    package let id: AdDealID
    package var name: String
    /// The least price for a thousand impressions, in micros.
    package var floorMicros: Int64
    package var price: Price
    /// The bidders that may use it; empty for every bidder.
    package var bidderIDs: [AdBidderID]
    /// The units that it holds for; empty for all units.
    package var unitIDs: [AdUnitID]
    /// Whether advertisers outside deals are not wanted where this one holds.
    package var isPrivate: Bool
    package var isEnabled: Bool

    /// A deal for everybody everywhere unless it names bidders or units.
    package init(
        id: AdDealID, name: String, floorMicros: Int64, price: Price = .first, bidderIDs: [AdBidderID] = [],
        unitIDs: [AdUnitID] = [], isPrivate: Bool = false, isEnabled: Bool = true
    ) {
        self.id = id
        self.name = name
        (self.floorMicros, self.price) = (floorMicros, price)
        (self.bidderIDs, self.unitIDs) = (bidderIDs, unitIDs)
        (self.isPrivate, self.isEnabled) = (isPrivate, isEnabled)
    }

    package func checked() throws -> Self {
        var deal = self
        try AdText.id(id.rawValue)
        deal.name = try AdText.name(name)
        try AdText.number(floorMicros, "floorMicros", 0...AdMoney.maximumMicros)
        deal.unitIDs = try unitIDs.map { try $0.checked("unitIDs") }
        return deal
    }
}

/// The id of an ``AdDeal``, which people choose; unique within an environment.
package struct AdDealID: RecordID {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }

    /// In counts and impressions: the ad was bought without a deal.
    package static let noDeal = AdDealID("")
}
