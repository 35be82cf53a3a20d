import InlayOpenRTB
import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The counts of one line of a day.
package struct AdDayCount: Hashable, Sendable {
    /// Ad requests, on lines without campaign and bidder; bid requests, on a bidder's lines.
    package var requests: Int64 = 0
    /// Ads served.
    package var fills: Int64 = 0
    /// Ads seen: the views in the ledger.
    package var impressions: Int64 = 0
    /// Clicks in the ledger.
    package var clicks: Int64 = 0
    /// Rewards in the ledger.
    package var rewards: Int64 = 0
    /// The ledger's sum, in nanos of the currency.
    package var revenueNanos: Int64 = 0

    /// Nothing counted.
    package init() {}

    /// The key of a line.
    struct Line: Hashable, Sendable {
        let environmentID: EnvironmentID
        let day: Int64
        let unitID: AdUnitID
        let campaignID: AdCampaignID
        let bidderID: AdBidderID

        package init(
            environmentID: EnvironmentID, day: Int64, unitID: AdUnitID,
            campaignID: AdCampaignID = .noCampaign,
            bidderID: AdBidderID = .noBidder
        ) {
            self.environmentID = environmentID
            self.day = day
            self.unitID = unitID
            self.campaignID = campaignID
            self.bidderID = bidderID
        }
    }

    func add(to line: Line, _ connection: any SQLConnection) throws {
        try Self.table.add(
            [requests, fills, impressions, clicks, rewards, revenueNanos], to: Self.table.counts,
            key: [
                .id(line.environmentID), .integer(line.day), .id(line.unitID), .id(line.campaignID),
                .id(line.bidderID),
            ], in: connection)
    }

    /// Folds the rows of all writers into one row, for each line of a day before yesterday.
    static func fold(at moment: Timestamp, in database: any SQLDatabase) async throws {
        try await table.fold(where: "day < ?", [.integer(AdPace.day(of: moment) - 1)], in: database)
    }

    private static let table = CounterTable(
        name: "ad_days", key: ["environment_id", "day", "unit_id", "campaign_id", "bidder_id"],
        counts: ["requests", "fills", "impressions", "clicks", "rewards", "revenue_nanos"])
}

extension AdDayCount {
    init(_ row: SQLRow) throws {
        self.init()
        requests = try row.int64("requests")
        fills = try row.int64("fills")
        impressions = try row.int64("impressions")
        clicks = try row.int64("clicks")
        rewards = try row.int64("rewards")
        revenueNanos = try row.int64("revenue_nanos")
    }

    /// Returns the sum of two counts.
    package static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.requests += right.requests
        sum.fills += right.fills
        sum.impressions += right.impressions
        sum.clicks += right.clicks
        sum.rewards += right.rewards
        sum.revenueNanos += right.revenueNanos
        return sum
    }
}
