import InlayWire

/// What was agreed with some bidders: a floor of their own, and how they pay.
package struct AdDeal: AdRecord {
    package static let table = AdRecordTable.deals

    /// What the winner of a deal pays.
    package enum Price: String, Codable, Sendable, CaseIterable {
        /// What it bid.
        case first
        /// What the next one bid, or the deal's floor.
        case second
        /// The deal's floor, whatever it bid.
        case fixed
    }

    /// What bidders know it by.
    package let id: String
    package var name: String
    /// The least price for a thousand impressions, in micros.
    package var floorMicros: Int64
    package var price: Price
    /// Who may use it; empty for every bidder.
    package var bidderIDs: [String]
    /// Where it holds; empty for all units.
    package var unitIDs: [String]
    /// Whether advertisers outside deals are not wanted where this one holds.
    package var isPrivate: Bool
    package var isEnabled: Bool
    package var parentID: String { "" }

    /// A deal for everybody everywhere unless it names bidders or units.
    package init(
        id: String, name: String, floorMicros: Int64, price: Price = .first, bidderIDs: [String] = [],
        unitIDs: [String] = [], isPrivate: Bool = false, isEnabled: Bool = true
    ) {
        self.id = id
        self.name = name
        (self.floorMicros, self.price) = (floorMicros, price)
        (self.bidderIDs, self.unitIDs) = (bidderIDs, unitIDs)
        (self.isPrivate, self.isEnabled) = (isPrivate, isEnabled)
    }

    package func checked() throws -> Self {
        var deal = self
        try AdText.id(id)
        deal.name = try AdText.name(name)
        try AdText.number(floorMicros, "floorMicros", 0...AdMoney.mostMicros)
        deal.unitIDs = try unitIDs.map { try AdRecordID.checked($0, "unitIDs") }
        return deal
    }
}
