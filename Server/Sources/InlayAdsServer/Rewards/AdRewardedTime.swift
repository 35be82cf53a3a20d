import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The time that a rewarded video takes of its user, from its view on.
///
/// The rewarded videos of one user run one after another: while the time of one lasts, the view of another is too
/// early. So the time of one never counts for another, and sixty videos take sixty times as long as one. The time
/// begins with the view and not with the answer: videos that are loaded ahead, or are never shown, take none of it. It
/// ends by itself, so a video that was closed or whose app was killed delays the next one and never loses it.
struct AdRewardedTime {
    /// The longest time that a video takes, whatever length its markup declares: a wrong one must not keep its user
    /// from other videos for hours.
    static let maximum: Duration = .seconds(AdLimits.maximumTrackerDelay)

    private let environmentID: EnvironmentID
    private let names: [AdRewardName]
    private let length: Duration
    private let moment: Timestamp

    /// The time that begins at a moment.
    init(_ impression: AdImpression, at moment: Timestamp) {
        environmentID = impression.environmentID
        names = AdRewardName.names(of: impression)
        length = min(AdEventTiming.minimumAge(of: .complete, length: impression.videoLength), Self.maximum)
        self.moment = moment
    }

    /// Takes the time for each name, or for none; returns how long an earlier video still lasts, `nil` when none does.
    func take(_ connection: any SQLConnection) throws -> Duration? {
        for (index, name) in names.enumerated() {
            guard let wait = try take(name, connection) else { continue }
            for taken in names.prefix(index) { try giveBack(taken, connection) }
            return wait
        }
        return nil
    }

    /// Gives the time back: the view was not booked after all.
    func giveBack(_ connection: any SQLConnection) throws {
        for name in names { try giveBack(name, connection) }
    }

    // A network that stands for twenty people takes a twentieth of the time, and may be one whole time ahead: so twenty
    // videos run beside each other. One statement, so that nodes that share a database are exact together.
    private func take(_ name: AdRewardName, _ connection: any SQLConnection) throws -> Duration? {
        let part = part(of: name), latest = moment + (length - part)
        let row = try connection.row(
            """
            INSERT INTO ad_rewarded_times (environment_id, person, busy_until) VALUES (?, ?, ?)
            ON CONFLICT (environment_id, person) DO UPDATE SET busy_until = CASE
                WHEN ad_rewarded_times.busy_until > ? THEN ad_rewarded_times.busy_until + ?
                ELSE excluded.busy_until END
                WHERE ad_rewarded_times.busy_until <= ?
            RETURNING busy_until
            """,
            key(name) + [
                .moment(moment + part), .moment(moment), .integer(part.microseconds), .moment(latest),
            ])
        guard row == nil else { return nil }
        let found = try connection.row(
            "SELECT busy_until FROM ad_rewarded_times WHERE environment_id = ? AND person = ?", key(name))
        return try max((found?.moment("busy_until") ?? latest) - latest, .zero)
    }

    private func giveBack(_ name: AdRewardName, _ connection: any SQLConnection) throws {
        try connection.execute(
            """
            UPDATE ad_rewarded_times SET busy_until = busy_until - ? WHERE environment_id = ? AND person = ?
            """, [SQLValue.integer(part(of: name).microseconds)] + key(name))
    }

    private func part(of name: AdRewardName) -> Duration { length / name.people }

    private func key(_ name: AdRewardName) -> [SQLValue] { [.id(environmentID), .text(name.text)] }
}
