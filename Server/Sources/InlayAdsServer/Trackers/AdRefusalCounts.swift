import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// Counts in memory the refusals that any caller can cause, and writes the sums every second.
///
/// A row for each forgery would let any caller fill the disk.
final class AdRefusalCounts: Sendable {
    private struct Name: Hashable {
        let environmentID: EnvironmentID
        let reason: AdRefusal
        var event = ""
        var unitID = AdUnitID.noUnit
    }

    private let counts = AdCounts<Name>()

    /// Counts one more. The environment is empty when it is unknown.
    func add(_ reason: AdRefusal, _ environmentID: EnvironmentID = .noEnvironment) {
        counts.add(Name(environmentID: environmentID, reason: reason))
    }

    /// Counts one more ad request that is invalid traffic. The unit exists, which limits the number of counters.
    func addRequest(_ reason: AdRefusal, _ environmentID: EnvironmentID, unitID: AdUnitID) {
        counts.add(Name(environmentID: environmentID, reason: reason, event: Self.request, unitID: unitID))
    }

    /// The event of an ad request in reports.
    static let request = "request"

    /// Writes the sums.
    func write(to database: any SQLDatabase, at moment: Timestamp) async throws {
        try await counts.write(to: database) { name, times, connection in
            try AdRefusal.count(
                name.reason, name.environmentID, impressionID: .noImpression, event: name.event,
                unitID: name.unitID,
                at: moment,
                times: times, in: connection)
        }
    }
}
