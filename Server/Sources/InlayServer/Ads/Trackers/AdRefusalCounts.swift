import InlaySQL
import InlayWire

/// Counts what costs nothing to forge, in memory, and writes the sums.
///
/// A row for each forgery would let anybody fill the disk.
final class AdRefusalCounts: Sendable {
    private struct Name: Hashable {
        let environmentID: String
        let reason: AdRefusal
    }

    private let counts = AdCounts<Name>()

    /// One more. The environment is empty when nothing tells it.
    func add(_ reason: AdRefusal, _ environmentID: String = "") {
        counts.add(Name(environmentID: environmentID, reason: reason))
    }

    /// Writes the sums.
    func write(to database: any SQLDatabase, at moment: Timestamp) async throws {
        try await counts.write(to: database) { name, times, connection in
            try AdRefusal.keep(
                name.reason, name.environmentID, impressionID: "", event: "", unitID: "", at: moment,
                times: times, in: connection)
        }
    }
}
