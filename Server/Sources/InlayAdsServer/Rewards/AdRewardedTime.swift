import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The time that a rewarded video takes of its user, from its view on.
///
/// The rewarded videos of one user run one after another: while the time of one lasts, the view of another is too
/// early. So the time of one never counts for another, and sixty videos take sixty times as long as one. The time
/// begins with the view and not with the response: videos that are loaded ahead, or are never shown, take no time. The
/// time ends by itself: a video that was closed, or whose app was killed, delays the next video, which is not lost.
struct AdRewardedTime {
    /// The maximum time that a video takes, whatever length its markup declares: a wrong length must not block the
    /// user's other videos for hours.
    static let maximum: Duration = .seconds(AdLimits.maximumTrackerDelay)

    private let environmentID: EnvironmentID
    private let names: [AdRewardRecipientName]
    private let length: Duration
    private let moment: Timestamp

    /// Creates the time of an impression's video, which begins at a moment.
    init(_ impression: AdImpression, at moment: Timestamp) {
        environmentID = impression.environmentID
        names = AdRewardRecipientName.names(of: impression)
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

    // For a network that stands for twenty users, a video takes a twentieth of its length, and the end may be a whole
    // length ahead, so that twenty videos can run at the same time. One statement checks and takes, so that nodes that
    // share a database count exactly.
    private func take(_ name: AdRewardRecipientName, _ connection: any SQLConnection) throws -> Duration? {
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

    private func giveBack(_ name: AdRewardRecipientName, _ connection: any SQLConnection) throws {
        try connection.execute(
            """
            UPDATE ad_rewarded_times SET busy_until = busy_until - ? WHERE environment_id = ? AND person = ?
            """, [SQLValue.integer(part(of: name).microseconds)] + key(name))
    }

    private func part(of name: AdRewardRecipientName) -> Duration { length / name.userCount }

    private func key(_ name: AdRewardRecipientName) -> [SQLValue] { [.id(environmentID), .text(name.text)] }
}
