package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// A campaign of the operator's own ads. It is served before bidders are called; a house campaign is served
/// when there is no other ad.
package struct AdCampaign: AdRecord {
    package static let table = AdRecordTable.campaigns

    /// The speed at which a goal is delivered.
    package enum Pacing: String, Codable, Sendable, CaseIterable {
        /// As fast as requests come.
        case asap
        /// Evenly from the start to the end, and through each day.
        case even
    }

    /// The frequency cap for one user.
    package struct Cap: Codable, Hashable, Sendable {
        /// Impressions in one window.
        package var count: Int
        /// The window's length in seconds.
        package var seconds: Int64

        /// Creates a cap for windows of a number of seconds, the first of which began with 1970 (UTC).
        package init(count: Int, seconds: Int64) {
            self.count = count
            self.seconds = seconds
        }
    }

    package let id: AdCampaignID
    package var name: String
    /// 1 is served first, 10 last; campaigns of the same priority in random order.
    package var priority: Int
    /// Whether the campaign is served only when neither another campaign nor a bidder has an ad.
    package var isHouse: Bool
    /// The price of a thousand impressions in micros, for reports and the budget.
    package var cpmMicros: Int64
    /// The maximum amount that may be spent, in micros; `nil` for no limit.
    package var budgetMicros: Int64?
    /// Impressions in total; `nil` for no limit.
    package var goal: Int64?
    /// Impressions a day (UTC); `nil` for no limit.
    package var dailyGoal: Int64?
    package var startsAt: Timestamp?
    package var endsAt: Timestamp?
    package var pacing: Pacing
    package var cap: Cap?
    /// The segment whose users may see the campaign; `nil` for all users.
    package var segmentID: SegmentID?
    /// The units at which the campaign is served; empty for all.
    package var unitIDs: [AdUnitID]
    package var isEnabled: Bool
    /// Whether the campaign's capacity can be used up.
    var isLimited: Bool { goal != nil || dailyGoal != nil || budgetMicros != nil }

    /// Creates a campaign; by default without limits.
    package init(
        id: AdCampaignID = .make(), name: String, priority: Int = 5, isHouse: Bool = false,
        cpmMicros: Int64 = 0, budgetMicros: Int64? = nil, goal: Int64? = nil, dailyGoal: Int64? = nil,
        startsAt: Timestamp? = nil, endsAt: Timestamp? = nil, pacing: Pacing = .asap, cap: Cap? = nil,
        segmentID: SegmentID? = nil, unitIDs: [AdUnitID] = [], isEnabled: Bool = true
    ) {
        self.id = id
        self.name = name
        (self.priority, self.isHouse) = (priority, isHouse)
        (self.cpmMicros, self.budgetMicros) = (cpmMicros, budgetMicros)
        (self.goal, self.dailyGoal) = (goal, dailyGoal)
        (self.startsAt, self.endsAt) = (startsAt, endsAt)
        (self.pacing, self.cap, self.segmentID) = (pacing, cap, segmentID)
        self.unitIDs = unitIDs
        self.isEnabled = isEnabled
    }

    package func checked() throws -> Self {
        var campaign = self
        campaign.name = try AdText.name(name)
        try AdText.number(priority, "priority", 1...10)
        try AdText.number(cpmMicros, "cpmMicros", 0...AdMoney.maximumMicros)
        try AdText.number(budgetMicros ?? 0, "budgetMicros", 0...AdMoney.maximumBudgetMicros)
        try AdText.number(goal ?? 1, "goal", 1...1_000_000_000_000)
        try AdText.number(dailyGoal ?? 1, "dailyGoal", 1...1_000_000_000_000)
        if let cap {
            try AdText.number(cap.count, "cap", 1...10_000)
            try AdText.number(cap.seconds, "cap", 60...31_622_400)
        }
        if let startsAt, let endsAt, endsAt <= startsAt {
            throw FieldErrors("endsAt", "Later than the start.")
        }
        if pacing == .even, goal != nil, startsAt == nil || endsAt == nil {
            throw FieldErrors("pacing", "An even pace to a goal needs a start and an end.")
        }
        campaign.unitIDs = try unitIDs.map { try $0.checked("unitIDs") }
        return campaign
    }
}

/// The id of an ``AdCampaign``; unique within an environment.
package struct AdCampaignID: AdUUID {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }

    /// The value for a bidder's ad, in counts and impressions.
    package static let noCampaign = AdCampaignID("")
}
