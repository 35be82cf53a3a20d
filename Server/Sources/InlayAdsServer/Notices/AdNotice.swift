import InlayOpenRTB
import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// A notice to a buyer or an app's server, kept until it is acknowledged.
package struct AdNotice: Sendable {
    /// The subject of the notice.
    package enum Kind: String, Sendable, CaseIterable {
        /// The bidder won the auction. A win alone is not billed.
        case nurl
        /// The bidder's ad was seen: the bidder is billed.
        case burl
        /// The bidder did not win, with the reason.
        case lurl
        /// A user of the app has earned a reward.
        case reward

        /// The time for which the notice is tried. Wins and losses are useless soon after the auction; bills and
        /// rewards survive an outage of most of a day.
        var life: Duration { .seconds(isBillOrReward ? 86_400 : 600) }

        /// Whether the notice is a bill or a reward.
        var isBillOrReward: Bool { self == .burl || self == .reward }
    }

    /// The state of a notice's delivery.
    package enum State: String, Sendable, CaseIterable {
        /// Not yet acknowledged; tried again when its time comes.
        case waiting
        /// Acknowledged with a 2xx.
        case acknowledged
        /// Given up: its life was over, or its URL can never be called.
        case failed
    }

    let environmentID: EnvironmentID
    let id: String
    let kind: Kind
    /// The lane of the notice's job. Calls of other lanes do not delay it.
    let lane: String
    let impressionID: AdImpressionID
    let bidderID: AdBidderID
    let url: String
    let amountNanos: Int64
    let deviceAddress: String
    let userAgent: String
    let madeAt: Timestamp

    /// A notice about an impression.
    init(
        _ impression: AdImpression, _ kind: Kind, url: String, amountNanos: Int64, at moment: Timestamp
    ) {
        environmentID = impression.environmentID
        id = Self.id(of: impression.id, kind)
        self.kind = kind
        lane = Self.lane(kind, environmentID, bidderID: impression.bidderID, url: url)
        impressionID = impression.id
        bidderID = impression.bidderID
        self.url = url
        self.amountNanos = amountNanos
        deviceAddress = impression.deviceAddress
        userAgent = impression.userAgent
        madeAt = moment
    }

    /// A loss notice. `number` distinguishes those of one auction, in which a bidder may lose with several bids.
    init(
        lost auctionID: AdImpressionID, _ environmentID: EnvironmentID, bidderID: AdBidderID, number: Int,
        url: String,
        at moment: Timestamp
    ) {
        self.environmentID = environmentID
        id = "\(auctionID)/lurl/\(bidderID)/\(number)"
        kind = .lurl
        lane = Self.lane(.lurl, environmentID, bidderID: bidderID, url: url)
        impressionID = auctionID
        self.bidderID = bidderID
        self.url = url
        amountNanos = 0
        deviceAddress = ""
        userAgent = ""
        madeAt = moment
    }

    init(_ row: SQLRow) throws {
        environmentID = try row.id("environment_id")
        id = try row.text("id")
        guard let kind = Kind(rawValue: try row.text("kind")) else { throw Problem.notFound("notice") }
        self.kind = kind
        impressionID = try row.id("impression_id")
        bidderID = try row.id("bidder_id")
        url = try row.text("url")
        lane = Self.lane(kind, environmentID, bidderID: bidderID, url: url)
        amountNanos = try row.int64("amount_nanos")
        deviceAddress = try row.text("device_ip")
        userAgent = try row.text("user_agent")
        madeAt = try row.moment("made_at")
    }

    /// Returns the id of a notice about an impression, which has at most one of each kind.
    static func id(of impressionID: AdImpressionID, _ kind: Kind) -> String {
        "\(impressionID)/\(kind.rawValue)"
    }

    /// Returns the kind of a notice, which is the second part of its id.
    static func kind(ofID id: String) -> Kind? {
        let parts = id.split(separator: "/", maxSplits: 2)
        return parts.count > 1 ? Kind(rawValue: String(parts[1])) : nil
    }

    /// The id of the job that sends the notice.
    var jobID: Job.ID { job(at: madeAt).id }

    /// Returns the job that sends the notice, due at a moment; it expires after ``Kind/life``.
    func job(at moment: Timestamp) -> NewJob {
        // Bills and rewards are called at least once, also when the server was down for a day.
        NewJob(
            AdNoticeJobs.kind, key: id, in: environmentID, lane: lane, at: moment,
            expiresAt: moment + kind.life, minimumAttempts: kind.isBillOrReward ? 1 : 0)
    }

    /// Enqueues notices with their records, within a transaction of the caller. A notice with a known id is skipped.
    static func queue(_ notices: [AdNotice], _ connection: any SQLConnection) throws {
        let new = try notices.filter { try $0.insert(connection) }
        try JobQueue.enqueue(new.map { $0.job(at: $0.madeAt) }, in: connection)
    }

    private func insert(_ connection: any SQLConnection) throws -> Bool {
        try Self.columns.insert(self, in: connection) == 1
    }

    private static let columns = RecordColumns<AdNotice>(
        of: "ad_notices", onConflict: .ignore(key: ["environment_id", "id"]),
        [
            RecordColumn("environment_id") { .id($0.environmentID) },
            RecordColumn("id") { .text($0.id) },
            RecordColumn("kind") { .text($0.kind.rawValue) },
            RecordColumn("impression_id") { .id($0.impressionID) },
            RecordColumn("bidder_id") { .id($0.bidderID) },
            RecordColumn("url") { .text($0.url) },
            RecordColumn("amount_nanos") { .integer($0.amountNanos) },
            RecordColumn("device_ip") { .text($0.deviceAddress) },
            RecordColumn("user_agent") { .text($0.userAgent) },
            RecordColumn("state") { _ in .text(State.waiting.rawValue) },
            RecordColumn("tries") { _ in 0 },
            RecordColumn("made_at") { .moment($0.madeAt) },
        ])

    /// Returns the lane of a notice. A buyer has two lanes, so that its bills do not wait for its losses. They do not
    /// depend on hosts, because a buyer may name any number of them. Rewards have a lane for each host, because
    /// operators choose those hosts.
    private static func lane(_ kind: Kind, _ environmentID: EnvironmentID, bidderID: AdBidderID, url: String)
        -> String
    {
        switch kind {
        case .burl: "\(environmentID)/\(bidderID)/bills"
        case .nurl, .lurl: "\(environmentID)/\(bidderID)/news"
        case .reward: "reward/\(AddressGuard.host(of: url)?.lowercased() ?? "")"
        }
    }
}
