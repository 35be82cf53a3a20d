import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// Counts requests in memory and writes the sums every second: a request that is not filled costs no commit.
///
/// A crash loses the requests of the last second from the report, never a fill, an impression or money.
final class AdRequestCounts: Sendable {
    private let counts = AdCounts<AdDayCount.Line>()

    /// Counts an ad request, or with a bidder's id a bid request.
    func add(
        _ environmentID: EnvironmentID, unitID: AdUnitID, bidderID: AdBidderID = .noBidder,
        at moment: Timestamp
    ) {
        counts.add(
            AdDayCount.Line(
                environmentID: environmentID, day: AdPace.day(of: moment), unitID: unitID, bidderID: bidderID)
        )
    }

    /// Writes the sums.
    func write(to database: any SQLDatabase) async throws {
        try await counts.write(to: database) { line, requests, connection in
            var count = AdDayCount()
            count.requests = Int64(requests)
            try count.add(to: line, connection)
        }
    }
}
