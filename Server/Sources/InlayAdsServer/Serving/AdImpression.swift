import InlayOpenRTB
import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// An ad that was served and may be shown once.
///
/// The price is stored here only: it is never sent to the device.
struct AdImpression: Sendable {
    let environmentID: EnvironmentID
    let id: AdImpressionID
    let unitID: AdUnitID
    /// Empty for a bidder's ad.
    var campaignID = AdCampaignID.noCampaign
    /// The id of an ``AdCreative``, or a bidder's id of its own creative.
    var creativeID = ""
    /// Empty for a campaign's ad.
    var bidderID = AdBidderID.noBidder
    var dealID = AdDealID.noDeal
    /// The price of this one impression: the price of a thousand in micros is the price of one in nanos.
    let priceNanos: Int64
    /// The billing URL of the bidder, called once the impression is billed.
    var burl: String?
    /// The user that the ad is shown to, as ``AdUser/text``.
    var userHashes = ""
    var windowStart: Int64 = 0
    /// The user of the app's own token; empty when there was none.
    var userID = UserID("")
    /// The device's address, as exact as the user's consent allows.
    var deviceAddress = ""
    var userAgent = ""
    /// The caller's network, as ``CallerAddress/block`` names it.
    var network = ""
    /// Whether network and user hold a part of the campaign's capacity with the impression, see ``AdHold``.
    var isHeld = false
    /// The length of the video, see ``AdEventTiming``; `nil` for an ad without video.
    var videoLength: Duration?
    /// The reason why the request was invalid traffic. Such an impression takes nothing from a campaign and is never
    /// booked.
    var invalid: AdRefusal?
    let madeAt: Timestamp
    /// The time until which the ad may be shown.
    let expiresAt: Timestamp
    /// The time until which trackers are accepted, later because they may wait in a device's outbox.
    let endsAt: Timestamp

    /// The time that trackers may take to arrive.
    static let grace: Duration = .seconds(86_400)
    /// The time that a view may take to arrive before its reservation is given back to the campaign.
    static let reservationGrace: Duration = .seconds(60)

    /// The time until which an unseen impression keeps the capacity that it took of a campaign; `nil` when it took
    /// none.
    private var reservedUntil: Timestamp? {
        campaignID.isEmpty || invalid != nil ? nil : expiresAt + Self.reservationGrace
    }

    func insert(_ connection: any SQLConnection) throws {
        try Self.columns.insert(self, in: connection)
    }

    private static let columns = RecordColumns<AdImpression>(
        of: "ad_impressions",
        [
            RecordColumn("environment_id") { .id($0.environmentID) },
            RecordColumn("id") { .id($0.id) },
            RecordColumn("unit_id") { .id($0.unitID) },
            RecordColumn("campaign_id") { .id($0.campaignID) },
            RecordColumn("creative_id") { .text($0.creativeID) },
            RecordColumn("bidder_id") { .id($0.bidderID) },
            RecordColumn("deal_id") { .id($0.dealID) },
            RecordColumn("price_nanos") { .integer($0.priceNanos) },
            RecordColumn("burl") { SQLValue($0.burl) },
            RecordColumn("person") { .text($0.userHashes) },
            RecordColumn("window_start") { .integer($0.windowStart) },
            RecordColumn("user_id") { .id($0.userID) },
            RecordColumn("device_ip") { .text($0.deviceAddress) },
            RecordColumn("user_agent") { .text($0.userAgent) },
            RecordColumn("made_at") { .moment($0.madeAt) },
            RecordColumn("expires_at") { .moment($0.expiresAt) },
            RecordColumn("open_until") { .moment($0.endsAt) },
            RecordColumn("ends_at") { .moment($0.endsAt) },
            RecordColumn("reserved_until") { .moment($0.reservedUntil) },
            RecordColumn("network") { .text($0.network) },
            RecordColumn("is_held") { .bool($0.isHeld) },
            RecordColumn("video_us") { SQLValue($0.videoLength?.microseconds) },
            RecordColumn("invalid") { .text($0.invalid?.rawValue ?? "") },
        ])

    /// Marks the impression as seen; returns `false` when it was seen before. Of several concurrent calls, on any
    /// nodes, one returns `true`.
    func markSeen(_ connection: any SQLConnection) throws -> Bool {
        try connection.execute(
            """
            UPDATE ad_impressions SET open_until = NULL
            WHERE environment_id = ? AND id = ? AND open_until IS NOT NULL
            """, key) == 1
    }

    /// Reverts ``markSeen(_:)`` within the same transaction, because the view is not booked.
    func markUnseen(_ connection: any SQLConnection) throws {
        try connection.execute(
            "UPDATE ad_impressions SET open_until = ends_at WHERE environment_id = ? AND id = ?", key)
    }

    /// Ends the reservation; returns `false` when it has ended already. Call it for an impression that was marked as
    /// seen in the same transaction: then no other transaction gives the reservation back.
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

    private var key: [SQLValue] { [.id(environmentID), .id(id)] }
}

extension AdImpression {
    init(_ row: SQLRow) throws {
        self.init(
            environmentID: try row.id("environment_id"), id: try row.id("id"),
            unitID: try row.id("unit_id"), campaignID: try row.id("campaign_id"),
            creativeID: try row.text("creative_id"), bidderID: try row.id("bidder_id"),
            dealID: try row.id("deal_id"), priceNanos: try row.int64("price_nanos"),
            burl: try row.optionalText("burl"), userHashes: try row.text("person"),
            windowStart: try row.int64("window_start"), userID: try row.id("user_id"),
            deviceAddress: try row.text("device_ip"), userAgent: try row.text("user_agent"),
            network: try row.text("network"),
            isHeld: try row.bool("is_held"),
            videoLength: try row.optionalInt64("video_us").map { .microseconds($0) },
            invalid: try row.optionalText("invalid").flatMap { $0.isEmpty ? nil : AdRefusal(rawValue: $0) },
            madeAt: try row.moment("made_at"), expiresAt: try row.moment("expires_at"),
            endsAt: try row.moment("ends_at"))
    }
}

/// The id of an ``AdImpression``, a UUIDv7. An auction has it before there is a winner.
package struct AdImpressionID: RecordID {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }

    /// Returns a new id.
    static func make(at moment: Timestamp) -> Self { Self(UUIDv7.make(at: moment)) }

    /// The value of an unknown impression, in counts.
    static let noImpression = AdImpressionID("")
}
