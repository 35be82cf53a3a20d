import InlaySQL
import InlayWire
import NIOConcurrencyHelpers

/// Counts requests in memory and writes the sums every second: a request that is not filled costs no commit.
///
/// A crash loses the requests of the last second from the report, never a fill, an impression or money.
final class AdRequestCounts: Sendable {
    private let counts = NIOLockedValueBox<[AdDayCount.Line: Int64]>([:])

    /// A request for an ad, or the asking of a bidder.
    func add(_ environmentID: String, unitID: String, bidderID: String = "", at moment: Timestamp) {
        let line = AdDayCount.Line(
            environmentID: environmentID, day: AdPace.day(of: moment), unitID: unitID, bidderID: bidderID)
        counts.withLockedValue { $0[line, default: 0] += 1 }
    }

    /// Writes the sums; what could not be written is counted on.
    func write(to database: any SQLDatabase) async throws {
        let taken = counts.withLockedValue { counts in
            defer { counts = [:] }
            return counts
        }
        guard !taken.isEmpty else { return }
        do {
            try await database.write { connection in
                for (line, requests) in taken {
                    var count = AdDayCount()
                    count.requests = requests
                    try count.add(to: line, connection)
                }
            }
        } catch {
            counts.withLockedValue { counts in counts.merge(taken) { $0 + $1 } }
            throw error
        }
    }
}
