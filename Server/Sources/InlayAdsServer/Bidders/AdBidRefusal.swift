import InlayOpenRTB
import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The reason why a bid took no part in an auction, or why a bidder's whole response could not be used.
package struct AdBidRefusal: Hashable, Sendable {
    let bidderID: AdBidderID
    /// The number of the loss reason that the bidder gets, or the kind of failure of a response.
    package let reason: String
    /// The field of the bid that the reason is about; empty for a failure.
    package let field: String

    /// A bid that was refused for one of its fields.
    init(_ bidderID: AdBidderID, _ loss: OpenRTB.LossReason, field: String) {
        self.bidderID = bidderID
        reason = String(loss.rawValue)
        self.field = field
    }

    /// A bid with a fault. The indices of seat and bid are removed from its path, so that a report groups by field.
    init(_ bidderID: AdBidderID, _ loss: OpenRTB.LossReason, path: String) {
        let names = path.split(separator: ".").filter { !$0.hasPrefix("seatbid[") && !$0.hasPrefix("bid[") }
            .map { $0.prefix { $0 != "[" } }
        self.init(bidderID, loss, field: names.joined(separator: ".").prefix(scalars: 64))
    }

    /// A response that could not be used.
    init(_ bidderID: AdBidderID, _ failure: BidderClient.Failure) {
        self.bidderID = bidderID
        reason = failure.rawValue
        field = ""
    }
}

/// Counts refused bids in memory and writes the sums every second.
final class AdBidRefusalCounts: Sendable {
    private struct Name: Hashable {
        let environmentID: EnvironmentID
        let refusal: AdBidRefusal
    }

    private let counts = AdCounts<Name>()

    /// Counts one more.
    func add(_ refusal: AdBidRefusal, _ environmentID: EnvironmentID) {
        counts.add(Name(environmentID: environmentID, refusal: refusal))
    }

    /// Writes the sums.
    func write(to database: any SQLDatabase, at moment: Timestamp) async throws {
        try await counts.write(to: database) { name, times, connection in
            try connection.execute(
                """
                INSERT INTO ad_refused_bids (environment_id, bidder_id, day, reason, field, times, last_at)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (environment_id, bidder_id, day, reason, field)
                    DO UPDATE SET times = ad_refused_bids.times + excluded.times, last_at = excluded.last_at
                """,
                [
                    .id(name.environmentID), .id(name.refusal.bidderID), .integer(AdPace.day(of: moment)),
                    .text(name.refusal.reason), .text(name.refusal.field), .int(times), .moment(moment),
                ])
        }
    }
}
