import InlayOpenRTB
import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// One line of the ledger: an event of an impression, and its price.
///
/// The key of the ledger allows each event of an impression once. The view is billed; the other events are free, and
/// needed for the order of events and for reports.
struct AdLedgerEntry: Sendable {
    let impression: AdImpression
    let event: AdEventName
    let bookedAt: Timestamp
    var detail: String?

    /// The time since the ad was served.
    var age: Duration { bookedAt - impression.madeAt }
    private var amountNanos: Int64 { event == .view ? impression.priceNanos : 0 }
    private var key: [SQLValue] { [.id(impression.environmentID), .id(impression.id)] }

    /// Returns when an event of the impression was booked, by default this one; `nil` when it was not.
    func moment(of event: AdEventName? = nil, _ connection: any SQLConnection) throws -> Timestamp? {
        try connection.row(
            "SELECT booked_at FROM ad_ledger WHERE environment_id = ? AND impression_id = ? AND event = ?",
            key + [.text((event ?? self.event).rawValue)]
        )?.moment("booked_at")
    }

    func isBooked(_ connection: any SQLConnection, as event: AdEventName? = nil) throws -> Bool {
        try moment(of: event, connection) != nil
    }

    /// Returns the reward that the unit gives now for a view to the end.
    func reward(_ connection: any SQLConnection) throws -> AdUnit.Reward? {
        let row = try connection.row(
            "SELECT settings FROM ad_units WHERE environment_id = ? AND id = ?",
            [.id(impression.environmentID), .id(impression.unitID)])
        guard let row else { return nil }
        return try JSONColumn.value(try row.text("settings"), as: AdUnit.self).reward
    }

    private static let columns = RecordColumns<AdLedgerEntry>(
        of: "ad_ledger", onConflict: .ignore(key: ["environment_id", "impression_id", "event"]),
        [
            RecordColumn("environment_id") { .id($0.impression.environmentID) },
            RecordColumn("impression_id") { .id($0.impression.id) },
            RecordColumn("event") { .text($0.event.rawValue) },
            RecordColumn("unit_id") { .id($0.impression.unitID) },
            RecordColumn("campaign_id") { .id($0.impression.campaignID) },
            RecordColumn("bidder_id") { .id($0.impression.bidderID) },
            RecordColumn("deal_id") { .id($0.impression.dealID) },
            RecordColumn("day") { .integer(AdPace.day(of: $0.bookedAt)) },
            RecordColumn("amount_nanos") { .integer($0.amountNanos) },
            RecordColumn("detail") { SQLValue($0.detail.map(kept)) },
            RecordColumn("booked_at") { .moment($0.bookedAt) },
        ])

    /// Inserts and counts the event; returns `false` when another node has done so since the check.
    func insert(_ connection: any SQLConnection) throws -> Bool {
        guard try Self.columns.insert(self, in: connection) == 1 else { return false }
        var day = AdDayCount()
        switch event {
        case .view: (day.impressions, day.revenueNanos) = (1, amountNanos)
        case .click: day.clicks = 1
        case .reward: day.rewards = 1
        default: return true
        }
        try day.add(
            to: .init(
                environmentID: impression.environmentID, day: AdPace.day(of: bookedAt),
                unitID: impression.unitID, campaignID: impression.campaignID,
                bidderID: impression.bidderID), connection)
        return true
    }

    /// Returns the part of the call's detail that can be kept: the caller controls the text.
    private static func kept(_ detail: String) -> String {
        String(String.UnicodeScalarView(detail.unicodeScalars.filter { $0.value >= 32 }.prefix(64)))
    }

    /// Queues the notices: to the buyer that is billed, and to the app's server whose user is rewarded.
    func queueNotices(_ signer: AdKey?, _ connection: any SQLConnection) throws {
        switch event {
        case .view:
            guard let burl = impression.burl else { return }
            let url = AdShownTime.filled(burl, shownAt: bookedAt)
            let bill = AdNotice(impression, .burl, url: url, amountNanos: amountNanos, at: bookedAt)
            try AdNotice.queue([bill], connection)
        case .reward:
            guard let signer, let reward = try reward(connection), !reward.callbackURL.isEmpty else { return }
            let url = try AdRewardQuery(impression: impression, reward: reward, earnedAt: bookedAt)
                .url(signedBy: signer)
            let notice = AdNotice(impression, .reward, url: url, amountNanos: 0, at: bookedAt)
            try AdNotice.queue([notice], connection)
        default: return
        }
    }
}
