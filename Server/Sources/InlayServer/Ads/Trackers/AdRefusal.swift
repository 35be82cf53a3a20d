import InlaySQL
import InlayWire
import NIOConcurrencyHelpers

/// Why a tracker was not booked.
package struct AdRefusal: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// Not a token at all.
    package static let malformed = Self(rawValue: "malformed")
    /// Signed with a key that does not exist or is no longer believed.
    package static let unknownKey = Self(rawValue: "unknown-key")
    /// Changed on its way, or made up.
    package static let wrongSignature = Self(rawValue: "wrong-signature")
    /// Later than the token says.
    package static let expired = Self(rawValue: "expired")
    /// Nobody was ever handed this impression.
    package static let unknownImpression = Self(rawValue: "unknown-impression")
    /// Booked already.
    package static let copy = Self(rawValue: "copy")
    /// Something that comes after the view came without it.
    package static let beforeView = Self(rawValue: "before-view")
    /// A reward at a unit that gives none.
    package static let noReward = Self(rawValue: "no-reward")

    /// Keeps a refusal of an impression that was handed out.
    static func keep(
        _ reason: AdRefusal, _ token: AdTrackerToken, unitID: String, _ environmentID: String,
        at moment: Timestamp, times: Int = 1, in connection: any SQLConnection
    ) throws {
        try keep(
            reason, environmentID, impressionID: token.impressionID, event: token.event.rawValue,
            unitID: unitID, at: moment, times: times, in: connection)
    }

    fileprivate static func keep(
        _ reason: AdRefusal, _ environmentID: String, impressionID: String, event: String, unitID: String,
        at moment: Timestamp, times: Int, in connection: any SQLConnection
    ) throws {
        try connection.execute(
            """
            INSERT INTO ad_refusals (environment_id, day, impression_id, event, reason, unit_id, times, first_at,
                last_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (environment_id, day, impression_id, event, reason)
                DO UPDATE SET times = ad_refusals.times + excluded.times, last_at = excluded.last_at
            """,
            [
                .text(environmentID), .integer(AdPace.day(of: moment)), .text(impressionID), .text(event),
                .text(reason.rawValue), .text(unitID), .int(times), .moment(moment), .moment(moment),
            ])
    }
}

/// Counts what costs nothing to forge, in memory, and writes the sums.
///
/// A row for each forgery would let anybody fill the disk.
final class AdRefusalCounts: Sendable {
    private struct Name: Hashable {
        let environmentID: String
        let reason: AdRefusal
    }

    private let counts = NIOLockedValueBox<[Name: Int]>([:])

    /// One more. The environment is empty when nothing tells it.
    func add(_ reason: AdRefusal, _ environmentID: String = "") {
        counts.withLockedValue { $0[Name(environmentID: environmentID, reason: reason), default: 0] += 1 }
    }

    /// Writes the sums; what could not be written is counted on.
    func write(to database: any SQLDatabase, at moment: Timestamp) async throws {
        let taken = counts.withLockedValue { counts in
            defer { counts = [:] }
            return counts
        }
        guard !taken.isEmpty else { return }
        do {
            try await database.write { connection in
                for (name, times) in taken {
                    try AdRefusal.keep(
                        name.reason, name.environmentID, impressionID: "", event: "", unitID: "",
                        at: moment, times: times, in: connection)
                }
            }
        } catch {
            counts.withLockedValue { counts in counts.merge(taken) { $0 + $1 } }
            throw error
        }
    }
}
