import InlaySQL
import InlayWire

/// An ad that was handed out and may be shown once.
///
/// Its price is here and nowhere else: it never travels through the device.
struct AdImpression: Sendable {
    let environmentID: String
    /// A UUIDv7.
    let id: String
    let unitID: String
    /// Empty for a bidder's.
    var campaignID = ""
    var creativeID = ""
    /// Empty for a campaign's.
    var bidderID = ""
    var dealID = ""
    /// What this one impression costs: the price of a thousand in micros is the price of one in nanos.
    let priceNanos: Int64
    /// Called once it is billed.
    var burl: String?
    /// Who sees it, as ``AdPerson/text``.
    var person = ""
    var windowStart: Int64 = 0
    /// The user of the app's own token; empty when there was none.
    var userID = ""
    /// As far as the user agreed that others are told it.
    var deviceAddress = ""
    var userAgent = ""
    let madeAt: Timestamp
    /// Until when it may be shown.
    let expiresAt: Timestamp
    /// Until when its trackers are taken: what waited in a device's outbox comes later than it was shown.
    let endsAt: Timestamp

    /// How long trackers may be under way.
    static let grace: Duration = .seconds(86_400)

    func insert(_ connection: any SQLConnection) throws {
        try connection.execute(
            """
            INSERT INTO ad_impressions (environment_id, id, unit_id, campaign_id, creative_id, bidder_id, deal_id,
                price_nanos, burl, person, window_start, user_id, device_ip, user_agent, made_at, expires_at,
                open_until, ends_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(environmentID), .text(id), .text(unitID), .text(campaignID), .text(creativeID),
                .text(bidderID), .text(dealID), .integer(priceNanos), SQLValue(burl), .text(person),
                .integer(windowStart), .text(userID), .text(deviceAddress), .text(userAgent),
                .moment(madeAt), .moment(expiresAt), .moment(endsAt), .moment(endsAt),
            ])
    }

    /// Closes it, for good: a view keeps what it took, its end without a view gives that back.
    ///
    /// `false` when it was closed already; of two who try at once, on any nodes, one closes it.
    func close(_ connection: any SQLConnection) throws -> Bool {
        try connection.execute(
            """
            UPDATE ad_impressions SET open_until = NULL
            WHERE environment_id = ? AND id = ? AND open_until IS NOT NULL
            """, [.text(environmentID), .text(id)]) == 1
    }
}

extension AdImpression {
    init(_ row: SQLRow) throws {
        self.init(
            environmentID: try row.text("environment_id"), id: try row.text("id"),
            unitID: try row.text("unit_id"), campaignID: try row.text("campaign_id"),
            creativeID: try row.text("creative_id"), bidderID: try row.text("bidder_id"),
            dealID: try row.text("deal_id"), priceNanos: try row.int64("price_nanos"),
            burl: try row.optionalText("burl"), person: try row.text("person"),
            windowStart: try row.int64("window_start"), userID: try row.text("user_id"),
            deviceAddress: try row.text("device_ip"), userAgent: try row.text("user_agent"),
            madeAt: try row.moment("made_at"), expiresAt: try row.moment("expires_at"),
            endsAt: try row.moment("ends_at"))
    }
}
