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
    /// The caller's network, as ``CallerNetwork/block(of:)`` names it.
    var network = ""
    /// Whether network and user hold a part of the campaign's room with it, see ``AdHold``.
    var isHeld = false
    /// How long its video is, as far as anybody says.
    var videoLength: Duration?
    /// Why its request was invalid traffic: it takes nothing from a campaign, and nothing of it is ever booked.
    var invalid: AdRefusal?
    let madeAt: Timestamp
    /// Until when it may be shown.
    let expiresAt: Timestamp
    /// Until when its trackers are taken: what waited in a device's outbox comes later than it was shown.
    let endsAt: Timestamp

    /// How long trackers may be under way.
    static let grace: Duration = .seconds(86_400)
    /// How long a view may be under way before what its impression took is given back to the campaign.
    static let reservationGrace: Duration = .seconds(60)

    /// Until when an unseen impression keeps what it took of its campaign; `nil` when it took nothing.
    private var reservedUntil: Timestamp? {
        campaignID.isEmpty || invalid != nil ? nil : expiresAt + Self.reservationGrace
    }

    func insert(_ connection: any SQLConnection) throws {
        try connection.execute(
            """
            INSERT INTO ad_impressions (environment_id, id, unit_id, campaign_id, creative_id, bidder_id, deal_id,
                price_nanos, burl, person, window_start, user_id, device_ip, user_agent, made_at, expires_at,
                open_until, ends_at, reserved_until, network, is_held, video_us, invalid)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(environmentID), .text(id), .text(unitID), .text(campaignID), .text(creativeID),
                .text(bidderID), .text(dealID), .integer(priceNanos), SQLValue(burl), .text(person),
                .integer(windowStart), .text(userID), .text(deviceAddress), .text(userAgent),
                .moment(madeAt), .moment(expiresAt), .moment(endsAt), .moment(endsAt),
                .moment(reservedUntil), .text(network), .bool(isHeld), SQLValue(videoLength?.microseconds),
                .text(invalid?.rawValue ?? ""),
            ])
    }

    /// Marks it as seen, for good; `false` when it was before. Of two who try at once, on any nodes, one does it.
    func markSeen(_ connection: any SQLConnection) throws -> Bool {
        try connection.execute(
            """
            UPDATE ad_impressions SET open_until = NULL
            WHERE environment_id = ? AND id = ? AND open_until IS NOT NULL
            """, key) == 1
    }

    /// Takes the mark back within the same transaction: its view is not booked after all.
    func markUnseen(_ connection: any SQLConnection) throws {
        try connection.execute(
            "UPDATE ad_impressions SET open_until = ends_at WHERE environment_id = ? AND id = ?", key)
    }

    /// Ends its reservation; `false` when it has ended already. Call it for an impression that was marked as seen in
    /// the same transaction, and nobody else gives the reservation back.
    func endReservation(_ connection: any SQLConnection) throws -> Bool {
        try connection.execute(
            """
            UPDATE ad_impressions SET reserved_until = NULL
            WHERE environment_id = ? AND id = ? AND reserved_until IS NOT NULL
            """, key) == 1
    }

    /// Ends the reservation of an impression that nobody has seen; `false` when it was seen or has ended.
    func endUnseenReservation(_ connection: any SQLConnection) throws -> Bool {
        try connection.execute(
            """
            UPDATE ad_impressions SET reserved_until = NULL
            WHERE environment_id = ? AND id = ? AND reserved_until IS NOT NULL AND open_until IS NOT NULL
            """, key) == 1
    }

    private var key: [SQLValue] { [.text(environmentID), .text(id)] }
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
            network: try row.text("network"),
            isHeld: try row.bool("is_held"),
            videoLength: try row.optionalInt64("video_us").map { .microseconds($0) },
            invalid: try row.optionalText("invalid").flatMap { $0.isEmpty ? nil : AdRefusal(rawValue: $0) },
            madeAt: try row.moment("made_at"), expiresAt: try row.moment("expires_at"),
            endsAt: try row.moment("ends_at"))
    }
}
