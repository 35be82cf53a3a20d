import InlayOpenRTB
import InlaySQL
@_spi(Inlay) import InlayWire

/// The number of rewards of a unit that a user got in one day (UTC).
///
/// A signed-in user is counted by the token. Where a unit gives rewards without one, the advertising id is counted and,
/// because the caller chooses it, also the network, whose limit is the one of several users.
struct AdRewardCount {
    /// The factor by which the limit of a network without a named user exceeds the limit of one user.
    static let peopleOfNetwork = 20

    private let impression: AdImpression
    private let day: Int64
    /// The names that are counted, each with the factor of its limit.
    private let people: [(name: String, times: Int)]

    init(_ impression: AdImpression, at moment: Timestamp) {
        self.impression = impression
        day = AdPace.day(of: moment)
        if impression.userID.isEmpty {
            let marks = AdUser(text: impression.person).marks.map { (name: $0, times: 1) }
            people = marks + [(name: impression.network, times: Self.peopleOfNetwork)]
        } else {
            let mark = AdUser.mark(ofUser: impression.userID, in: impression.environmentID)
            people = [(name: mark, times: 1)]
        }
    }

    /// Counts one more for each, or nothing at all when somebody has had the maximum.
    func take(maximum: Int, _ connection: any SQLConnection) throws -> Bool {
        for (index, person) in people.enumerated() {
            guard try take(person.name, maximum: maximum * person.times, connection) else {
                for taken in people.prefix(index) { try giveBack(taken.name, connection) }
                return false
            }
        }
        return true
    }

    private func take(_ name: String, maximum: Int, _ connection: any SQLConnection) throws -> Bool {
        let row = try connection.row(
            """
            INSERT INTO ad_reward_counts (environment_id, unit_id, person, day, taken) VALUES (?, ?, ?, ?, 1)
            ON CONFLICT (environment_id, person, unit_id, day) DO UPDATE SET taken = ad_reward_counts.taken + 1
                WHERE ad_reward_counts.taken < ?
            RETURNING taken
            """, key(name) + [.int(maximum)])
        return row != nil
    }

    private func giveBack(_ name: String, _ connection: any SQLConnection) throws {
        try connection.execute(
            """
            UPDATE ad_reward_counts SET taken = taken - 1
            WHERE environment_id = ? AND unit_id = ? AND person = ? AND day = ? AND taken > 0
            """, key(name))
    }

    private func key(_ name: String) -> [SQLValue] {
        [.id(impression.environmentID), .id(impression.unitID), .text(name), .integer(day)]
    }
}
