import InlayOpenRTB
import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// A reservation of one impression of a campaign, within its goal, daily goal, budget and frequency cap.
///
/// The impression is taken when the ad is served and given back when nobody has seen the ad in time. A view that comes
/// later takes it again, or is refused, so bookings never exceed the limits. Every step is one statement that changes
/// the row only while capacity is left, so that nodes that share a database count exactly.
struct AdReservation {
    /// The value of `ad_progress.day` in the row that counts the campaign's whole life.
    static let wholeLife: Int64 = -1

    let environmentID: EnvironmentID
    let campaignID: AdCampaignID
    let priceNanos: Int64
    let user: AdUser
    /// The day (UTC) for which the impression counts.
    let day: Int64
    /// The start of the cap's window; 0 without a cap.
    let windowStart: Int64
    private let hold: AdHold?

    /// The impressions and the spending that a campaign allows; `.max` without a limit.
    private struct Allowance {
        let total: Int64
        let today: Int64
        let nanos: Int64

        /// The allowance at a moment, by the campaign's pacing.
        init(_ campaign: AdCampaign, at moment: Timestamp) {
            self.init(
                campaign, total: AdPace.allowed(campaign, at: moment),
                today: AdPace.allowedToday(campaign, at: moment))
        }

        /// The allowance without pacing, for an ad that was shown already.
        init(atItsEnd campaign: AdCampaign) {
            self.init(campaign, total: campaign.goal ?? .max, today: campaign.dailyGoal ?? .max)
        }

        private init(_ campaign: AdCampaign, total: Int64, today: Int64) {
            (self.total, self.today) = (total, today)
            nanos = campaign.budgetMicros.map { $0 * AdMoney.nanosPerMicro } ?? .max
        }
    }

    /// Creates a reservation that is not taken yet.
    init(
        _ environmentID: EnvironmentID, _ campaign: AdCampaign, user: AdUser, holds hold: AdHold?,
        at moment: Timestamp
    ) {
        self.environmentID = environmentID
        campaignID = campaign.id
        priceNanos = campaign.cpmMicros
        self.user = user
        day = AdPace.day(of: moment)
        let window = (campaign.cap?.seconds ?? 0) * 1_000_000
        windowStart = window > 0 ? moment.microseconds / window * window : 0
        self.hold = hold
    }

    /// Takes the impression; returns `false` and changes nothing when no capacity is left.
    func take(_ campaign: AdCampaign, at moment: Timestamp, in connection: any SQLConnection) throws -> Bool {
        let allowance = Allowance(campaign, at: moment)
        guard try takeCap(campaign, connection) else { return false }
        guard try takeHold(allowance, connection) else {
            try giveBackCap(connection)
            return false
        }
        guard try takeProgress(allowance, connection) else {
            try giveBackCap(connection)
            try hold?.release(connection)
            return false
        }
        return true
    }

    /// Takes an impression again that was given back before its view came; returns `false` and changes nothing when the
    /// campaign has no capacity left, or was deleted.
    ///
    /// The impression counts for the day and the cap's window in which the ad was served.
    static func takeAgain(_ impression: AdImpression, in connection: any SQLConnection) throws -> Bool {
        let row = try connection.row(
            "SELECT settings FROM ad_campaigns WHERE environment_id = ? AND id = ?",
            [.id(impression.environmentID), .id(impression.campaignID)])
        guard let row else { return false }
        let campaign = try JSONColumn.value(try row.text("settings"), as: AdCampaign.self)
        let reservation = Self(impression)
        if let cap = campaign.cap, reservation.windowStart > 0 {
            guard try reservation.takeCap(cap, connection) else { return false }
        }
        guard try reservation.takeProgress(Allowance(atItsEnd: campaign), connection) else {
            try reservation.giveBackCap(connection)
            return false
        }
        return true
    }

    private func takeHold(_ allowance: Allowance, _ connection: any SQLConnection) throws -> Bool {
        guard let hold else { return true }
        let taken = try connection.rows(
            """
            SELECT day, taken, taken_nanos FROM ad_progress
            WHERE environment_id = ? AND campaign_id = ? AND day IN (?, ?)
            """, [.id(environmentID), .id(campaignID), .integer(Self.wholeLife), .integer(day)])
        var left = min(allowance.total, allowance.today)
        if priceNanos > 0 { left = min(left, allowance.nanos / priceNanos) }
        for row in taken {
            guard try row.int64("day") == Self.wholeLife else {
                left = min(left, allowance.today - (try row.int64("taken")))
                continue
            }
            left = min(left, allowance.total - (try row.int64("taken")))
            if priceNanos > 0 {
                left = min(left, (allowance.nanos - (try row.int64("taken_nanos"))) / priceNanos)
            }
        }
        return try hold.take(left: left, connection)
    }

    /// Counts one impression for the whole life and one for the day, or none. Days without a goal are not counted.
    private func takeProgress(_ allowance: Allowance, _ connection: any SQLConnection) throws -> Bool {
        guard
            try takeProgress(
                Self.wholeLife, maximum: allowance.total, budget: allowance.nanos, connection)
        else { return false }
        guard allowance.today < .max else { return true }
        guard try takeProgress(day, maximum: allowance.today, budget: .max, connection) else {
            try giveBackProgress(Self.wholeLife, connection)
            return false
        }
        return true
    }

    /// Counts one impression for each hash of the user, or none.
    private func takeCap(_ campaign: AdCampaign, _ connection: any SQLConnection) throws -> Bool {
        guard let cap = campaign.cap else { return true }
        // Without a hash, the ads that a user has seen cannot be counted.
        guard !user.hashes.isEmpty else { return false }
        return try takeCap(cap, connection)
    }

    private func takeCap(_ cap: AdCampaign.Cap, _ connection: any SQLConnection) throws -> Bool {
        for (index, hash) in user.hashes.enumerated() {
            guard try takeCap(cap, hash, connection) else {
                for taken in user.hashes.prefix(index) { try giveBackCap(taken, connection) }
                return false
            }
        }
        return true
    }

    private func takeCap(
        _ cap: AdCampaign.Cap, _ hash: String, _ connection: any SQLConnection
    ) throws -> Bool {
        let row = try connection.row(
            """
            INSERT INTO ad_frequency (environment_id, campaign_id, person, window_start, taken, ends_at)
            VALUES (?, ?, ?, ?, 1, ?)
            ON CONFLICT (environment_id, campaign_id, person, window_start)
                DO UPDATE SET taken = ad_frequency.taken + 1 WHERE ad_frequency.taken < ?
            RETURNING taken
            """,
            [
                .id(environmentID), .id(campaignID), .text(hash), .integer(windowStart),
                .integer(windowStart + cap.seconds * 1_000_000), .int(cap.count),
            ])
        return row != nil
    }

    private func takeProgress(
        _ day: Int64, maximum: Int64, budget: Int64, _ connection: any SQLConnection
    ) throws -> Bool {
        guard maximum > 0, priceNanos <= budget else { return false }
        let row = try connection.row(
            """
            INSERT INTO ad_progress (environment_id, campaign_id, day, taken, taken_nanos) VALUES (?, ?, ?, 1, ?)
            ON CONFLICT (environment_id, campaign_id, day) DO UPDATE SET taken = ad_progress.taken + 1,
                taken_nanos = ad_progress.taken_nanos + excluded.taken_nanos
                WHERE ad_progress.taken < ? AND ad_progress.taken_nanos <= ?
            RETURNING taken
            """,
            [
                .id(environmentID), .id(campaignID), .integer(day), .integer(priceNanos), .integer(maximum),
                .integer(budget - priceNanos),
            ])
        return row != nil
    }

    /// Gives back the capacity of an impression that nobody has seen.
    static func giveBack(_ impression: AdImpression, in connection: any SQLConnection) throws {
        guard !impression.campaignID.isEmpty else { return }
        let reservation = Self(impression)
        try reservation.giveBackCap(connection)
        try reservation.hold?.release(connection)
        try reservation.giveBackProgress(wholeLife, connection)
        try reservation.giveBackProgress(reservation.day, connection)
    }

    private init(_ impression: AdImpression) {
        environmentID = impression.environmentID
        campaignID = impression.campaignID
        priceNanos = impression.priceNanos
        user = AdUser(text: impression.userHashes)
        day = AdPace.day(of: impression.madeAt)
        windowStart = impression.windowStart
        hold = impression.hold
    }

    private func giveBackCap(_ connection: any SQLConnection) throws {
        guard windowStart > 0 else { return }
        for hash in user.hashes { try giveBackCap(hash, connection) }
    }

    private func giveBackCap(_ hash: String, _ connection: any SQLConnection) throws {
        try connection.execute(
            """
            UPDATE ad_frequency SET taken = taken - 1
            WHERE environment_id = ? AND campaign_id = ? AND person = ? AND window_start = ? AND taken > 0
            """, [.id(environmentID), .id(campaignID), .text(hash), .integer(windowStart)])
    }

    private func giveBackProgress(_ day: Int64, _ connection: any SQLConnection) throws {
        try connection.execute(
            """
            UPDATE ad_progress SET taken = taken - 1, taken_nanos = taken_nanos - ?
            WHERE environment_id = ? AND campaign_id = ? AND day = ? AND taken > 0
            """, [.integer(priceNanos), .id(environmentID), .id(campaignID), .integer(day)])
    }
}
