import InlayServerCore
@_spi(Inlay) import InlayWire

/// An agreement with bidders: a floor price of its own, and the price that the winner pays.
package struct AdDeal: AdRecord {
    package static let table = AdRecordTable.deals

    /// The price that the winner of a deal pays.
    package enum Price: String, Codable, Sendable, CaseIterable {
        /// The winner's bid.
        case first
        /// The price of the next bid, or the deal's floor if it is higher.
        case second
        /// The deal's floor, whatever the winner bid.
        case fixed
    }

    /// The id of the deal in bid requests.
    package let id: AdDealID
    package var name: String
    /// The minimum price for a thousand impressions, in micros.
    package var floorMicros: Int64
    package var price: Price
    /// The bidders that may use the deal; empty for every bidder.
    package var bidderIDs: [AdBidderID]
    /// The units to which the deal applies; empty for all units.
    package var unitIDs: [AdUnitID]
    /// Whether units to which the deal applies accept no bids without a deal.
    package var isPrivate: Bool
    package var isEnabled: Bool

    /// Creates a deal; by default for all bidders and units.
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
        deal.bidderIDs = try bidderIDs.map { try $0.checked("bidderIDs") }
        deal.unitIDs = try unitIDs.map { try $0.checked("unitIDs") }
        return deal
    }
}

/// The id of an ``AdDeal``, which an operator chooses; unique within an environment.
package struct AdDealID: RecordID {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }

    /// The value for an ad without a deal, in counts and impressions.
    package static let noDeal = AdDealID("")
}
