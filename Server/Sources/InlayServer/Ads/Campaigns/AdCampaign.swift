import InlayWire

/// Ads of one's own: shown before bidders are asked, or in place of none.
package struct AdCampaign: AdRecord {
    package static let table = AdRecordTable.campaigns

    /// How quickly a goal is worked off.
    package enum Pacing: String, Codable, Sendable, CaseIterable {
        /// As fast as requests come.
        case asap
        /// Evenly from the start to the end, and through each day.
        case even
    }

    /// How often one person may see it.
    package struct Cap: Codable, Hashable, Sendable {
        /// Impressions in one window.
        package var count: Int
        /// The window's length in seconds.
        package var seconds: Int64

        /// A cap for each window of so many seconds, counted from 1970.
        package init(count: Int, seconds: Int64) {
            self.count = count
            self.seconds = seconds
        }
    }

    package let id: String
    package var name: String
    /// 1 comes first, 10 last; equals take turns at random.
    package var priority: Int
    /// Shown only where neither a campaign nor a bidder filled the place.
    package var isHouse: Bool
    /// The price of a thousand impressions in micros, for reports and the budget.
    package var cpmMicros: Int64
    /// The most that may be spent, in micros; `nil` without limit.
    package var budgetMicros: Int64?
    /// Impressions in all; `nil` without limit.
    package var goal: Int64?
    /// Impressions a day (UTC); `nil` without limit.
    package var dailyGoal: Int64?
    package var startsAt: Timestamp?
    package var endsAt: Timestamp?
    package var pacing: Pacing
    package var cap: Cap?
    /// Only users of this segment; `nil` for everybody.
    package var segmentID: String?
    /// Only these units; empty for all.
    package var unitIDs: [String]
    package var isEnabled: Bool
    package var parentID: String { "" }
    /// Whether its room can be used up.
    var isLimited: Bool { goal != nil || dailyGoal != nil || budgetMicros != nil }

    /// A campaign without limits unless they are given.
    package init(
        id: String = AdRecordID.make(), name: String, priority: Int = 5, isHouse: Bool = false,
        cpmMicros: Int64 = 0, budgetMicros: Int64? = nil, goal: Int64? = nil, dailyGoal: Int64? = nil,
        startsAt: Timestamp? = nil, endsAt: Timestamp? = nil, pacing: Pacing = .asap, cap: Cap? = nil,
        segmentID: String? = nil, unitIDs: [String] = [], isEnabled: Bool = true
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
        try AdText.number(cpmMicros, "cpmMicros", 0...AdMoney.mostMicros)
        try AdText.number(budgetMicros ?? 0, "budgetMicros", 0...AdMoney.mostBudgetMicros)
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
        campaign.unitIDs = try unitIDs.map { try AdRecordID.checked($0, "unitIDs") }
        return campaign
    }
}
