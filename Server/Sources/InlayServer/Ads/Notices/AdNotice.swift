import InlaySQL
import InlayWire

/// Something that a buyer or an app's server must be told, kept until it answered.
package struct AdNotice: Sendable {
    /// What it says.
    package enum Kind: String, Sendable, CaseIterable {
        /// You won the auction. Nothing is owed for that.
        case nurl
        /// Your ad was seen: this is what you pay for.
        case burl
        /// You did not win, and why.
        case lurl
        /// Your user has earned a reward.
        case reward

        /// How long it is tried. News of an auction is of no use when the auction is forgotten; what somebody pays
        /// or gets outlives an outage of most of a day.
        var life: Duration {
            switch self {
            case .nurl, .lurl: .seconds(600)
            case .burl, .reward: .seconds(86_400)
            }
        }
    }

    /// Where it stands.
    package enum State: String, Sendable, CaseIterable {
        /// Not yet acknowledged; tried again when its time comes.
        case waiting
        /// Acknowledged with a 2xx.
        case acknowledged
        /// Given up when its life was over, or never possible: it is no address.
        case failed
    }

    let environmentID: String
    let id: String
    let kind: Kind
    /// Whose calls it waits behind: no other lane's.
    let lane: String
    let impressionID: String
    let bidderID: String
    let url: String
    let amountNanos: Int64
    let deviceAddress: String
    let userAgent: String
    let madeAt: Timestamp
    var tries = 0

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

    /// The notice that a bidder lost; several bidders may lose one auction, each with several bids.
    init(
        lost auctionID: String, _ environmentID: String, bidderID: String, number: Int, url: String,
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
        environmentID = try row.text("environment_id")
        id = try row.text("id")
        guard let kind = Kind(rawValue: try row.text("kind")) else { throw Problem.notFound("notice") }
        self.kind = kind
        lane = try row.text("lane")
        impressionID = try row.text("impression_id")
        bidderID = try row.text("bidder_id")
        url = try row.text("url")
        amountNanos = try row.int64("amount_nanos")
        deviceAddress = try row.text("device_ip")
        userAgent = try row.text("user_agent")
        madeAt = try row.moment("made_at")
        tries = try row.int("tries")
    }

    /// The id of a notice about an impression, which has one of each kind.
    static func id(of impressionID: String, _ kind: Kind) -> String { "\(impressionID)/\(kind.rawValue)" }

    /// Puts it into the outbox; a copy changes nothing.
    func queue(_ connection: any SQLConnection) throws {
        try connection.execute(
            """
            INSERT INTO ad_notices (environment_id, id, kind, impression_id, bidder_id, url, amount_nanos,
                device_ip, user_agent, lane, state, tries, next_at, made_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)
            ON CONFLICT (environment_id, id) DO NOTHING
            """,
            [
                .text(environmentID), .text(id), .text(kind.rawValue), .text(impressionID), .text(bidderID),
                .text(url), .integer(amountNanos), .text(deviceAddress), .text(userAgent), .text(lane),
                .text(State.waiting.rawValue), .moment(madeAt), .moment(madeAt),
            ])
    }

    /// A buyer has two lanes, since its bills must not wait for its losses. They go by the buyer and not by hosts, of
    /// which it may name as many as it likes; rewards go by hosts, which the operators' own people name.
    private static func lane(_ kind: Kind, _ environmentID: String, bidderID: String, url: String) -> String {
        switch kind {
        case .burl: "\(environmentID)/\(bidderID)/bills"
        case .nurl, .lurl: "\(environmentID)/\(bidderID)/news"
        case .reward: "reward/\(AddressGuard.host(of: url)?.lowercased() ?? "")"
        }
    }
}
