import InlaySQL
import InlayWire

/// One line of the ledger: this event of this impression happened, and this is what it costs.
///
/// The ledger knows an event of an impression once, by its key. The bill is the view; everything else is
/// free and kept because order and reports need it.
struct AdLedgerEntry: Sendable {
    let impression: AdImpression
    let event: AdEventName
    let bookedAt: Timestamp
    var detail: String?

    /// How long ago the ad was handed out.
    var age: Duration { bookedAt - impression.madeAt }
    private var amountNanos: Int64 { event == .view ? impression.priceNanos : 0 }
    private var key: [SQLValue] { [.text(impression.environmentID), .text(impression.id)] }

    func isBooked(_ connection: any SQLConnection, as event: AdEventName? = nil) throws -> Bool {
        try connection.row(
            "SELECT 1 AS one FROM ad_ledger WHERE environment_id = ? AND impression_id = ? AND event = ?",
            key + [.text((event ?? self.event).rawValue)]) != nil
    }

    /// What the unit gives now for a view to the end.
    func reward(_ connection: any SQLConnection) throws -> AdUnit.Reward? {
        let row = try connection.row(
            "SELECT settings FROM ad_units WHERE environment_id = ? AND id = ?",
            [.text(impression.environmentID), .text(impression.unitID)])
        guard let row else { return nil }
        return try CardJSON.value(try row.text("settings"), as: AdUnit.self).reward
    }

    func insert(_ connection: any SQLConnection) throws {
        let booked = try connection.execute(
            """
            INSERT INTO ad_ledger (environment_id, impression_id, event, unit_id, campaign_id, bidder_id, deal_id,
                day, amount_nanos, detail, booked_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (environment_id, impression_id, event) DO NOTHING
            """,
            key + [
                .text(event.rawValue), .text(impression.unitID), .text(impression.campaignID),
                .text(impression.bidderID), .text(impression.dealID), .integer(AdPace.day(of: bookedAt)),
                .integer(amountNanos), SQLValue(detail.map(Self.kept)), .moment(bookedAt),
            ])
        // Another node was faster between the look and this; it has counted.
        guard booked == 1 else { return }
        var day = AdDayCount()
        switch event {
        case .view: (day.impressions, day.revenueNanos) = (1, amountNanos)
        case .click: day.clicks = 1
        case .reward: day.rewards = 1
        default: return
        }
        try day.add(
            to: .init(
                environmentID: impression.environmentID, day: AdPace.day(of: bookedAt),
                unitID: impression.unitID, campaignID: impression.campaignID,
                bidderID: impression.bidderID), connection)
    }

    /// What came with the call, as far as it can be kept: anybody writes there what they like.
    private static func kept(_ detail: String) -> String {
        String(String.UnicodeScalarView(detail.unicodeScalars.filter { $0.value >= 32 }.prefix(64)))
    }

    /// Who has to be told: the buyer that is billed, the app's server whose user is rewarded.
    func queueNotices(_ signer: AdKey?, _ connection: any SQLConnection) throws {
        switch event {
        case .view:
            guard let burl = impression.burl else { return }
            let url = AdShownTime.filled(burl, shownAt: bookedAt)
            try AdNotice(impression, .burl, url: url, amountNanos: amountNanos, at: bookedAt)
                .queue(connection)
        case .reward:
            guard let signer, let reward = try reward(connection), !reward.callbackURL.isEmpty else { return }
            let url = try AdRewardQuery(impression: impression, reward: reward, at: bookedAt)
                .url(signedBy: signer)
            try AdNotice(impression, .reward, url: url, amountNanos: 0, at: bookedAt).queue(connection)
        default: return
        }
    }
}
