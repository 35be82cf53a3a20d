import InlayOpenRTB
import InlaySQL
@_spi(Inlay) import InlayWire

/// The number of rewards of a unit that a user got in one day (UTC), by each ``AdRewardRecipientName``.
struct AdRewardCount {
    private let impression: AdImpression
    private let day: Int64
    private let names: [AdRewardRecipientName]

    init(_ impression: AdImpression, at moment: Timestamp) {
        self.impression = impression
        day = AdPace.day(of: moment)
        names = AdRewardRecipientName.names(of: impression)
    }

    /// Counts one more for each name, or nothing at all when one of them has reached the maximum.
    func take(maximum: Int, _ connection: any SQLConnection) throws -> Bool {
        for (index, name) in names.enumerated() {
            guard try take(name.text, maximum: maximum * name.userCount, connection) else {
                for taken in names.prefix(index) { try giveBack(taken.text, connection) }
                return false
            }
        }
        return true
    }

    /// Counts one less for each name: the reward was not booked after all.
    func giveBack(_ connection: any SQLConnection) throws {
        for name in names { try giveBack(name.text, connection) }
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
